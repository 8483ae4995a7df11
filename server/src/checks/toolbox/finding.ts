import { inEnglish } from "../../platform/i18n/english.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { Finding } from "./schemas/finding.ts";

export const finding = (severity: Finding["severity"], what: MessageDescriptor): Finding => ({
  severity,
  text: inEnglish(what),
  fact: what as Finding["fact"],
});

const MOST_SEVERE_FIRST = ["critical", "warning", "info"];

/** In the order in which people should read them. */
export const sortedFindings = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => MOST_SEVERE_FIRST.indexOf(a.severity) - MOST_SEVERE_FIRST.indexOf(b.severity));

const MARKS = { critical: "✗", warning: "!", info: "·" } as const;

/** A line each, for a terminal. */
export const printFindings = (findings: readonly Finding[]): string =>
  findings.map(({ severity, text }) => `${MARKS[severity]} ${text}\n`).join("");

/** Names and values for a terminal, a line each; what has no value is left out. */
export const printDetails = (details: readonly (readonly [name: string, value: string | null])[]): string =>
  textTable(
    ["", ""],
    details.filter(([, value]) => value !== null && value !== ""),
  ).replace(/^\s*\n/, "");

type Cell = string | number | null;

const GAP = "  ";

/** Rows under their headings for a terminal, a line each: numbers to the right, nothing that a terminal would obey. */
export function textTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [headings, ...rows.map((row) => row.map(cellText))];
  const widths = headings.map((_, at) => Math.max(...texts.map((row) => row[at]?.length ?? 0)));
  const isNumber = headings.map(
    (_, at) => rows.length > 0 && rows.every((row) => typeof row[at] !== "string"),
  );
  return texts
    .map((row) => {
      const cells = row.map((cell, at) =>
        isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      );
      return `${cells.join(GAP).trimEnd()}\n`;
    })
    .join("");
}

const cellText = (cell: Cell): string => (cell === null ? "–" : String(cell).replace(/\p{C}/gu, "\ufffd"));
