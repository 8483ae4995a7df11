/** What kinds of picture may be served as an icon, by the first bytes of each. */
const SIGNATURES: { contentType: string; matches: (bytes: Buffer) => boolean }[] = [
  {
    contentType: "image/png",
    matches: (b) => b.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")),
  },
  { contentType: "image/x-icon", matches: (b) => b.subarray(0, 4).equals(Buffer.from("00000100", "hex")) },
  { contentType: "image/gif", matches: (b) => b.subarray(0, 4).toString("latin1") === "GIF8" },
  { contentType: "image/jpeg", matches: (b) => b.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex")) },
  {
    contentType: "image/webp",
    matches: (b) =>
      b.subarray(0, 4).toString("latin1") === "RIFF" && b.subarray(8, 12).toString("latin1") === "WEBP",
  },
  { contentType: "image/svg+xml", matches: isSvg },
];

/** What may stand before an SVG's root element, and how each ends. */
const PROLOGUE = [
  ["<?", "?>"],
  ["<!--", "-->"],
  ["<!doctype", ">"],
] as const;
const HEAD_BYTES = 1024;

/**
 * Whether the root element is `svg`. Checked step by step instead of with one regular expression: the bytes are a
 * stranger's, and an expression that can match a run of comments in many ways never ends on some of them.
 */
function isSvg(bytes: Buffer): boolean {
  let rest = bytes
    .toString("utf8", 0, HEAD_BYTES)
    .replace(/^\uFEFF/, "")
    .toLowerCase()
    .trimStart();
  for (;;) {
    const before = rest;
    const piece = PROLOGUE.find(([start]) => before.startsWith(start));
    if (!piece) return /^<svg[\s>]/.test(rest);
    const [start, end] = piece;
    const endAt = rest.indexOf(end, start.length);
    if (endAt === -1) return false;
    rest = rest.slice(endAt + end.length).trimStart();
  }
}

/** The picture's type by its own bytes (a server's Content-Type is not believed), or null. */
export function pictureType(bytes: Buffer): string | null {
  return SIGNATURES.find(({ matches }) => matches(bytes))?.contentType ?? null;
}
