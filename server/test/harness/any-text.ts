import fc from "fast-check";

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/** Any character but halves of one. fast-check's own `binary` takes a second and 100 MB, to list them all. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((n) => String.fromCodePoint(n < SURROGATES_FROM ? n : n + SURROGATES));

/** Text of any characters, at most `maxLength` of them. */
export const anyText = (maxLength?: number) => fc.string({ unit: anyCharacter, maxLength });
