import { applicationsOnLinux } from "../applications/linux.ts";
import type { PlatformCollector, Snapshot } from "../report.ts";
import { Connections } from "./connections.ts";
import { CpuUse } from "./cpu.ts";
import { DiskIo } from "./disk-io.ts";
import { FileSystems, spaceMetrics } from "./file-systems.ts";
import { memoryMetrics } from "./memory.ts";
import { NetworkTraffic } from "./network.ts";
import { Processes } from "./processes.ts";
import { readSystem, readUptime } from "./system.ts";
import { Temperature } from "./temperature.ts";
import { UserNames } from "./users.ts";

/** Where the kernel shows what it knows; a container that watches its host has that mounted elsewhere. */
export interface Roots {
  proc: string;
  sys: string;
}

/** Reads /proc and /sys itself: no process is started for anything that is collected every few seconds. */
export function linuxCollector({ proc, sys }: Roots = { proc: "/proc", sys: "/sys" }): PlatformCollector {
  const cpu = new CpuUse(proc);
  const files = new FileSystems(proc);
  const disks = new DiskIo(proc, sys);
  const network = new NetworkTraffic(proc, sys);
  const temperature = new Temperature(sys);
  const processes = new Processes(proc, new UserNames());
  const connections = new Connections(proc);
  return {
    system: () => readSystem(proc, files),
    async metrics() {
      const now = performance.now();
      const spaces = spaceMetrics(await files.read());
      const rates = { ...cpu.read(), ...disks.read(now), ...network.read(now) };
      return { ...rates, ...memoryMetrics(proc), ...spaces, ...temperature.read() };
    },
    unresponsiveMounts: () => files.unresponsive(),
    processes: async () => processes.read(readUptime(proc)),
    connections: async () => connections.read(),
    applications: async () => whole(await applicationsOnLinux(proc)),
  };
}

const whole = <Item>(items: Item[]): Snapshot<Item> => ({ total: items.length, items });
