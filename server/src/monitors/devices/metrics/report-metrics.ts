import { deflateRawSync, inflateRawSync } from "node:zlib";

/** By name. */
export type ReportMetrics = Readonly<Record<string, number>>;

/**
 * A report's metrics in few bytes, until they are packed with those of its hour. It is read without anything beside it.
 *
 *     version (1 byte) · length of the names (4, little endian) · names (JSON, deflated) · numbers
 *
 * A number is its sign, its steps (precision.ts) and its size: 4 bits of it in the first byte, 7 in each further one.
 */
const VERSION = 1;
const HEADER_BYTES = 5;
const MOST_BYTES = 8;
const [STEP_BITS, SIGN_BIT, FIRST_BITS, MORE_BITS] = [2, 4, 4, 7] as const;
const MORE = 128;

/** `deflate`: of the names, as a cache may have them. */
export function packReport(
  metrics: ReportMetrics,
  deflate: (names: string) => Uint8Array = deflateNames,
): Uint8Array {
  const names = deflate(JSON.stringify(Object.keys(metrics)));
  const values = Object.values(metrics);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + names.length + values.length * MOST_BYTES);
  bytes[0] = VERSION;
  bytes.writeUInt32LE(names.length, 1);
  bytes.set(names, HEADER_BYTES);
  let at = HEADER_BYTES + names.length;
  for (const value of values) at = putValue(bytes, at, value);
  return Uint8Array.prototype.slice.call(bytes, 0, at);
}

export const deflateNames = (names: string): Uint8Array => deflateRawSync(names);

function putValue(bytes: Uint8Array, begin: number, value: number): number {
  const step = stepFor(Math.abs(value));
  const steps = inSteps(value, step);
  let size = Math.abs(steps);
  let at = begin;
  let byte = step | (steps < 0 ? SIGN_BIT : 0) | ((size % 2 ** FIRST_BITS) << (STEP_BITS + 1));
  size = Math.floor(size / 2 ** FIRST_BITS);
  while (size > 0) {
    bytes[at++] = byte | MORE;
    byte = size % 2 ** MORE_BITS;
    size = Math.floor(size / 2 ** MORE_BITS);
  }
  bytes[at++] = byte;
  return at;
}

/** Most reports repeat the names of the one before, which are then not parsed again. */
export function reportReader(): (bytes: Uint8Array) => { names: readonly string[]; values: number[] } {
  let known: { packed: Buffer; names: readonly string[] } | undefined;
  return (bytes) => {
    if (bytes[0] !== VERSION) throw new RangeError(`a report has format ${bytes[0]}, not ${VERSION}`);
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const valuesAt = HEADER_BYTES + all.readUInt32LE(1);
    const packed = all.subarray(HEADER_BYTES, valuesAt);
    if (!known?.packed.equals(packed)) known = { packed, names: inflateNames(packed) };
    return { names: known.names, values: takeValues(bytes, valuesAt, known.names.length) };
  };
}

function inflateNames(packed: Buffer): readonly string[] {
  try {
    return JSON.parse(inflateRawSync(packed).toString()) as string[];
  } catch (error) {
    throw new RangeError("the names of a report cannot be read", { cause: error });
  }
}

function takeValues(bytes: Uint8Array, begin: number, count: number): number[] {
  const values = new Array<number>(count);
  let at = begin;
  for (let i = 0; i < count; i += 1) {
    let byte = bytes[at++] as number;
    const [step, isNegative] = [byte & 3, (byte & SIGN_BIT) !== 0];
    let size = (byte & (MORE - 1)) >>> (STEP_BITS + 1);
    for (let weight = 2 ** FIRST_BITS; byte >= MORE; weight *= 2 ** MORE_BITS) {
      byte = bytes[at++] as number;
      size += (byte & (MORE - 1)) * weight;
    }
    values[i] = fromSteps(isNegative ? -size : size, step);
  }
  if (at !== bytes.length) throw new RangeError("a report does not end where its numbers do");
  return values;
}

/** Differences of two are still safe integers. */
const MOST_STEPS = 2 ** 51;

/** By size: hundredths, as agents send them, only where they matter. */
const STEPS = [
  { per: 100, of: 1, upTo: 100_000 },
  { per: 1, of: 1, upTo: MOST_STEPS },
  { per: 1, of: 1_000, upTo: Infinity },
] as const;

/** For all numbers of a column of that size. */
export const stepFor = (size: number): number => STEPS.findIndex(({ upTo }) => size <= upTo);

/** Clamped to the largest. */
export function inSteps(value: number, step: number): number {
  const { per, of } = STEPS[step] as (typeof STEPS)[number];
  // Without -0, which readers could not distinguish from 0.
  return Math.max(-MOST_STEPS, Math.min(MOST_STEPS, Math.round((value * per) / of))) || 0;
}

/** Throws a RangeError for an unknown step. */
export function fromSteps(steps: number, step: number): number {
  const known = STEPS[step];
  if (!known) throw new RangeError(`there is no step ${step}`);
  return (steps * known.of) / known.per;
}

/** Rounded as stored. */
export function asStored(value: number): number {
  const step = stepFor(Math.abs(value));
  return fromSteps(inSteps(value, step), step);
}
