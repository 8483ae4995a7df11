import type { FieldErrors } from "../../platform/errors.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";

export interface FileEntry {
  /** From 1; null where the format has no useful lines. */
  line: number | null;
  kind: CheckedKind;
  /** Body of the create call (DomainCreate, ServiceCreate), not yet validated. */
  body: Record<string, unknown>;
  /** Why it cannot be created; null: unknown yet. */
  problem: MessageDescriptor | null;
  /** What is not imported, or changes. */
  notes: MessageDescriptor[];
  /** The file's own id of the entry, where names are ambiguous: references are `{ name, key }`. */
  key?: string;
}

export interface ReadFile {
  entries: FileEntry[];
  /** What of the whole file is not imported. */
  notes: MessageDescriptor[];
  /** Variables without a value. */
  missing: string[];
}

/** By name. */
export type Variables = Readonly<Record<string, string>>;

/** The parts that formats need: the worker thread loads no checks. */
export interface KnownKind {
  isPassive: boolean;
  fields: readonly string[];
}

export interface Reading {
  variables: Variables;
  kinds: Readonly<Record<string, KnownKind>>;
}

export interface FileFormat {
  /** A quick guess. */
  isLike(content: string): boolean;
  /** Throws FileProblem. */
  read(content: string, reading: Reading): ReadFile;
}

/** `fields`: of the import's input. */
export class FileProblem extends Error {
  readonly fields: FieldErrors;

  constructor(what: MessageDescriptor, field = "content") {
    super(what.code);
    this.name = "FileProblem";
    this.fields = { [field]: [what] };
  }
}

export const entryAt = (
  line: number | null,
  kind: CheckedKind,
  body: Record<string, unknown>,
): FileEntry => ({ line, kind, body, problem: null, notes: [] });
