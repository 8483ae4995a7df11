import { Type } from "typebox";
import { LANGUAGES } from "../../texts/languages.ts";
import { oneOf } from "../field.ts";

/** How a report is written for people. */
export const DocumentQuery = Type.Object({
  language: oneOf(LANGUAGES, { default: "en", description: "Of `pdf` and `html`." }),
  timeZone: Type.String({
    format: "time-zone",
    maxLength: 64,
    default: "UTC",
    description: "An IANA name: in which times are written in `pdf` and `html`.",
    examples: ["Europe/Berlin"],
  }),
});

export const REPORT_PDF = {
  type: "application/pdf",
  schema: Type.String({ description: "A PDF, A4.", examples: ["%PDF-1.3"] }),
};

export const REPORT_HTML = {
  type: "text/html",
  schema: Type.String({
    description: "A page for paper that needs nothing else.",
    examples: ["<!doctype html>"],
  }),
};
