import { invalidInput } from "../errors.ts";
import { type Fact, fact } from "../texts/fact.ts";

const MAX_LENGTH = 255;
/**
 * Control characters, ends of lines, and what changes the direction of the text around a name. The marks U+200E, U+200F and U+061C
 * are none of these: they turn nothing round, and names in Hebrew and Arabic need them beside digits and punctuation.
 */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** What shows nothing by itself: spaces, joiners, marks of direction, fillers, the blank of Braille, accents, half a character. */
const INVISIBLE = /[\s\p{Z}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A name without space around it. Throws 422 on `field` when nothing, or more than 255 characters, is left. */
export function checkName(text: string, field = "name"): string {
  const problem = nameProblem(text);
  if (problem) throw invalidInput({ [field]: [problem] });
  return text.trim();
}

/** What is wrong with a name of anything; null when nothing is. */
export function nameProblem(name: string): Fact | null {
  const trimmed = name.trim();
  if (trimmed === "") return fact("input.required", { field: "name" });
  if (trimmed.replace(INVISIBLE, "") === "") return fact("name.invisible");
  if (FORBIDDEN.test(trimmed)) return fact("name.control");
  return [...trimmed].length > MAX_LENGTH ? fact("name.long", { limit: MAX_LENGTH }) : null;
}
