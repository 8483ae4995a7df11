import { crc32 } from "node:zlib";
import { type BitReader, overrun, readBits, writeBits } from "./bits.ts";
import { putIntegers, putNumber, takeIntegers, takeNumber } from "./pack-numbers.ts";
import { type PhaseColumns, putPhases, takePhases } from "./pack-phases.ts";
import { packShapes, type Shape, shapesOf, unpackShapes } from "./pack-shapes.ts";
import type { StoredResult } from "./stored-result.ts";

/**
 * One hour of a monitor's results at one location in few bytes (format and measurements: ADR 0011):
 *
 *     version (1 byte) · CRC-32 (4) · length of the texts (4), little endian · texts · columns (bits)
 *
 * Columns, one after another: the number of results; the times' distances; which shape each result
 * has (what results have in common, see pack-shapes.ts), then each phase. The checksum covers all
 * else, and the monitor, the location and the hour. Older versions are still read: 1 knew no transfer, and up to 2 a
 * reason was a sentence.
 */
const VERSION = 3;
const HEADER_BYTES = 9;
export const HOUR_MS = 3_600_000;

/** Whose results, and of which hour. */
export interface PackKey {
  monitorId: number;
  locationId: number;
  /** Start of the hour (UTC), milliseconds. */
  hourAt: number;
}

/** The bytes of a pack are not what was written. The message is for the operator. */
export class DamagedPackError extends Error {
  readonly key: PackKey;
  constructor(key: PackKey, what: string) {
    const hour = new Date(key.hourAt).toISOString();
    super(
      `The packed results of monitor ${key.monitorId}, location ${key.locationId}, hour ${hour} cannot be read: ${what}.`,
    );
    this.name = "DamagedPackError";
    this.key = key;
  }
}

/** The hour that a result belongs to. */
export const hourOf = (scheduledAt: number): number => Math.floor(scheduledAt / HOUR_MS) * HOUR_MS;

/**
 * Packs results of one key, in any order; of several with the same time the first is kept. What comes
 * back is exactly what went in, whatever the values. Throws a RangeError on results of another key and
 * on numbers that are no safe integers.
 */
export function packResults(key: PackKey, results: readonly StoredResult[]): Uint8Array {
  for (const result of results) requireKey(key, result);
  const sorted = inOrder(results);
  const writer = writeBits();
  putNumber(writer, sorted.length);
  const times = sorted.map(({ scheduledAt }) => scheduledAt);
  putIntegers(writer, times.map((time, i) => time - (times[i - 1] ?? key.hourAt)).slice(0, 1));
  putIntegers(
    writer,
    times.slice(1).map((time, i) => time - (times[i] as number)),
  );
  const { shapes, indexes } = shapesOf(sorted);
  const texts = packShapes(writer, shapes, VERSION);
  putIntegers(writer, indexes);
  putPhases(writer, sorted);
  return seal(key, texts, writer.finish());
}

function requireKey(key: PackKey, { monitorId, locationId, scheduledAt }: StoredResult): void {
  if (monitorId === key.monitorId && locationId === key.locationId && hourOf(scheduledAt) === key.hourAt)
    return;
  throw new RangeError(
    `A result of monitor ${monitorId}, location ${locationId}, time ${scheduledAt} is not of the hour to be packed.`,
  );
}

/** By time, each time once. */
function inOrder(results: readonly StoredResult[]): StoredResult[] {
  const sorted = results.toSorted((a, b) => a.scheduledAt - b.scheduledAt);
  return sorted.filter((result, i) => result.scheduledAt !== sorted[i - 1]?.scheduledAt);
}

/** All results of a pack, oldest first unless told otherwise. Throws a DamagedPackError. */
export function unpackResults(
  key: PackKey,
  bytes: Uint8Array,
  order: "asc" | "desc" = "asc",
): StoredResult[] {
  return reading(key, bytes, (reader, texts, format) => {
    const times = takeTimes(reader, key.hourAt);
    const shapes = unpackShapes(reader, texts, format);
    const indexes = takeIntegers(reader, times.length);
    const own = indexes.map((index) => {
      const shape = shapes[index];
      if (!shape) throw new RangeError("a result has a shape that is not there");
      return shape;
    });
    return join(key, times, own, takePhases(reader, own, format), order);
  });
}

