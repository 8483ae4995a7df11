/**
 * What shows nothing by itself, or changes how what follows is shown: controls, joiners, marks of direction, fillers,
 * selectors of variants; and what looks like a space but is none.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
/** So many pushed what follows out of sight; a list within lists is indented by less. */
const BLANK = /[ \n]{40,}/g;

/** A text in which nothing can hide: what would not be seen stands there as its code. */
export const visibleText = (text: string): string =>
  text
    .replace(UNSEEN, (character) => (character === "\n" ? "\n" : codeOf(character)))
    .replace(BLANK, (blank) =>
      blank.replace(/ +|\n+/g, (run) => (run.length > 1 ? `${codeOf(run)}×${run.length}` : codeOf(run))),
    );

const codeOf = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A call's arguments, each with its whole value, in no other words than those that are sent. */
export function argumentsOf(json: string): { name: string; value: string }[] {
  const given = JSON.parse(json) as Record<string, unknown>;
  return Object.entries(given).map(([name, value]) => ({
    name: visibleText(name),
    value: visibleText(typeof value === "string" ? value : JSON.stringify(value, null, 2)),
  }));
}
