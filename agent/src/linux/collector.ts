import { applicationsOnLinux } from "../applications/linux.ts";
import type { PlatformCollector, Snapshot } from "../report.ts";
import { Connections } from "./connections.ts";
import { CpuUse } from "./cpu.ts";
import { DiskIo } from "./disk-io.ts";
import { FileSystems } from "./file-systems.ts";
import { memoryMetrics } from "./memory.ts";
import { NetworkTraffic } from "./network.ts";
import { Processes } from "./processes.ts";
import { spaceMetrics } from "./space.ts";
import { readSystem, readUptime } from "./system.ts";
import { Temperature } from "./temperature.ts";
import { UserNames } from "./users.ts";

/** Where the kernel shows what it knows; a container that watches its host has that mounted elsewhere. */
export interface Roots {
  proc: string;
  sys: string;
}

/** Reads /proc and /sys itself: no process is started for anything that is collected every few seconds, but for disks that may hang. */
export function linuxCollector({ proc, sys }: Roots = { proc: "/proc", sys: "/sys" }): PlatformCollector {
  const cpu = new CpuUse(proc);
  const files = new FileSystems(proc);
  const disks = new DiskIo(proc, sys);
  const network = new NetworkTraffic(proc, sys);
  const temperature = new Temperature(sys);
  const processes = new Processes(proc, new UserNames());
  const connections = new Connections(proc);
  return {
    system: async () => readSystem(proc, files.totalBytes),
    async measure() {
      const { spaces, unresponsive: unresponsiveMounts } = await files.read();
      const now = performance.now();
      const rates = { ...cpu.read(), ...disks.read(now), ...network.read(now) };
      const others = { ...memoryMetrics(proc), ...spaceMetrics(spaces), ...temperature.read() };
      return { metrics: { ...rates, ...others }, unresponsiveMounts };
    },
    processes: async () => processes.read(readUptime(proc)),
    connections: async () => connections.read(),
    applications: async () => whole(await applicationsOnLinux(proc)),
  };
}

const whole = <Item>(items: Item[]): Snapshot<Item> => ({ total: items.length, items });
