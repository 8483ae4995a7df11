import { Type } from "typebox";
import type { SecretHint } from "../secret/config-secrets.ts";

const hidden: SecretHint = { "x-secret": "hidden" };

/** A credential. */
export const secretText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 4096,
    pattern: "^[\\x21-\\x7e]+$",
    format: "password",
    description,
    ...hidden,
  });