/** The times of a pack's results, oldest first: reads no more than those. Throws a DamagedPackError. */
export function unpackTimes(key: PackKey, bytes: Uint8Array): number[] {
  return reading(key, bytes, (reader) => takeTimes(reader, key.hourAt));
}

function takeTimes(reader: BitReader, hourAt: number): number[] {
  const count = takeNumber(reader);
  // A time takes no more than some milliseconds' distance from another: more are no pack's.
  if (count > HOUR_MS) throw new RangeError("there are more results than milliseconds");
  const times = new Array<number>(count);
  if (count === 0) return times;
  times[0] = hourAt + (takeIntegers(reader, 1)[0] as number);
  const distances = takeIntegers(reader, count - 1);
  for (let i = 1; i < count; i += 1) times[i] = (times[i - 1] as number) + (distances[i - 1] as number);
  return times;
}

/** The one place where results are put together again: a plain loop, as there are thousands a day. */
function join(
  { monitorId, locationId }: PackKey,
  times: readonly number[],
  shapes: readonly Shape[],
  phases: PhaseColumns,
  order: "asc" | "desc",
): StoredResult[] {
  const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs, totalUs } = phases;
  const results = new Array<StoredResult>(times.length);
  const last = times.length - 1;
  for (let i = 0; i < times.length; i += 1) {
    const shape = shapes[i] as Shape;
    const there = shape.phases;
    results[order === "asc" ? i : last - i] = {
      monitorId,
      locationId,
      scheduledAt: times[i] as number,
      outcome: shape.outcome,
      statusCode: shape.statusCode,
      dnsUs: (there & 1) === 0 ? null : (dnsUs[i] as number),
      connectUs: (there & 2) === 0 ? null : (connectUs[i] as number),
      tlsUs: (there & 4) === 0 ? null : (tlsUs[i] as number),
      firstByteUs: (there & 8) === 0 ? null : (firstByteUs[i] as number),
      transferUs: (there & 32) === 0 ? null : (transferUs[i] as number),
      totalUs: (there & 16) === 0 ? null : (totalUs[i] as number),
      reason: shape.reason,
      message: shape.message,
      maintenance: shape.maintenance,
    };
  }
  return results;
}

function seal(key: PackKey, texts: Uint8Array, columns: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + texts.length + columns.length);
  bytes[0] = VERSION;
  const view = new DataView(bytes.buffer);
  view.setUint32(5, texts.length, true);
  bytes.set(texts, HEADER_BYTES);
  bytes.set(columns, HEADER_BYTES + texts.length);
  view.setUint32(1, checksum(key, bytes), true);
  return bytes;
}

/** Of everything but itself, so that a pack under another's key is found out too. */
function checksum({ monitorId, locationId, hourAt }: PackKey, bytes: Uint8Array): number {
  const head = `${monitorId} ${locationId} ${hourAt} ${bytes[0]} `;
  return crc32(bytes.subarray(5), crc32(head));
}

function reading<T>(
  key: PackKey,
  bytes: Uint8Array,
  read: (reader: BitReader, texts: Uint8Array, format: number) => T,
): T {
  if (bytes.length < HEADER_BYTES) throw new DamagedPackError(key, `it has only ${bytes.length} bytes`);
  if ((bytes[0] as number) > VERSION) {
    throw new DamagedPackError(
      key,
      `it has format ${bytes[0]}, and this version knows formats up to ${VERSION}`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(1, true) !== checksum(key, bytes)) {
    throw new DamagedPackError(
      key,
      "its checksum does not match, so its bytes have changed since they were written",
    );
  }
  const columnsAt = HEADER_BYTES + view.getUint32(5, true);
  const reader = readBits(bytes.subarray(columnsAt));
  try {
    const value = read(reader, bytes.subarray(HEADER_BYTES, columnsAt), bytes[0] as number);
    if (overrun(reader)) throw new RangeError("it ends early");
    return value;
  } catch (error) {
    throw new DamagedPackError(key, error instanceof Error ? error.message : String(error));
  }
}
