import type { GiveWay } from "../../turns.ts";
import { figureReader } from "./figures.ts";
import { asStored } from "./precision.ts";
import { bucketBegin, type Resolution } from "./resolutions.ts";

/** One figure of each time; null where it was not measured. */
export type Column = readonly (number | null)[];

/** What a device measured, oldest first. By name a column each of what is kept: as reported one, rolled up mean, least and most. */
export interface Series {
  times: readonly number[];
  columns: ReadonlyMap<string, readonly Column[]>;
}

/** Names that are asked for. */
export type IsWanted = (name: string) => boolean;

/** Of no time at all. */
export const NOTHING: Series = { times: [], columns: new Map() };

/** What reports say together; they come in order. Throws a RangeError on one that cannot be read. */
export async function seriesOf(
  reports: readonly { at: number; figures: Uint8Array }[],
  giveWay: GiveWay,
  isWanted: IsWanted = () => true,
): Promise<Series> {
  const read = figureReader();
  const columns = new Map<string, (number | null)[]>();
  for (const [row, { figures }] of reports.entries()) {
    const { names, values } = read(figures);
    for (const [i, name] of names.entries()) {
      let column = columns.get(name);
      if (!column && !isWanted(name)) continue;
      if (!column) columns.set(name, (column = new Array<number | null>(reports.length).fill(null)));
      column[row] = values[i] as number;
    }
    await giveWay();
  }
  const single = [...columns].map(([name, column]) => [name, [column]] as const);
  return { times: reports.map(({ at }) => at), columns: new Map(single) };
}

/** Both together; where they have the same time the first is kept. */
export function joinSeries(first: Series, second: Series): Series {
  if (second.times.length === 0) return first;
  if (first.times.length === 0) return second;
  const known = new Set(first.times);
  const rows = [
    ...first.times.map((at, row) => ({ at, row, of: 0 })),
    ...second.times.flatMap((at, row) => (known.has(at) ? [] : [{ at, row, of: 1 }])),
  ].sort((a, b) => a.at - b.at);
  const columns = new Map<string, Column[]>();
  for (const name of new Set([...first.columns.keys(), ...second.columns.keys()])) {
    const [one, other] = [first.columns.get(name), second.columns.get(name)];
    const width = (one ?? other)?.length ?? 0;
    const joined = Array.from({ length: width }, (_, i) =>
      rows.map(({ row, of }) => (of === 0 ? one : other)?.[i]?.[row] ?? null),
    );
    columns.set(name, joined);
  }
  return { times: rows.map(({ at }) => at), columns };
}

/** What is left of the times for which `isKept`; of names that have nothing left, nothing. */
export function filterSeries({ times, columns }: Series, isKept: (at: number) => boolean): Series {
  const rows = times.flatMap((at, row) => (isKept(at) ? [row] : []));
  if (rows.length === times.length) return { times, columns };
  if (rows.length === 0) return NOTHING;
  const kept = [...columns]
    .map(([name, own]) => [name, own.map((column) => rows.map((row) => column[row] ?? null))] as const)
    .filter(([, own]) => own[0]?.some((value) => value !== null));
  return { times: rows.map((row) => times[row] as number), columns: new Map(kept) };
}

/** Mean, least and most of each stretch of time in which something was measured, of a device's series as reported. */
export async function rollUp(
  { times, columns }: Series,
  resolution: Resolution,
  giveWay: GiveWay,
): Promise<Series> {
  const buckets: number[] = [];
  const rows = times.map((time) => {
    const at = bucketBegin(resolution, time);
    if (at !== buckets.at(-1)) buckets.push(at);
    return buckets.length - 1;
  });
  const rolled = new Map<string, Column[]>();
  for (const [name, [column = []]] of columns) {
    rolled.set(name, rollUpColumn(column, rows, buckets.length));
    await giveWay();
  }
  return { times: buckets, columns: rolled };
}

function rollUpColumn(column: Column, bucketOf: readonly number[], buckets: number): Column[] {
  const counts = new Array<number>(buckets).fill(0);
  const sums = new Array<number>(buckets).fill(0);
  const least = new Array<number | null>(buckets).fill(null);
  const most = new Array<number | null>(buckets).fill(null);
  for (const [row, value] of column.entries()) {
    if (value === null) continue;
    const bucket = bucketOf[row] as number;
    counts[bucket] = (counts[bucket] as number) + 1;
    sums[bucket] = (sums[bucket] as number) + value;
    least[bucket] = Math.min(least[bucket] ?? value, value);
    most[bucket] = Math.max(most[bucket] ?? value, value);
  }
  const means = counts.map((count, i) => (count === 0 ? null : asStored((sums[i] as number) / count)));
  return [means, least, most];
}
