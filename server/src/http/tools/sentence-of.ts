import type { PublicError } from "../../errors.ts";
import { inEnglish } from "../../texts/english.ts";

/** What a caller is told of an error, with every field that is wrong. */
export function sentenceOf(error: PublicError): string {
  const fields = Object.entries(error.fields ?? {}).map(
    ([field, facts]) => `${field.slice(0, 200).toWellFormed()}: ${facts.map(inEnglish).join(" ")}`,
  );
  const again =
    error.retryAfterSeconds === undefined ? [] : [`Try again in ${error.retryAfterSeconds} seconds.`];
  return [inEnglish(error.fact), ...fields, ...again].join("\n");
}
