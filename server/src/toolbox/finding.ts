import { inEnglish } from "../texts/english.ts";
import type { Fact as KnownFact } from "../texts/fact.ts";
import type { Finding } from "../wire/toolbox/finding.ts";

/** A fact as a finding. */
export const finding = (severity: Finding["severity"], what: KnownFact): Finding => ({
  severity,
  text: inEnglish(what),
  fact: what as Finding["fact"],
});

const GRAVEST_FIRST = ["critical", "warning", "info"];

/** In the order in which people should read them. */
export const sortedFindings = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => GRAVEST_FIRST.indexOf(a.severity) - GRAVEST_FIRST.indexOf(b.severity));

const MARKS = { critical: "✗", warning: "!", info: "·" } as const;

/** A line each, for a terminal. */
export const printFindings = (findings: readonly Finding[]): string =>
  findings.map(({ severity, text }) => `${MARKS[severity]} ${text}\n`).join("");
