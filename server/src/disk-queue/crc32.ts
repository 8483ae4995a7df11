import zlib from "node:zlib";

/** The table of the polynomial 0xEDB88320, for 256 values of a byte. */
const table = () =>
  Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });

/** CRC-32 as gzip has it (RFC 1952), going on from `sum`. Node before 20.15, on which the agent runs, has none of its own. */
export const crc32: (bytes: Uint8Array, sum?: number) => number = zlib.crc32 ?? ownCrc32(table());

function ownCrc32(values: Int32Array) {
  return (bytes: Uint8Array, sum = 0): number => {
    let value = ~sum;
    for (const byte of bytes) value = (value >>> 8) ^ (values[(value ^ byte) & 0xff] as number);
    return ~value >>> 0;
  };
}
