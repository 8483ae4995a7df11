import { packBegin, RESOLUTION_DETAILS } from "../../../engine/results/precision.ts";
import type { Context } from "../../../platform/context.ts";
import type { Running } from "../../../platform/operations/operation.ts";
import { takeTurns } from "../../../platform/turns.ts";
import { type DevicePack, listPacksOfDevices } from "../../queries/device-packs.ts";
import { readPack } from "./packed-series.ts";

/** Also the first part of their names. */
export const METRIC_TYPES = ["cpu", "memory", "disk", "network"] as const;
export type MetricType = (typeof METRIC_TYPES)[number];

export const METRIC_UNITS = ["percent", "bytes", "bytes/s", "errors/s", "load", "celsius", "number"] as const;
type MetricUnit = (typeof METRIC_UNITS)[number];

/** By the last part of a name, which means the same for every core, disk and interface. */
const UNIT_OF: Readonly<Record<string, MetricUnit>> = {
  usage: "percent",
  inodes: "percent",
  busy: "percent",
  used: "bytes",
  available: "bytes",
  total: "bytes",
  read: "bytes/s",
  write: "bytes/s",
  rx: "bytes/s",
  tx: "bytes/s",
  errors: "errors/s",
  load1: "load",
  load5: "load",
  load15: "load",
  temperature: "celsius",
};

/** Last parts of names; all but degrees are never negative. */
export const MEASURED_FROM_ZERO: readonly string[] = Object.keys(UNIT_OF).filter(
  (part) => UNIT_OF[part] !== "celsius",
);

/** `number` for names of newer agents. */
export const unitOf = (name: string): MetricUnit =>
  UNIT_OF[name.slice(name.lastIndexOf(".") + 1)] ?? "number";

export const typeOf = (name: string): MetricType =>
  METRIC_TYPES.find((type) => name.startsWith(`${type}.`)) ?? "cpu";

/** Percent; null: not reported. */
export interface DeviceUsage {
  cpuMean: number | null;
  cpuMax: number | null;
  memoryMean: number | null;
  memoryMax: number | null;
  /** Of the fullest disk. */
  diskMax: number | null;
}

export const NO_USAGE: DeviceUsage = {
  cpuMean: null,
  cpuMax: null,
  memoryMean: null,
  memoryMax: null,
  diskMax: null,
};

const RESOLUTION = "1h";
const HOUR_MS = 3_600_000;
/** A second or two of work, in turns. */
const MAX_DEVICE_DAYS = 40_000;
const PACKS_A_QUERY = 200;

const isUsage = (name: string) =>
  name === "cpu.usage" || name === "memory.usage" || /^disk\..*\.usage$/.test(name);

/** In the full hours between two times (milliseconds), by device number; null: too much to read. */
export async function usageOfDevices(
  ctx: Pick<Running, "db"> & Pick<Context, "log">,
  monitorIds: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<Map<number, DeviceUsage> | null> {
  const { packMs } = RESOLUTION_DETAILS[RESOLUTION];
  const begins: number[] = [];
  for (let at = packBegin(RESOLUTION, from); at < to; at += packMs) begins.push(at);
  if (begins.length * monitorIds.length > MAX_DEVICE_DAYS) return null;
  const sums = new Map(monitorIds.map((id) => [id, makeSums()]));
  const giveWay = takeTurns();
  const atOnce = Math.max(1, Math.floor(PACKS_A_QUERY / begins.length));
  for (let first = 0; first < monitorIds.length; first += atOnce) {
    const some = monitorIds.slice(first, first + atOnce);
    const packs = await listPacksOfDevices(ctx.db, { monitorIds: some, resolution: RESOLUTION, begins });
    for (const pack of packs) {
      addPack(sums.get(pack.monitorId) as Sums, readUsage(ctx, pack), { from, to });
      await giveWay();
    }
  }
  return new Map([...sums].map(([id, own]) => [id, usageOf(own)]));
}

const readUsage = (ctx: Pick<Context, "log">, pack: DevicePack) => readPack(ctx, pack, isUsage);

interface Sum {
  sum: number;
  count: number;
  max: number | null;
}
type Sums = Record<"cpu" | "memory" | "disk", Sum>;

const makeSums = (): Sums => ({
  cpu: { sum: 0, count: 0, max: null },
  memory: { sum: 0, count: 0, max: null },
  disk: { sum: 0, count: 0, max: null },
});

function addPack(
  sums: Sums,
  series: ReturnType<typeof readPack>,
  { from, to }: { from: number; to: number },
): void {
  if (!series) return;
  for (const [name, [means = [], , most = means]] of series.columns) {
    const own = sums[name.slice(0, name.indexOf(".")) as keyof Sums];
    for (const [row, at] of series.times.entries()) {
      const [mean = null, max = null] = [means[row], most[row]];
      if (mean === null || at < from - (from % HOUR_MS) || at >= to) continue;
      own.sum += mean;
      own.count += 1;
      own.max = Math.max(own.max ?? 0, max ?? mean);
    }
  }
}

const usageOf = ({ cpu, memory, disk }: Sums): DeviceUsage => ({
  ...{ cpuMean: meanOf(cpu), cpuMax: cpu.max },
  ...{ memoryMean: meanOf(memory), memoryMax: memory.max },
  diskMax: disk.max,
});

const meanOf = ({ sum, count }: Sum) => (count === 0 ? null : sum / count);
