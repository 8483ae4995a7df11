import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { isStoredOutcome } from "../../checks/outcome.ts";
import { messageJson, parseMessage, readStoredMessage } from "../../platform/i18n/message.ts";
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
} from "./pack-numbers.ts";
import { type PhaseColumns, phaseBitsOf, phasesOf, putPhases, takePhases } from "./pack-phases.ts";
import type { StoredResult } from "./stored-result.ts";

/**
 * One hour of a monitor's results at one location in few bytes (format and measurements: ADR 0011):
 *
 *     version (1 byte) · CRC-32 (4) · length of the texts (4), little endian · texts · columns (bits)
 *
 * Columns, one after another: the number of results; the times' distances; which shape each result
 * has (what results have in common, see `Shape`), then each phase. The checksum covers all
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
 * Packs results of one key, in any order; of several with the same time the first wins. What comes back is exactly what went
 * in, whatever the values. Throws a RangeError on results of another key and on numbers that are no safe integers.
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

/** All results of a pack, oldest first by default. Throws a DamagedPackError. */
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

/**
 * What many results of an hour have in common: everything but times and durations. As a rule an hour
 * has one shape, so that all this takes a few bytes an hour; an outage adds one for each reason.
 */
interface Shape extends Pick<StoredResult, "outcome" | "statusCode" | "reason" | "message" | "maintenance"> {
  /** A bit for each phase that is there (pack-phases.ts). */
  phases: number;
}

/** The different shapes, and for each result which of them it has. */
function shapesOf(results: readonly StoredResult[]): { shapes: Shape[]; indexes: number[] } {
  const shapes: Shape[] = [];
  const known = new Map<string, number>();
  let lastKey = "";
  let last = -1;
  const indexes = results.map((result) => {
    const { outcome, statusCode, reason, message, maintenance } = result;
    const phases = phasesOf(result);
    // What was said comes last, as it may hold anything.
    const said = reason === null && message === null ? "" : JSON.stringify([reason, message]);
    const key = `${outcome} ${statusCode} ${maintenance} ${phases} ${said}`;
    if (key === lastKey) return last;
    let index = known.get(key);
    if (index === undefined) {
      index = shapes.push({ outcome, statusCode, reason, message, maintenance, phases }) - 1;
      known.set(key, index);
    }
    lastKey = key;
    last = index;
    return index;
  });
  return { shapes, indexes };
}

/** Writes the shapes and returns their texts, which are stored in front of the columns. */
function packShapes(writer: BitWriter, shapes: readonly Shape[], format: number): Uint8Array {
  const texts: string[] = [];
  const known = new Map<string, number>();
  // 0: none; otherwise one more than the text's place in the list.
  const place = (text: string | null) => {
    if (text === null) return 0;
    if (!known.has(text)) known.set(text, texts.push(text));
    return known.get(text) as number;
  };
  putNumber(writer, shapes.length);
  for (const shape of shapes) {
    if (!isStoredOutcome(shape.outcome)) throw new RangeError(`There is no outcome ${shape.outcome}.`);
    writer.put(shape.outcome, 2);
    writer.put(shape.maintenance, 1);
    writer.put(shape.phases, phaseBitsOf(format));
    writer.put(shape.statusCode === null ? 0 : 1, 1);
    if (shape.statusCode !== null) putIntegers(writer, [shape.statusCode]);
    putNumber(writer, place(messageJson(shape.reason)));
    putNumber(writer, place(messageJson(shape.message)));
  }
  return packTexts(texts);
}

function unpackShapes(reader: BitReader, texts: Uint8Array, format: number): Shape[] {
  const list = unpackTexts(texts);
  const text = (place: number) => {
    const found = place === 0 ? null : list[place - 1];
    if (found === undefined) throw new RangeError("a text is missing");
    return found;
  };
  const shapes: Shape[] = [];
  const count = takeNumber(reader);
  for (let i = 0; i < count && !overrun(reader); i += 1) {
    shapes.push({
      outcome: takeBits(reader, 2) as Shape["outcome"],
      maintenance: takeBits(reader, 1) as Shape["maintenance"],
      phases: takeBits(reader, phaseBitsOf(format)),
      statusCode: takeBits(reader, 1) === 1 ? (takeIntegers(reader, 1)[0] as number) : null,
      ...takeMessages(text(takeNumber(reader)), text(takeNumber(reader)), format),
    });
  }
  return shapes;
}

/** Before format 3 a reason was its class and a sentence. */
const takeMessages = (first: string | null, second: string | null, format: number) =>
  format < 3
    ? { reason: readStoredMessage(second, first), message: null }
    : { reason: parseMessage(first), message: parseMessage(second) };

/** JSON, because it brings back any text, halves of surrogate pairs included; none takes no byte. */
function packTexts(texts: readonly string[]): Uint8Array {
  return texts.length === 0 ? new Uint8Array() : deflateRawSync(JSON.stringify(texts));
}

function unpackTexts(bytes: Uint8Array): string[] {
  return bytes.length === 0 ? [] : (JSON.parse(inflateRawSync(bytes).toString()) as string[]);
}
