import type { Metrics } from "../report.ts";
import { readText } from "./read-file.ts";

/** Bytes by name, as /proc/meminfo says them. */
export function readMemory(proc: string): ReadonlyMap<string, number> {
  const lines = (readText(`${proc}/meminfo`) ?? "").matchAll(/^(\w+):\s+(\d+) kB$/gm);
  return new Map(Array.from(lines, ([, name = "", size]) => [name, Number(size) * 1024]));
}

/** Memory and swap in use. What the kernel (`MemAvailable`) or ZFS would give back is not in use. */
export function memoryMetrics(proc: string): Metrics {
  const memory = readMemory(proc);
  const metrics: Metrics = {};
  const total = memory.get("MemTotal");
  // Kernels before 3.14 do not say what is available.
  const known = memory.get("MemAvailable") ?? (memory.get("MemFree") ?? 0) + (memory.get("Cached") ?? 0);
  if (total) {
    const available = Math.min(total, known + cacheOfZfs(proc));
    metrics["memory.used"] = total - available;
    metrics["memory.available"] = available;
    metrics["memory.usage"] = (100 * (total - available)) / total;
  }
  const swap = memory.get("SwapTotal");
  if (swap) {
    const used = swap - (memory.get("SwapFree") ?? 0);
    metrics["memory.swap.used"] = used;
    metrics["memory.swap.usage"] = (100 * used) / swap;
  }
  return metrics;
}

/**
 * Bytes of its cache that ZFS gives up when others need them: all above its minimum. The kernel counts them as used. In a container whose
 * meminfo is its own (lxcfs) they are the host's, and not in there.
 */
function cacheOfZfs(proc: string): number {
  const stats = readText(`${proc}/spl/kstat/zfs/arcstats`);
  if (stats === null || hasOwnMemory(proc)) return 0;
  const valueOf = (name: string) => Number(new RegExp(`^${name}\\s+\\d+\\s+(\\d+)$`, "m").exec(stats)?.[1]);
  return Math.max(0, valueOf("size") - valueOf("c_min")) || 0;
}

/** Something is mounted over the kernel's own file. */
const hasOwnMemory = (proc: string): boolean =>
  / \/proc\/meminfo /.test(readText(`${proc}/self/mountinfo`) ?? "");
