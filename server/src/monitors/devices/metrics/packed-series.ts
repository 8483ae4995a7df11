import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import {
  type BitReader,
  type BitWriter,
  overrun,
  putIntegers,
  putNumber,
  readBits,
  takeBits,
  takeIntegers,
  takeNumber,
  writeBits,
} from "../../../engine/results/pack-numbers.ts";
import { bucketBegin, type Resolution } from "../../../engine/results/precision.ts";
import type { Context } from "../../../platform/context.ts";
import type { GiveWay } from "../../../platform/turns.ts";
import type { DevicePack } from "../../queries/device-packs.ts";
import { asStored, fromSteps, inSteps, reportReader, stepFor } from "./report-metrics.ts";

/** Per time; null: not measured. */
type Column = readonly (number | null)[];

/** Oldest first. Columns by name: one as reported, mean, least and most when rolled up. */
export interface Series {
  times: readonly number[];
  columns: ReadonlyMap<string, readonly Column[]>;
}

export type IsWanted = (name: string) => boolean;

export const NOTHING: Series = { times: [], columns: new Map() };

/** In order. Throws a RangeError for an unreadable one. */
export async function seriesOf(
  reports: readonly { at: number; metrics: Uint8Array }[],
  giveWay: GiveWay,
  isWanted: IsWanted = () => true,
): Promise<Series> {
  const read = reportReader();
  const columns = new Map<string, (number | null)[]>();
  for (const [row, { metrics }] of reports.entries()) {
    const { names, values } = read(metrics);
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

/** For equal times the first wins. */
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

/** Names without values are left out. */
export function filterSeries({ times, columns }: Series, isIncluded: (at: number) => boolean): Series {
  const rows = times.flatMap((at, row) => (isIncluded(at) ? [row] : []));
  if (rows.length === times.length) return { times, columns };
  if (rows.length === 0) return NOTHING;
  const remaining = [...columns]
    .map(([name, own]) => [name, own.map((column) => rows.map((row) => column[row] ?? null))] as const)
    .filter(([, own]) => own[0]?.some((value) => value !== null));
  return { times: rows.map((row) => times[row] as number), columns: new Map(remaining) };
}

/** Mean, least and most of each period with values, from raw series. */
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

/**
 * What one device measured over a period in few bytes, of which a reader takes the names that it wants:
 *
 *     version (1 byte) · CRC-32 (4) · length of the head (4), little endian · head · times · columns by name
 *
 * The head is JSON, deflated: how many times there are, how many columns a name has, the names, and the bytes of
 * the times and of each name's columns.
 */
const VERSION = 1;
const HEADER_BYTES = 9;
const STEP_BITS = 2;
/** Most heads are smaller, and the default of 16 kB would be most of the work. */
const SMALL = { chunkSize: 4_096 };

interface Head {
  count: number;
  width: number;
  names: string[];
  sizes: number[];
}

/** All names have equally many columns. Throws a RangeError for times that are not whole numbers. */
export async function packSeries({ times, columns }: Series, giveWay: GiveWay): Promise<Uint8Array> {
  const parts = [packTimes(times)];
  let width = 0;
  for (const own of columns.values()) {
    width = own.length;
    const writer = writeBits();
    for (const column of own) putColumn(writer, column);
    parts.push(writer.finish());
    await giveWay();
  }
  const sizes = parts.map((part) => part.length);
  const head: Head = { count: times.length, width, names: [...columns.keys()], sizes };
  return seal(deflateRawSync(JSON.stringify(head)), parts);
}

function packTimes(times: readonly number[]): Uint8Array {
  const writer = writeBits();
  putIntegers(writer, times.slice(0, 1));
  putIntegers(
    writer,
    times.slice(1).map((time, i) => time - (times[i] as number)),
  );
  return writer.finish();
}

function putColumn(writer: BitWriter, column: Column): void {
  const values = column.filter((value) => value !== null);
  const isWhole = values.length === column.length;
  writer.put(isWhole ? 1 : 0, 1);
  if (!isWhole) {
    putIntegers(
      writer,
      column.map((value) => (value === null ? 0 : 1)),
    );
  }
  const step = stepFor(values.reduce((most, value) => Math.max(most, Math.abs(value)), 0));
  writer.put(step, STEP_BITS);
  putSteps(
    writer,
    values.map((value) => inSteps(value, step)),
  );
}

/** Slowly changing values, such as bytes on a disk, as differences, others as they are. */
function putSteps(writer: BitWriter, values: readonly number[]): void {
  const [first = 0, ...rest] = values;
  const distances = rest.map((value, i) => value - (values[i] as number));
  const isCreeping = total(distances) < total(rest.map((value) => value - first));
  writer.put(isCreeping ? 1 : 0, 1);
  if (isCreeping) putNumber(writer, first < 0 ? 1 : 0);
  if (isCreeping) putNumber(writer, Math.abs(first));
  putIntegers(writer, isCreeping ? distances : values);
}

const total = (distances: readonly number[]) => distances.reduce((sum, one) => sum + Math.abs(one), 0);

function seal(head: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  const lengths = Buffer.alloc(HEADER_BYTES);
  lengths[0] = VERSION;
  lengths.writeUInt32LE(head.length, 5);
  const bytes = Buffer.concat([lengths, head, ...parts]);
  bytes.writeUInt32LE(crc32(bytes.subarray(5)), 1);
  return bytes;
}

/** Only the wanted names. Throws a RangeError for invalid bytes. */
export function unpackSeries(bytes: Uint8Array, isWanted: (name: string) => boolean = () => true): Series {
  const { head, bodyAt } = open(bytes);
  const [timesSize = 0, ...sizes] = head.sizes;
  const times = takeTimes(readBits(bytes.subarray(bodyAt, bodyAt + timesSize)), head.count);
  const columns = new Map<string, readonly Column[]>();
  let at = bodyAt + timesSize;
  for (const [i, name] of head.names.entries()) {
    const end = at + (sizes[i] ?? 0);
    if (isWanted(name)) columns.set(name, takeColumns(bytes.subarray(at, end), head));
    at = end;
  }
  return { times, columns };
}

function open(bytes: Uint8Array): { head: Head; bodyAt: number } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (all.length < HEADER_BYTES) throw new RangeError(`metrics have only ${all.length} bytes`);
  if (all[0] !== VERSION) throw new RangeError(`metrics have format ${all[0]}, not ${VERSION}`);
  if (all.readUInt32LE(1) !== crc32(all.subarray(5)))
    throw new RangeError("the checksum of metrics does not match");
  const bodyAt = HEADER_BYTES + all.readUInt32LE(5);
  return {
    head: JSON.parse(inflateRawSync(all.subarray(HEADER_BYTES, bodyAt), SMALL).toString()) as Head,
    bodyAt,
  };
}

function takeTimes(reader: BitReader, count: number): number[] {
  const times = takeIntegers(reader, Math.min(count, 1));
  for (const distance of takeIntegers(reader, Math.max(count - 1, 0))) {
    times.push((times.at(-1) as number) + distance);
  }
  return times;
}

function takeColumns(bytes: Uint8Array, { count, width }: Head): Column[] {
  const reader = readBits(bytes);
  const columns = Array.from({ length: width }, () => takeColumn(reader, count));
  if (overrun(reader)) throw new RangeError("metrics end early");
  return columns;
}

function takeColumn(reader: BitReader, count: number): Column {
  const there = takeBits(reader, 1) === 1 ? null : takeIntegers(reader, count);
  const step = takeBits(reader, STEP_BITS);
  const values = takeSteps(reader, there ? there.filter((one) => one === 1).length : count);
  const numbers = values.map((value) => fromSteps(value, step));
  if (!there) return numbers;
  let at = 0;
  return there.map((one) => (one === 1 ? (numbers[at++] as number) : null));
}

function takeSteps(reader: BitReader, count: number): number[] {
  if (takeBits(reader, 1) === 0) return takeIntegers(reader, count);
  const sign = takeNumber(reader) === 1 ? -1 : 1;
  let sum = sign * takeNumber(reader);
  return [sum, ...takeIntegers(reader, count - 1).map((distance) => (sum += distance))];
}

/** Only the wanted names. Null: unreadable, which is logged, and treated as missing. */
export function readPack(
  { log }: Pick<Context, "log">,
  { series, ...pack }: DevicePack,
  isWanted?: IsWanted,
): Series | null {
  try {
    return unpackSeries(series, isWanted);
  } catch (err) {
    log.error({ err, ...pack }, "Metrics cannot be read and are left out");
    return null;
  }
}
