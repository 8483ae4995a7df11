/**
 * One class for everything that may precede the name: two in a row would split a run of spaces in every possible way.
 */
const CHARSET = /charset\s*=[\s"']*([A-Za-z0-9_:.-]+)/i;
const BOMS: [string, string][] = [
  ["efbbbf", "utf-8"],
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
];
/** How far into a page its own `<meta charset>` is looked for (HTML standard, prescan). */
const PRESCAN_BYTES = 1024;

/** The charset that a Content-Type, or a `meta` element's content, names; null for none. */
const charsetOf = (contentType: string | undefined): string | null =>
  CHARSET.exec(contentType ?? "")?.[1]?.toLowerCase() ?? null;

/** The charset that a page names itself, within its first kilobyte; null for none. */
export function metaCharset(body: Buffer): string | null {
  const start = body.toString("latin1", 0, PRESCAN_BYTES).replace(/<!--[^]*?-->/g, "");
  for (const [tag] of start.matchAll(/<meta\b[^>]*>/gi)) {
    const charset = charsetOf(tag);
    // A page that can be read byte by byte is not in UTF-16, whatever it says.
    if (charset !== null) return charset.startsWith("utf-16") ? "utf-8" : charset;
  }
  return null;
}

/**
 * A body as text: the byte order mark decides, then the Content-Type, then `fallback`, then UTF-8
 * (WHATWG Encoding). Bytes that make no sense become U+FFFD; never throws.
 */
export function bodyText(
  body: Buffer,
  contentType: string | undefined,
  fallback: string | null = null,
): string {
  const start = body.toString("hex", 0, 3);
  const marked = BOMS.find(([bom]) => start.startsWith(bom))?.[1];
  for (const charset of [marked, charsetOf(contentType), fallback]) {
    if (charset === null || charset === undefined) continue;
    try {
      return new TextDecoder(charset).decode(body);
    } catch {
      // A charset nobody knows says nothing.
    }
  }
  return new TextDecoder().decode(body);
}
