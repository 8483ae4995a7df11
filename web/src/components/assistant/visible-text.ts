/** What shows nothing by itself, or changes how what follows is shown: controls, joiners, marks of direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text in which nothing can hide: what would not be seen stands there as its code. */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (character) =>
    character === "\n" ? "\n" : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** A call's arguments, each with its whole value, in no other words than those that are sent. */
export function argumentsOf(json: string): { name: string; value: string }[] {
  const given = JSON.parse(json) as Record<string, unknown>;
  return Object.entries(given).map(([name, value]) => ({
    name: visibleText(name),
    value: visibleText(typeof value === "string" ? value : JSON.stringify(value, null, 2)),
  }));
}
