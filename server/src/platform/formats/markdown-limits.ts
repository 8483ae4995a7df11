/** Deeper nesting, more marks or more lines are taken for an attack: then the text is shown as it was written. */
export const MAX_DEPTH = 20;
const MAX_MARKS = { update: 1_000, document: 2_000 };
const MAX_LINES = { update: 500, document: 2_000 };
const MAX_ITEMS = 500;
/** Rows of a table are filled up to its widest: few characters can produce millions of cells. */
const MAX_CELLS = 20_000;
/** Bare addresses become links, as what is marked does. */
const MARK = /[*_`~[\]<>!\\&]|www\.|:\/\//gi;
/** The quotes and list items that a line begins with, or goes on in. */
const CONTAINERS = /^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))[ \t]*)+/gm;
const CONTAINER = />|[-+*.)]/g;
/** An item is indented by so much within another at least. */
const COLUMNS = /\t|  /g;

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/**
 * Whether the parser, quadratic for some texts, would take too long; such a text is shown as written.
 * `document`: a post-mortem or an answer, which may be longer than an update.
 */
export function isTooMuch(text: string, size: "update" | "document" = "update"): boolean {
  if (count(text, MARK) > MAX_MARKS[size]) return true;
  const lines = text.split(/\r\n?|\n/);
  return lines.length - 1 > MAX_LINES[size] || widest(lines) * lines.length > MAX_CELLS || nestsDeep(text);
}

const widest = (lines: readonly string[]): number =>
  lines.reduce((most, line) => Math.max(most, count(line, /\|/g)), 0);

/** Whether quotes and lists may be nested deeper than is shown, or there are very many. */
function nestsDeep(text: string): boolean {
  const starts = text.match(CONTAINERS) ?? [];
  const isDeep = starts.some((start) => count(start, CONTAINER) + count(start, COLUMNS) > MAX_DEPTH);
  return isDeep || count(starts.join(""), CONTAINER) > MAX_ITEMS;
}
