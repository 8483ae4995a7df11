/** Whoever nests deeper, marks more, or breaks more lines, means to break something: then the text is shown as it was written. */
export const MAX_DEPTH = 20;
const MAX_MARKS = 1_000;
const MAX_LINES = 500;
const MAX_ITEMS = 500;
const MARK = /[*_`~[\]<>!\\&]/g;
/** The quotes and list items that a line begins with, or goes on in. */
const CONTAINERS = /^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))[ \t]*)+/gm;
const CONTAINER = />|[-+*.)]/g;
/** An item is indented by so much within another at least. */
const COLUMNS = /\t|  /g;

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/**
 * Whether the parser of Markdown, which takes quadratic time for some texts, would take long. Pages and the app show such
 * an update as it was written.
 */
export const isTooMuch = (text: string): boolean =>
  count(text, MARK) > MAX_MARKS || count(text, /\r\n?|\n/g) > MAX_LINES || nestsDeep(text);

/** Whether quotes and lists may be nested deeper than is shown, or there are very many. */
function nestsDeep(text: string): boolean {
  const starts = text.match(CONTAINERS) ?? [];
  const isDeep = starts.some((start) => count(start, CONTAINER) + count(start, COLUMNS) > MAX_DEPTH);
  return isDeep || count(starts.join(""), CONTAINER) > MAX_ITEMS;
}
