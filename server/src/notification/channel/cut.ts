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
