import type { FieldErrors } from "../../platform/errors.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";

export const FORMAT_NAMES = ["vedette", "kuma", "gatus", "csv", "urls"] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export const MAX_FILE_CHARACTERS = 2 * 1024 * 1024;
/** A database is sent compressed, as base64. */
export const MAX_CONTENT_CHARACTERS = 7 * 1024 * 1024;
export const MAX_FILE_ENTRIES = 10_000;
export const MAX_ENTRIES_AT_ONCE = 1000;

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
