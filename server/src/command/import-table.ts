import type { Static } from "typebox";
import { isNoted } from "../wire/import-client.ts";
import type { ImportResult } from "../wire/imports.ts";

type Result = Static<typeof ImportResult>;
type Entry = Result["entries"][number];

const WORDS: Readonly<Record<Entry["outcome"], string>> = {
  create: "new",
  created: "created",
  duplicate: "exists",
  invalid: "invalid",
  over_quota: "over quota",
};

const DEFAULT_WIDTH = 100;
const MAX_CELL = 40;

/** One entry a line: where it stands, what becomes of it, what it is; beneath it what is wrong, and what is left out. */
export function entryTable(entries: readonly Entry[], columns = DEFAULT_WIDTH): string {
  const rows = entries.map((entry) => [
    entry.line === null ? `#${entry.index + 1}` : String(entry.line),
    WORDS[entry.outcome],
    entry.type ?? "",
    plain(entry.name ?? ""),
    plain(entry.target ?? ""),
  ]);
  const widths = [0, 1, 2, 3].map((at) =>
    Math.min(MAX_CELL, Math.max(0, ...rows.map((row) => row[at]?.length ?? 0))),
  );
  return entries
    .map((entry, at) => {
      const cells = (rows[at] ?? []).map((cell, column) => fitted(cell, column, widths));
      const said = [
        ...(entry.outcome === "duplicate" ? [] : entry.problems.map(sentence)),
        ...entry.notes.map(({ message }) => message),
      ];
      const indent = " ".repeat((widths[0] ?? 0) + 2);
      return [
        cells.join("  ").trimEnd().slice(0, Math.max(40, columns)),
        ...said.map((text) => indent + plain(text)),
      ]
        .map((line) => `${line}\n`)
        .join("");
    })
    .join("");
}

/** How many entries have each outcome, in one line. */
export function summaryLine({ summary, missing, entries }: Result): string {
  const { create, created, duplicate, invalid, overQuota } = summary;
  const noted = entries.filter(isNoted).length;
  const parts = [
    create > 0 && `${create} to create`,
    created > 0 && `${created} created`,
    duplicate > 0 && `${duplicate} already there`,
    invalid > 0 && `${invalid} that cannot be imported`,
    overQuota > 0 && `${overQuota} beyond what the plan allows`,
    noted > 0 && `${noted} not with everything that the file says`,
  ].filter(Boolean);
  const wanted =
    missing.length > 0 ? ` Values are needed for ${missing.join(", ")}: use --set or --env.` : "";
  return `${parts.join(", ")}.${wanted}`;
}

const sentence = ({ field, message }: Entry["problems"][number]): string =>
  field === "" ? message : `${field}: ${message}`;

const fitted = (cell: string, column: number, widths: readonly number[]): string => {
  const width = widths[column];
  if (width === undefined) return cell;
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width);
};

/** Names come from a file: nothing of them commands the terminal. */
const plain = (text: string): string => text.replace(/\p{C}/gu, "?");
