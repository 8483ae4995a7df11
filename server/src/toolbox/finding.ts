import { type Static, Type } from "typebox";
import { inEnglish } from "../texts/english.ts";
import type { Fact as KnownFact } from "../texts/fact.ts";
import { Fact } from "../wire/fact.ts";

/** Something that a tool finds worth saying, the gravest first. */
export const Finding = Type.Object(
  {
    severity: Type.Enum(["critical", "warning", "info"], {
      description: "`critical`: visitors are turned away; `warning`: worth mending; `info`: worth knowing.",
    }),
    text: Type.String({ description: "What it is, in a sentence." }),
    fact: Fact,
  },
  { title: "ToolFinding" },
);

export type Finding = Static<typeof Finding>;

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
