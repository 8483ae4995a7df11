import { invalidInput } from "../errors.ts";
import { type Fact, fact } from "../texts/fact.ts";

const MAX_LENGTH = 255;
/** Control characters, ends of lines, and what reverses the direction of the text around a name. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

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
  if (UNSEEN.test(trimmed)) return fact("name.control");
  return [...trimmed].length > MAX_LENGTH ? fact("name.long", { limit: MAX_LENGTH }) : null;
}
