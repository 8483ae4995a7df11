/**
 * The longest pattern with a linear search: of longer ones V8's Boyer-Moore uses the last 250 characters, and
 * `aaa…baaa…` in a megabyte of `a` took it a third of a second.
 */
const NATIVE_LONGEST = 250;

/** Whether the text contains another, in time that grows with their lengths, whatever is in them. */
export const containsText = (text: string, wanted: string): boolean => indexOfText(text, wanted) >= 0;

/** Where the text first contains another, from a place on; -1: nowhere. */
export const indexOfText = (text: string, wanted: string, from = 0): number =>
  wanted.length <= NATIVE_LONGEST ? text.indexOf(wanted, from) : indexOfLong(text, wanted, from);

/** Knuth, Morris, Pratt: never goes back in the text. */
function indexOfLong(text: string, wanted: string, from: number): number {
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === code) matched++;
    if (matched === wanted.length) return at + 1 - wanted.length;
  }
  return -1;
}

/** For each prefix of a pattern: the length of its longest proper suffix that is also a prefix. */
export function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length; at++) {
    const code = wanted.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === code) matched++;
    borders[at] = matched;
  }
  return borders;
}

const CHARSET = /(?:^|[;\s])charset[ \t]*=[\s"']*([A-Za-z0-9_:.-]+)/i;
const BOMS: [string, string][] = [
  ["efbbbf", "utf-8"],
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
];
/** `<?x` in UTF-16 without a byte order mark. */
const UTF_16_XML: [string, string][] = [
  ["3c003f007800", "utf-16le"],
  ["003c003f0078", "utf-16be"],
];
/**
 * How far a page's own charset is looked for. HTML wants at least 1 KiB, browsers take all of the head;
 * evidence keeps no more than this.
 */
const PRESCAN_BYTES = 4096;
const DEFAULT_CHARSET = "utf-8";
/** What browsers take undeclared text for that is not in UTF-8, as most of it is. */
const LEGACY_CHARSET = "windows-1252";

/**
 * By byte order mark, Content-Type, the page itself (`<meta charset>`, `http-equiv`, `<?xml encoding?>`),
 * then UTF-8. Invalid bytes become U+FFFD; never throws.
 */
export function bodyText(body: Buffer, contentType: string | undefined): string {
  const start = body.toString("hex", 0, 6);
  const charsets = [
    BOMS.find(([bom]) => start.startsWith(bom))?.[1],
    CHARSET.exec(contentType ?? "")?.[1],
    isMarkup(body, contentType) ? declaredCharset(body) : null,
  ];
  for (const charset of charsets) {
    const text = charset ? decoded(body, charset) : null;
    if (text !== null) return text;
  }
  const text = new TextDecoder(DEFAULT_CHARSET).decode(body);
  const isLegacy = /^\s*text\//i.test(contentType ?? "") && hasOnlyBrokenCharacters(text);
  return isLegacy ? new TextDecoder(LEGACY_CHARSET).decode(body) : text;
}

/** Null for an unknown charset: such a declaration is ignored. */
function decoded(body: Buffer, charset: string): string | null {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return null;
  }
}

/** Whether no byte beyond ASCII makes sense in UTF-8: then the text is in something else, not damaged. */
const hasOnlyBrokenCharacters = (text: string): boolean =>
  text.includes("\ufffd") && !/[\u0080-\ufffc\ufffe-\uffff]/.test(text);

/** Whether a body may declare its charset itself: HTML and XML, and what has no type but begins like them. */
function isMarkup(body: Buffer, contentType: string | undefined): boolean {
  if (contentType !== undefined && contentType.trim() !== "") return /html|xml/i.test(contentType);
  return body.toString("latin1", 0, PRESCAN_BYTES).replaceAll("\0", "").trimStart().startsWith("<");
}

/** The charset that a page declares itself, within its first 4 KiB; null for none. */
export function declaredCharset(body: Buffer): string | null {
  const start = body.toString("hex", 0, 6);
  const wide = UTF_16_XML.find(([bytes]) => start.startsWith(bytes))?.[1];
  if (wide !== undefined) return wide;
  const text = body.toString("latin1", 0, PRESCAN_BYTES);
  const charset = xmlEncoding(text) ?? metaCharset(text);
  if (charset === null) return null;
  // A page that can be read byte by byte is not in UTF-16, whatever it says.
  if (charset.startsWith("utf-16")) return DEFAULT_CHARSET;
  return charset === "x-user-defined" ? LEGACY_CHARSET : charset;
}

function xmlEncoding(text: string): string | null {
  if (!text.startsWith("<?xml")) return null;
  const declaration = text.slice(0, text.indexOf("?>") + 1);
  return /\sencoding\s*=\s*["']([^"'\s]+)/.exec(declaration)?.[1]?.toLowerCase() ?? null;
}

/** By the HTML standard's prescan: comments, other tags and what they quote are passed over. */
function metaCharset(text: string): string | null {
  let at = text.indexOf("<");
  while (at >= 0) {
    const tag = TAG_START.exec(text.slice(at, at + MAX_TAG_NAME));
    let end: number;
    if (text.startsWith("<!--", at)) {
      end = text.indexOf("-->", at + 2);
    } else if (tag === null) {
      end = /[!/?]/.test(text[at + 1] ?? "") ? text.indexOf(">", at) : at;
    } else {
      const { attributes, end: closing } = readAttributes(text, at + tag[0].length);
      const charset = tag[1]?.toLowerCase() === "meta" ? charsetOfMeta(attributes) : null;
      if (charset !== null) return charset;
      end = closing;
    }
    at = end < 0 ? -1 : text.indexOf("<", end + 1);
  }
  return null;
}

const TAG_START = /^<(\/?[a-z][^\s/>]*)/i;
const MAX_TAG_NAME = 32;

function charsetOfMeta(attributes: ReadonlyMap<string, string>): string | null {
  const own = attributes.get("charset");
  if (own) return own.trim().toLowerCase();
  if (attributes.get("http-equiv")?.trim().toLowerCase() !== "content-type") return null;
  return CHARSET.exec(attributes.get("content") ?? "")?.[1]?.toLowerCase() ?? null;
}

const BEFORE_NAME = /[\s/]*/y;
const NAME = /[^\s/>=]*/y;
const EQUALS = /\s*=\s*/y;
const UNQUOTED = /[^\s>]*/y;

/** The attributes of a tag, the first of each name, and where it ends; -1 if it does not. */
function readAttributes(text: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  const read = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ""] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  for (;;) {
    read(BEFORE_NAME);
    if (at >= text.length) return { attributes, end: -1 };
    if (text[at] === ">") return { attributes, end: at };
    const name = text[at] === "=" ? (text[at++] as string) + read(NAME) : read(NAME);
    let value = "";
    if (read(EQUALS) !== "") {
      const quote = text[at];
      if (quote === '"' || quote === "'") {
        const end = text.indexOf(quote, at + 1);
        if (end < 0) return { attributes, end: -1 };
        value = text.slice(at + 1, end);
        at = end + 1;
      } else value = read(UNQUOTED);
    }
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, value);
  }
}
