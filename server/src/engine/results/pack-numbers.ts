/**
 * Lists of integers in few bits. A list is stored in one of three ways, whichever is shortest:
 * one number for all; Golomb–Rice codes of the distances from the median (Rice, JPL 1979); or runs of
 * equal numbers, whose numbers and lengths are lists of the first two kinds.
 */
const ALL_EQUAL = 0;
const RICE = 1;
const RUNS = 2;
/** So many zeros, instead of that many and a one, announce a distance written out in full. */
const ESCAPE = 12;
const LARGEST_K = 24;
const K_BITS = 5;
const WIDTH_BITS = 6;
/** In place of a width: 54 bits follow, the sign and a number up to 2^53. */
const WIDEST = 53;

/** Distances 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …: small ones of either sign are small. */
const fold = (distance: number) => (distance >= 0 ? 2 * distance : -2 * distance - 1);
const unfold = (folded: number) => (folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2);

/** An integer of at least 0 and below 2^53: 6 bits say how many follow. */
export function putNumber(writer: BitWriter, value: number): void {
  const width = widthOf(value);
  writer.put(width, WIDTH_BITS);
  putWide(writer, value, width);
}

export function takeNumber(reader: BitReader): number {
  return takeWide(reader, takeBits(reader, WIDTH_BITS));
}

const widthOf = (value: number) =>
  value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 2 ** 32));

function putWide(writer: BitWriter, value: number, width: number): void {
  if (width > 48) writer.put(Math.floor(value / 2 ** 48), width - 48);
  if (width > 24) writer.put(Math.floor(value / 2 ** 24) % 2 ** 24, Math.min(24, width - 24));
  writer.put(value % 2 ** 24, Math.min(24, width));
}

function takeWide(reader: BitReader, width: number): number {
  let value = 0;
  for (let left = width; left > 0; ) {
    const count = left > 48 ? left - 48 : left > 24 ? left - 24 : left;
    value = value * 2 ** count + takeBits(reader, count);
    left -= count;
  }
  return value;
}

/** A folded number, or where folding would leave what a number holds exactly, the number itself. */
function putSigned(writer: BitWriter, value: number): void {
  const folded = fold(value);
  if (folded < 2 ** WIDEST) return putNumber(writer, folded);
  writer.put(WIDEST + 1, WIDTH_BITS);
  writer.put(value < 0 ? 1 : 0, 1);
  putWide(writer, Math.abs(value), WIDEST);
}

function takeSigned(reader: BitReader): number {
  const width = takeBits(reader, WIDTH_BITS);
  if (width <= WIDEST) return unfold(takeWide(reader, width));
  const sign = takeBits(reader, 1) === 1 ? -1 : 1;
  return sign * takeWide(reader, WIDEST);
}

const signedBits = (value: number) => {
  const folded = fold(value);
  return WIDTH_BITS + (folded < 2 ** WIDEST ? widthOf(folded) : 1 + WIDEST);
};

interface Plan {
  base: number;
  /** -1: all are equal to `base`. */
  k: number;
  bits: number;
}

/**
 * Writes integers (safe ones, of any sign); the reader must know how many there are. Throws a
 * RangeError on other numbers.
 */
export function putIntegers(writer: BitWriter, values: readonly number[]): void {
  if (values.length === 0) return;
  const wrong = values.find((value) => !Number.isSafeInteger(value));
  if (wrong !== undefined) throw new RangeError(`${wrong} is no whole number that can be packed.`);
  const plain = planPlain(values);
  const runs = plain.k < 0 ? null : findRuns(values, plain.bits);
  if (!runs) return putPlain(writer, values, plain);
  writer.put(RUNS, 2);
  putNumber(writer, runs.values.length);
  putPlain(writer, runs.values, planPlain(runs.values));
  putPlain(writer, runs.lengths, planPlain(runs.lengths));
}

/** Reads `count` integers. Throws a RangeError on bits that no writer has written. */
export function takeIntegers(reader: BitReader, count: number): number[] {
  if (count === 0) return [];
  const way = takeBits(reader, 2);
  if (way !== RUNS) return takePlain(reader, count, way);
  const runs = takeNumber(reader);
  if (runs > count) throw new RangeError("there are more runs than numbers");
  const values = takePlain(reader, runs, takeBits(reader, 2));
  const lengths = takePlain(reader, runs, takeBits(reader, 2));
  const all = new Array<number>(count);
  let at = 0;
  for (const [i, value] of values.entries()) {
    const end = at + (lengths[i] as number);
    all.fill(value, at, end);
    at = end;
  }
  if (at !== count) throw new RangeError("the runs are not as long as the list");
  return all;
}

function planPlain(values: readonly number[]): Plan {
  const base = median(values);
  const head = 2 + signedBits(base);
  if (values.every((value) => value === base)) return { base, k: -1, bits: head };
  // Half of the distances are below the median one: the best k is near its size.
  const size = widthOf(Math.min(2 ** WIDEST, median(values.map((value) => fold(value - base)))));
  let best: Plan = { base, k: 0, bits: Infinity };
  for (let k = Math.max(0, size - 3); k <= Math.min(LARGEST_K, size + 2); k += 1) {
    let bits = head + K_BITS;
    for (const value of values) bits += riceBits(value, base, k);
    if (bits < best.bits) best = { base, k, bits };
  }
  return best;
}

