import type { PublicError } from "../../errors.ts";
import { inEnglish } from "../../texts/english.ts";
import type { Fact } from "../../texts/fact.ts";
import { betweenMarks } from "./untrusted.ts";

/**
 * What a caller is told of an error, with every field that is wrong. What quotes somebody else's server is between marks, as
 * it is in results.
 */
export function sentenceOf(error: PublicError): string {
  const isForeign = error.kind === "upstream_failed";
  const fields = Object.entries(error.fields ?? {}).map(
    ([field, facts]) =>
      `${field.slice(0, 200).toWellFormed()}: ${facts.map((one) => said(one, false)).join(" ")}`,
  );
  const again =
    error.retryAfterSeconds === undefined ? [] : [`Try again in ${error.retryAfterSeconds} seconds.`];
  return [said(error.fact, isForeign), ...fields, ...again].join("\n");
}

/** A fact that comes from another tells what was met outside. */
const said = (what: Fact, isForeign: boolean): string =>
  isForeign || what.because ? betweenMarks(inEnglish(what)) : inEnglish(what);
