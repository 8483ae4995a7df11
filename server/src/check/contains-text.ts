/**
 * The longest pattern whose search takes time that grows with the text alone: of longer ones V8's Boyer-Moore uses
 * only the last 250 characters, and `aaa…baaa…` in a megabyte of `a` took it a third of a second.
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
