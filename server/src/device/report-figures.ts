import type { LatestFigures } from "../store/queries/devices.ts";
import type { Figures } from "./metrics/figures.ts";
import type { Sample } from "./rules.ts";

const DISK_USAGE = /^disk\.(\/.*|[A-Za-z]:.*)\.usage$/;

/** What health is judged by. `at`: milliseconds. */
export function sampleOf({
  at,
  figures,
  unresponsiveMounts: unresponsive,
}: {
  at: number;
  figures: Figures;
  unresponsiveMounts: readonly string[];
}): Sample {
  const { "cpu.usage": cpu, "memory.usage": memory } = figures;
  return {
    ...{ at, unresponsive, disks: disksOf(figures) },
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
}

/** What lists show. */
export function latestOf(figures: Figures): Omit<LatestFigures, "unresponsiveMounts"> {
  const disks = Object.values(disksOf(figures));
  return {
    cpu: figures["cpu.usage"] ?? null,
    memory: figures["memory.usage"] ?? null,
    disk: disks.length === 0 ? null : Math.max(...disks),
  };
}

/** How full each is, by its mount, percent. */
function disksOf(figures: Figures): Record<string, number> {
  const disks: Record<string, number> = {};
  for (const [name, value] of Object.entries(figures)) {
    const mount = DISK_USAGE.exec(name)?.[1];
    if (mount !== undefined) disks[mount] = value;
  }
  return disks;
}
