import { type FieldErrors, invalidInput } from "../platform/errors.ts";
import { isEmail, notAnEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { PASSWORD_LENGTH } from "./schemas/password-length.ts";

/** Throws 422 naming every bad field. */
export function checkCredentials(input: { email: string; password: string }): void {
  const fields: FieldErrors = {};
  if (!isEmail(input.email)) fields.email = [notAnEmail()];
  const length = [...input.password].length;
  const { least, most } = PASSWORD_LENGTH;
  if (length < least) {
    fields.password = [msg("input.short", { field: "password", limit: least })];
  } else if (length > most) {
    fields.password = [msg("input.lengthy", { field: "password", limit: most })];
  } else if (input.password.toLowerCase() === input.email.toLowerCase()) {
    fields.password = [msg("account.password_is_email")];
  }
  if (Object.keys(fields).length > 0) throw invalidInput(fields);
}

/** The default name: the part before the @. */
export const nameFromEmail = (email: string): string => email.split("@")[0] || email;
