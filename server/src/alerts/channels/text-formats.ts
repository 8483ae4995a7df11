import type { NotificationType } from "../delivery-rules.ts";

/**
 * Messages contain untrusted text: a server's banner, the address of a redirect, the author of a deployment. This is how each
 * format escapes it. Formats that are missing here take plain text only.
 */

/** Invisible; programs make no mark, link or mention of the text around it. */
const BREAK = "\u200b";
/** Where links that programs find by themselves begin, mentions, emoji and characters by their names, and angle brackets. */
const LIVE = /@|<|&(?=#?\w+;)|:(?=\/\/)|:(?=[a-z+-][\w+-]*:)|\bwww\.|\](?=[([])/gi;

/** Where a mail program begins or goes on with an address: `https:`, `//host`, `www.host`, `host.example`, `me@host`. */
const JOINT = /([.:/@])(?=[^\s\u200b])/g;

/** A name in a mail to a person who does not know its owner: mail programs do not make a link of it, whatever it holds. */
export const unlinkedName = (name: string): string => name.replace(JOINT, `$1${BREAK}`);

/** Text in which nothing becomes a link, an image or a mention, though marks of emphasis may be read as such. */
export const unlinkedText = (text: string): string => text.replace(LIVE, `$&${BREAK}`);

/** Text as Markdown has it, which shows it as it is (CommonMark, Discord, Mattermost). */
export const inMarkdown = (text: string): string =>
  unlinkedText(text)
    // Without brackets there is no link or image, so parentheses and "!" stay readable.
    .replace(/[\\`*_[\]#<>~|]/g, "\\$&")
    .replace(/^(\s*)([-+])(?=\s)/gm, "$1\\$2")
    .replace(/^(\s*\d+)([.)])(?=\s)/gm, "$1\\$2");

/** A link that is ours, in Markdown; its label is shown as it is. */
export const markdownLink = ({ label, url }: { label: string; url: string }): string =>
  `[${inMarkdown(label)}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;

/** The end of a Markdown text: links, one per line, as many as fit into `limit`; then an action. */
export const markdownEnd = (
  links: readonly { label: string; url: string }[],
  action: string | null,
  limit: number,
): string =>
  [linesWithin(links.map(markdownLink), limit).join("\n"), action ?? ""]
    .flatMap((part) => (part === "" ? [] : `\n\n${part}`))
    .join("");

/** Text as Slack's mrkdwn has it: links and mentions begin with one of three characters, emphasis before a word. */
export const inMrkdwn = (text: string): string =>
  unlinkedText(text)
    .replaceAll("&", "&amp;")
    // Escaped it is no angle bracket, and needs no break.
    .replaceAll(`<${BREAK}`, "&lt;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/(?<![\p{L}\p{N}])[*_~`]/gu, `${BREAK}$&${BREAK}`);

/** The longest that is taken of it. */
const MAX_LENGTH = 255;

/**
 * A text or number in a JSON answer, by its path; null where there is none, or it is implausibly long: it may be stored, and
 * sent back.
 */
export function textAt(body: string, ...path: string[]): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).slice(0, MAX_LENGTH);
  return /\p{Cc}/u.test(text) || !text.isWellFormed() ? null : text;
}

/** What is shown where something was left out. */
const LEFT_OUT = "…";
/** A word that is longer than that is cut within. */
const LONGEST_WORD = 40;

/**
 * A text of at most that size: where it is longer, its beginning, cut after a word. `sizeOf`: how the other side counts,
 * UTF-16 units unless it says so; a longer beginning must never count less. Never half a character.
 */
export function cut(
  text: string,
  limit: number,
  sizeOf: (text: string) => number = ({ length }) => length,
): string {
  if (sizeOf(text) <= limit) return text;
  const fits = (units: number) => sizeOf(text.slice(0, units) + LEFT_OUT) <= limit;
  let fitting = 0;
  let tooMuch = text.length;
  while (tooMuch - fitting > 1) {
    const middle = (fitting + tooMuch) >>> 1;
    if (fits(middle)) fitting = middle;
    else tooMuch = middle;
  }
  return wholeWords(text, fitting) + LEFT_OUT;
}

/** As many of these lines, from the first on, as have room together. `sizeOf`: as for `cut`. */
export function linesWithin(
  lines: readonly string[],
  limit: number,
  sizeOf: (text: string) => number = ({ length }) => length,
): string[] {
  const fits = (_: string, at: number) => sizeOf(lines.slice(0, at + 1).join("\n")) <= limit;
  return lines.filter(fits);
}

/** For limits in bytes. */
export const utf8Bytes = (text: string): number => Buffer.byteLength(text, "utf8");

/** For limits in bytes of all of a JSON body. */
export const jsonBytes = (text: string): number => utf8Bytes(JSON.stringify(text));

/** The first so many units without what they have of a word or a character that goes on behind them. */
function wholeWords(text: string, units: number): string {
  const beginning = text.slice(0, units);
  const lastBreak = beginning.search(/\s\S*$/);
  const isWordEnd = /\s/.test(text.charAt(units));
  if (!isWordEnd && lastBreak > 0 && units - lastBreak <= LONGEST_WORD)
    return beginning.slice(0, lastBreak).trimEnd();
  const last = beginning.charCodeAt(units - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return (isHalf ? beginning.slice(0, -1) : beginning).trimEnd();
}

/** The colour beside a message, by how serious it is; RRGGBB. */
export const COLOURS: Readonly<Record<NotificationType, string>> = {
  error: "d92d20",
  warning: "dc6803",
  success: "079455",
  info: "1f5fd6",
};
