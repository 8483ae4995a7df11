import { invalidInput } from "../errors.ts";
import { type Fact, fact } from "../texts/fact.ts";

const MAX_LENGTH = 255;

/** A name without space around it. Throws 422 when nothing, or more than 255 characters, is left. */
export function checkName(text: string): string {
  const problem = nameProblem(text);
  if (problem) throw invalidInput({ name: [problem] });
  return text.trim();
}

/** What is wrong with a name of anything; null when nothing is. */
export function nameProblem(name: string): Fact | null {
  const trimmed = name.trim();
  if (trimmed === "") return fact("input.required", { field: "name" });
  if (/\p{Cc}/u.test(trimmed)) return fact("name.control");
  return [...trimmed].length > MAX_LENGTH ? fact("name.long", { limit: MAX_LENGTH }) : null;
}
