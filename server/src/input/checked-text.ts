import { invalidInput } from "../errors.ts";
import { fact } from "../texts/fact.ts";

/** A text without space around it. Throws 422 when nothing is left. */
export function checkText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw invalidInput({ [field]: [fact("input.required", { field })] });
  return trimmed;
}
