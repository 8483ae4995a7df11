import type { FieldErrors } from "../../platform/errors.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";
import type { FileEntry } from "./file-entry.ts";
import type { FileAnswer } from "./read-file.ts";

export interface PlannedEntry {
  outcome: "create" | "duplicate" | "invalid" | "over_quota";
  kind: CheckedKind;
  name: string | null;
  /** Of the check; null: unknown. */
  type: string | null;
  /** As in lists, without secrets; null: unknown. */
  target: string | null;
  problems: FieldErrors;
}

export interface Imported extends Omit<PlannedEntry, "outcome"> {
  outcome: PlannedEntry["outcome"] | "created";
  entry: FileEntry;
  /** From 0, among all entries. */
  index: number;
  /** Of the created monitor. */
  id: number | null;
}

export interface ImportOutcome {
  file: FileAnswer;
  isDryRun: boolean;
  entries: Imported[];
  /** The entry to continue with; null: none. */
  next: number | null;
}
