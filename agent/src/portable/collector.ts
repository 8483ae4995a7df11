import { hostname } from "node:os";
import {
  cpu,
  cpuTemperature,
  currentLoad,
  fsSize,
  fsStats,
  mem,
  networkConnections,
  networkStats,
  osInfo,
  processes,
  time,
} from "systeminformation";
import { applicationsOnMacos } from "../applications/macos.ts";
import { applicationsOnWindows } from "../applications/windows.ts";
import { maskArguments } from "../mask.ts";
import type {
  Application,
  Connection,
  Metrics,
  PlatformCollector,
  Process,
  Snapshot,
  SystemDetails,
} from "../report.ts";
import { mostTelling } from "../top.ts";

/** Where the kernel shows no files of it: macOS, Windows, the BSDs. It starts programs of theirs for much of this. */
export const portableCollector = (): PlatformCollector => ({
  system: readSystem,
  // The library does not say which mount it waits for.
  measure: async () => ({ metrics: await readMetrics() }),
  processes: readProcesses,
  connections: readConnections,
  applications: readApplications,
});

async function readSystem(): Promise<SystemDetails> {
  const [os, processor, memory, files] = await Promise.all([osInfo(), cpu(), mem(), fsSize()]);
  return {
    hostname: hostname() || "localhost",
    platform: process.platform,
    os: `${os.distro} ${os.release}`.trim(),
    kernel: os.kernel,
    architecture: process.arch,
    cpu: `${processor.manufacturer} ${processor.brand}`.trim(),
    cpuCores: processor.cores,
    totalMemory: memory.total,
    totalSwap: memory.swaptotal,
    totalDisk: files.reduce((sum, { size }) => sum + size, 0),
    bootedAt: Math.round(Date.now() / 1000 - time().uptime) * 1000,
  };
}

async function readMetrics(): Promise<Metrics> {
  const [load, memory, files, disks, networks, heat] = await Promise.all([
    ...([currentLoad(), mem(), fsSize(), fsStats(), networkStats("*"), cpuTemperature()] as const),
  ]);
  const metrics: Metrics = { "cpu.usage": load.currentLoad, "cpu.load1": load.avgLoad };
  for (const [at, { load: use }] of load.cpus.entries()) metrics[`cpu.core${at}.usage`] = use;
  if (heat.main) metrics["cpu.temperature"] = heat.main;
  metrics["memory.used"] = memory.total - memory.available;
  metrics["memory.available"] = memory.available;
  metrics["memory.usage"] = (100 * (memory.total - memory.available)) / memory.total;
  if (memory.swaptotal > 0) {
    metrics["memory.swap.used"] = memory.swapused;
    metrics["memory.swap.usage"] = (100 * memory.swapused) / memory.swaptotal;
  }
  for (const { mount, use, used, size } of files) {
    Object.assign(metrics, {
      [`disk.${mount}.usage`]: use,
      [`disk.${mount}.used`]: used,
      [`disk.${mount}.total`]: size,
    });
  }
  // Null at the first look, and on Windows.
  if (typeof disks?.rx_sec === "number") metrics["disk.all.read"] = disks.rx_sec;
  if (typeof disks?.wx_sec === "number") metrics["disk.all.write"] = disks.wx_sec;
  for (const { iface, rx_sec: rx, tx_sec: tx } of networks) {
    if (typeof rx === "number") metrics[`network.${iface}.rx`] = rx;
    if (typeof tx === "number") metrics[`network.${iface}.tx`] = tx;
  }
  return metrics;
}

async function readProcesses(): Promise<Snapshot<Process>> {
  const { list } = await processes();
  const all = list.map((one) => ({ one, pid: one.pid, cpu: one.cpu, memory: one.memRss }));
  const items = mostTelling(all).map(({ one }) => ({
    pid: one.pid,
    name: one.name,
    command: maskArguments(`${one.command} ${one.params}`.trim().split(/\s+/)),
    cpuPercent: Math.round(one.cpu * 10) / 10,
    memoryMB: Math.round((one.memRss / 1024) * 10) / 10,
    status: one.state,
    user: one.user,
  }));
  return { total: list.length, items };
}

async function readConnections(): Promise<Snapshot<Connection>> {
  const found = await networkConnections();
  const items = found.map(
    (one): Connection => ({
      localAddress: one.localAddress,
      localPort: Number(one.localPort) || 0,
      remoteAddress: isOpen(one.peerAddress, one.peerPort) ? null : one.peerAddress,
      remotePort: isOpen(one.peerAddress, one.peerPort) ? null : Number(one.peerPort) || 0,
      protocol: one.protocol.startsWith("udp") ? "udp" : "tcp",
      status: one.state
        .toLowerCase()
        .replace(/^listen$/, "listening")
        .replaceAll("_", "-"),
      processName: one.process || null,
    }),
  );
  return { total: found.length, items };
}

const isOpen = (address: string, port: string) =>
  /^(?:\*|0\.0\.0\.0|::|)$/.test(address) || !/^[1-9]/.test(port);

async function readApplications(): Promise<Snapshot<Application>> {
  const { list } = await processes();
  const running = list.map(({ path, command }) => path || command);
  const items =
    process.platform === "darwin" ? await applicationsOnMacos(running) : await applicationsOnWindows(running);
  return { total: items.length, items };
}
