import { invalidInput } from "../errors.ts";

const LONGEST = 255;

/** A name without space around it. Throws 422 when nothing, or more than 255 characters, is left. */
export function checkName(text: string): string {
  const name = text.trim();
  if (name === "") throw invalidInput({ name: ["The name field is required."] });
  if (name.length > LONGEST) {
    throw invalidInput({ name: [`The name field must not be greater than ${LONGEST} characters.`] });
  }
  return name;
}
