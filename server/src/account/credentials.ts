import { type FieldErrors, invalidInput } from "../errors.ts";
import { isEmail } from "./email.ts";

const PASSWORD_LEAST = 8;
const MAX_PASSWORD_LENGTH = 200;

/** Checks what a new account is made of. Throws 422 naming every bad field. */
export function checkCredentials(input: { email: string; password: string }): void {
  const fields: FieldErrors = {};
  if (!isEmail(input.email)) {
    fields.email = ["The email field must be a valid e-mail address."];
  }
  const length = [...input.password].length;
  if (length < PASSWORD_LEAST) {
    fields.password = [`The password field must be at least ${PASSWORD_LEAST} characters.`];
  } else if (length > MAX_PASSWORD_LENGTH) {
    fields.password = [`The password field must not be greater than ${MAX_PASSWORD_LENGTH} characters.`];
  } else if (input.password.toLowerCase() === input.email.toLowerCase()) {
    fields.password = ["The password field must differ from the e-mail address."];
  }
  if (Object.keys(fields).length > 0) throw invalidInput(fields);
}

/** The name people see when none was given: what stands before the @. */
export const nameFromEmail = (email: string): string => email.split("@")[0] || email;
