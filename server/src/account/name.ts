import { invalidInput } from "../errors.ts";

const MAX_LENGTH = 255;

/** A name without space around it. Throws 422 when nothing, or more than 255 characters, is left. */
export function checkName(text: string): string {
  const problem = nameProblem(text);
  if (problem) throw invalidInput({ name: [problem] });
  return text.trim();
}

/** What is wrong with a name of anything, as a sentence; null when nothing is. */
export function nameProblem(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === "") return "The name field is required.";
  if (/\p{Cc}/u.test(trimmed)) return "The name must not contain control characters.";
  return [...trimmed].length > MAX_LENGTH
    ? `The name must not be longer than ${MAX_LENGTH} characters.`
    : null;
}
