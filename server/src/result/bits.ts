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

/** Bits of `bytes`, from the first on. Reading beyond the end gives zeros; `overrun` tells. */
export interface BitReader {
  bytes: Uint8Array;
  /** The next bit's number. */
  at: number;
  /** Bits there are. */
  end: number;
}

/** Reads a copy with some zeros behind it: looking beyond the end of an array would be slow. */
export function readBits(bytes: Uint8Array): BitReader {
  const copy = new Uint8Array(bytes.length + 8);
  copy.set(bytes);
  return { bytes: copy, at: 0, end: bytes.length * 8 };
}

/** Bits that `peekBits` shows for certain. */
export const PEEKED_BITS = 25;

/** The next bits at the top of a 32-bit integer, without going on. */
export function peekBits({ bytes, at }: BitReader): number {
  const byte = at >>> 3;
  const word =
    ((bytes[byte] as number) << 24) |
    ((bytes[byte + 1] as number) << 16) |
    ((bytes[byte + 2] as number) << 8) |
    (bytes[byte + 3] as number);
  return word << (at & 7);
}

/** The next `count` (0…24) bits as an unsigned number. */
export function takeBits(reader: BitReader, count: number): number {
  if (count === 0) return 0;
  const value = peekBits(reader) >>> (32 - count);
  reader.at += count;
  return value;
}

/** Whether more was read than there is. */
export const overrun = (reader: BitReader): boolean => reader.at > reader.end;