const median = (values: readonly number[]): number =>
  Float64Array.from(values).sort()[values.length >> 1] as number;

function riceBits(value: number, base: number, k: number): number {
  const quotient = Math.floor(fold(value - base) / 2 ** k);
  return quotient < ESCAPE ? quotient + 1 + k : ESCAPE + signedBits(value);
}

function putPlain(writer: BitWriter, values: readonly number[], { base, k }: Plan): void {
  writer.put(k < 0 ? ALL_EQUAL : RICE, 2);
  putSigned(writer, base);
  if (k < 0) return;
  writer.put(k, K_BITS);
  for (const value of values) {
    const folded = fold(value - base);
    const quotient = Math.floor(folded / 2 ** k);
    if (quotient < ESCAPE) {
      writer.put(1, quotient + 1);
      writer.put(folded % 2 ** k, k);
    } else {
      writer.put(0, ESCAPE);
      putSigned(writer, value);
    }
  }
}

function takePlain(reader: BitReader, count: number, way: number): number[] {
  const values = new Array<number>(count);
  const base = takeSigned(reader);
  if (way === ALL_EQUAL) return values.fill(base);
  if (way !== RICE) throw new RangeError("there is no such way to store numbers");
  takeRice(reader, values, base);
  if (overrun(reader)) throw new RangeError("the numbers end early");
  return values;
}

/** Most of what reading a pack is: the place in the bits is held in a variable, not in the reader. */
function takeRice(reader: BitReader, values: number[], base: number): void {
  const k = takeBits(reader, K_BITS);
  let { at } = reader;
  for (let i = 0; i < values.length; i += 1) {
    const word = wordAt(reader, at);
    const quotient = Math.clz32(word);
    if (quotient >= ESCAPE) {
      reader.at = at + ESCAPE;
      values[i] = takeSigned(reader);
      at = reader.at;
      continue;
    }
    at += quotient + 1;
    const rest = quotient + k < PEEKED_BITS ? word << (quotient + 1) : wordAt(reader, at);
    // In two steps, because k may be 0 and nothing can be shifted by 32.
    const folded = (quotient << k) | ((rest >>> 1) >>> (31 - k));
    at += k;
    values[i] = base + ((folded >>> 1) ^ -(folded & 1));
  }
  reader.at = at;
}

/** The values and lengths of runs of equal numbers; null when writing them would take `limit` bits or more. */
function findRuns(values: readonly number[], limit: number): { values: number[]; lengths: number[] } | null {
  const runs = { values: [] as number[], lengths: [] as number[] };
  let begun = 0;
  for (let i = 1; i <= values.length; i += 1) {
    if (i < values.length && values[i] === values[begun]) continue;
    runs.values.push(values[begun] as number);
    runs.lengths.push(i - begun);
    begun = i;
  }
  const count = runs.values.length;
  if (2 * count > values.length) return null;
  const bits = 2 + WIDTH_BITS + widthOf(count) + planPlain(runs.values).bits + planPlain(runs.lengths).bits;
  return bits < limit ? runs : null;
}

/** Bits, most significant first, in a growing array of bytes. */
export interface BitWriter {
  /** The low `count` (0…24) bits of `value`. */
  put(value: number, count: number): void;
  /** All bits so far; the last byte is filled up with zeros. */
  finish(): Uint8Array;
}

export function writeBits(): BitWriter {
  let bytes = new Uint8Array(1024);
  let length = 0;
  let held = 0;
  let heldBits = 0;
  const flush = () => {
    if (length === bytes.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(bytes);
      bytes = larger;
    }
    heldBits -= 8;
    bytes[length++] = (held >>> heldBits) & 255;
  };
  return {
    put(value, count) {
      // At most 7 bits are left over from before, so 31 fit.
      held = (held << count) | (value & ((1 << count) - 1));
      heldBits += count;
      while (heldBits >= 8) flush();
    },
    finish() {
      if (heldBits > 0) {
        held <<= 8 - heldBits;
        heldBits = 8;
        flush();
      }
      return bytes.subarray(0, length);
    },
  };
}

/**
 * Bits, from the first on. A little beyond the end there are zeros, and further on reading throws a RangeError; `overrun` says so.
 */
export interface BitReader {
  view: DataView;
  /** The next bit's number. */
  at: number;
  /** Bits there are. */
  end: number;
}

/** Reads a copy with some zeros behind it, so that four bytes can be looked at to the last. */
export function readBits(bytes: Uint8Array): BitReader {
  const copy = new Uint8Array(bytes.length + 8);
  copy.set(bytes);
  return { view: new DataView(copy.buffer), at: 0, end: bytes.length * 8 };
}

/** Bits that `wordAt` shows for certain. */
const PEEKED_BITS = 25;

/** The bits from number `at` on, at the top of a 32-bit integer. */
const wordAt = ({ view }: BitReader, at: number): number => view.getUint32(at >>> 3) << (at & 7);

/** The next `count` (0…24) bits as an unsigned number. */
export function takeBits(reader: BitReader, count: number): number {
  if (count === 0) return 0;
  const value = wordAt(reader, reader.at) >>> (32 - count);
  reader.at += count;
  return value;
}

/** Whether more was read than there is. */
export const overrun = (reader: BitReader): boolean => reader.at > reader.end;
