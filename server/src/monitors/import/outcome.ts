import type { FieldErrors } from "../../platform/errors.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";
import type { FileEntry } from "./file-entry.ts";
import type { FileAnswer } from "./read-file.ts";

/** What would become of an entry. */
export interface PlannedEntry {
  outcome: "create" | "duplicate" | "invalid" | "over_quota";
  kind: CheckedKind;
  name: string | null;
  /** Of its check; null where nothing known was said. */
  type: string | null;
  /** As lists show it, without secrets; null where it cannot be told. */
  target: string | null;
  problems: FieldErrors;
}

/** What became of an entry, or would. */
export interface Imported extends Omit<PlannedEntry, "outcome"> {
  outcome: PlannedEntry["outcome"] | "created";
  entry: FileEntry;
  /** Where it stands among all entries, from 0. */
  index: number;
  /** Of the monitor that was made. */
  id: number | null;
}

/** A file, and what became of those of its entries that were asked for. */
export interface ImportOutcome {
  file: FileAnswer;
  isDryRun: boolean;
  entries: Imported[];
  /** With which entry to go on; null: there are no more. */
  next: number | null;
}
