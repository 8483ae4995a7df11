import type { Context } from "../../context.ts";
import { HOUR_MS, hourOf } from "../../result/pack.ts";
import type { Db } from "../../store/db.ts";
import { listPacksOfDevices, sampleReports } from "../../store/queries/device-packs.ts";
import { takeTurns } from "../../turns.ts";
import { figureReader } from "./figures.ts";
import { readPack } from "./read-pack.ts";
import { NOTHING } from "./series.ts";

const STEP_MS = 120_000;
const STEPS = HOUR_MS / STEP_MS;
const [CPU, MEMORY] = ["cpu.usage", "memory.usage"];
const isUsage = (name: string): boolean => name === CPU || name === MEMORY;

/** Percent at a time, milliseconds; null where nothing was measured. */
export interface UsagePoint {
  at: number;
  cpu: number | null;
  memory: number | null;
}

/**
 * How busy each of some devices was over the last hour, in 30 points, for the rows of a list: two queries however many they
 * are. A point is the last report of its two minutes, or the mean of a minute that is packed.
 */
export async function readRecentUsage(
  ctx: { db: Db } & Pick<Context, "clock" | "log">,
  deviceIds: readonly number[],
): Promise<Map<number, UsagePoint[]>> {
  const { db } = ctx;
  const last = ctx.clock.now() - (ctx.clock.now() % STEP_MS);
  const begins = Array.from({ length: STEPS }, (_, i) => last - (STEPS - 1 - i) * STEP_MS);
  const lines = new Map(
    deviceIds.map((id) => [id, begins.map((at): UsagePoint => ({ at, cpu: null, memory: null }))]),
  );
  const pointAt = (id: number, at: number) =>
    lines.get(id)?.[Math.floor((at - (begins[0] as number)) / STEP_MS)];
  const giveWay = takeTurns();
  const read = figureReader();
  const samples = await sampleReports(db, { monitorIds: deviceIds, begins, stepMs: STEP_MS });
  const hours = [...new Set(begins.map(hourOf))];
  const packs = await listPacksOfDevices(db, { monitorIds: deviceIds, resolution: "1m", begins: hours });
  for (const pack of packs) {
    const { times, columns } = readPack(ctx, pack, isUsage) ?? NOTHING;
    const [cpu, memory] = [columns.get(CPU)?.[0], columns.get(MEMORY)?.[0]];
    for (const [row, at] of times.entries()) {
      const point = pointAt(pack.monitorId, at);
      if (point) Object.assign(point, { cpu: cpu?.[row] ?? null, memory: memory?.[row] ?? null });
    }
    await giveWay();
  }
  for (const { monitorId, begin, figures } of samples) {
    const { names, values } = read(figures);
    const valueOf = (name: string) => values[names.indexOf(name)] ?? null;
    const point = pointAt(monitorId, begin);
    if (point) Object.assign(point, { cpu: valueOf(CPU), memory: valueOf(MEMORY) });
    await giveWay();
  }
  return lines;
}
