import { tokenize, tokenTypes } from "css-tree/tokenizer";

const MAX_NESTED = 50;
const CLOSING: ReadonlyMap<number, number> = new Map([
  [tokenTypes.Function, tokenTypes.RightParenthesis],
  [tokenTypes.LeftParenthesis, tokenTypes.RightParenthesis],
  [tokenTypes.LeftSquareBracket, tokenTypes.RightSquareBracket],
  [tokenTypes.LeftCurlyBracket, tokenTypes.RightCurlyBracket],
]);

/**
 * The line on which brackets of any kind are nested deeper than anybody means it, or null. Asked before a style sheet is parsed:
 * the parser calls itself for each of them, and the stack has an end.
 */
export function lineNestedTooDeep(text: string): number | null {
  const open: number[] = [];
  let tooDeepAt = null as number | null;
  tokenize(text, (type, start) => {
    const closing = CLOSING.get(type);
    if (closing !== undefined) {
      open.push(closing);
      if (open.length > MAX_NESTED) tooDeepAt ??= start;
    } else if (type === open.at(-1)) open.pop();
  });
  return tooDeepAt === null ? null : text.slice(0, tooDeepAt).split(/\r\n|[\n\r\f]/).length;
}
