import { Type } from "typebox";
import type { HarmlessHint, SecretHint } from "../secret/config-secrets.ts";

const hidden: SecretHint = { "x-secret": "hidden" };

/** Whatever it says, the same credentials go to the same server. */
export const harmless: HarmlessHint = { "x-harmless": true };

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
