import { arch, cpus, hostname, release, totalmem } from "node:os";
import type { SystemDetails } from "../report.ts";
import { readMemory } from "./memory.ts";
import { readText } from "./read-file.ts";

/** What this machine is. `totalDisk`: bytes of all its file systems. */
export function readSystem(proc: string, totalDisk: number): SystemDetails {
  const memory = readMemory(proc);
  const processors = cpus();
  return {
    hostname: hostname() || "localhost",
    platform: "linux",
    os: osName(),
    kernel: release(),
    architecture: arch(),
    cpu: processors[0]?.model.trim() || "unknown",
    cpuCores: processors.length,
    totalMemory: memory.get("MemTotal") ?? totalmem(),
    totalSwap: memory.get("SwapTotal") ?? 0,
    totalDisk,
    bootedAt: bootedAt(proc),
  };
}

/** os-release(5); a machine may lack it. */
function osName(): string {
  const text = readText("/etc/os-release") ?? readText("/usr/lib/os-release") ?? "";
  return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(text)?.[1] ?? "Linux";
}

/** The kernel's own note, which does not move with every look as `now - uptime` does. */
function bootedAt(proc: string): number {
  const seconds = /^btime (\d+)$/m.exec(readText(`${proc}/stat`) ?? "")?.[1];
  return Number(seconds ?? 0) * 1000;
}

/** Seconds since the machine started, asleep or awake. */
export function readUptime(proc: string): number {
  return Number((readText(`${proc}/uptime`) ?? "0").split(" ")[0]);
}
