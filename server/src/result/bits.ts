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
 * Bits, from the first on. A little beyond the end there are zeros, and further on reading throws a
 * RangeError; `overrun` tells.
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
export const PEEKED_BITS = 25;

/** The bits from number `at` on, at the top of a 32-bit integer. */
export const wordAt = ({ view }: BitReader, at: number): number => view.getUint32(at >>> 3) << (at & 7);

/** The next `count` (0…24) bits as an unsigned number. */
export function takeBits(reader: BitReader, count: number): number {
  if (count === 0) return 0;
  const value = wordAt(reader, reader.at) >>> (32 - count);
  reader.at += count;
  return value;
}

/** Whether more was read than there is. */
export const overrun = (reader: BitReader): boolean => reader.at > reader.end;
