import type { FieldErrors } from "../../platform/errors.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";

/** One thing that a file asks to be monitored. */
export interface FileEntry {
  /** Where it begins in the file, from 1; null where the format has no lines worth naming. */
  line: number | null;
  kind: CheckedKind;
  /** What creating a monitor of that kind takes, in the API's own words (DomainCreate, ServiceCreate); nothing of it is judged yet. */
  body: Record<string, unknown>;
  /** Why it cannot be made whatever else is right; null: nothing is known yet. */
  problem: MessageDescriptor | null;
  /** What is not taken over, or becomes something else. */
  notes: MessageDescriptor[];
  /** What the file itself tells its entries apart by, where it has something better than names: others refer to it as `{ name, key }`. */
  key?: string;
}

/** What is in a file. */
export interface ReadFile {
  entries: FileEntry[];
  /** What is not taken over of the file as a whole. */
  notes: MessageDescriptor[];
  /** Names that the file leaves to be filled in, and that nobody has. */
  missing: string[];
}

/** Values for what a file leaves to be filled in, by name. */
export type Variables = Readonly<Record<string, string>>;

/** What a format needs to know of a kind of check: the thread that reads files loads none of them. */
export interface KnownKind {
  isPassive: boolean;
  /** Names of its configuration's fields. */
  fields: readonly string[];
}

/** What files are read by. */
export interface Reading {
  variables: Variables;
  kinds: Readonly<Record<string, KnownKind>>;
}

/** A format of files. */
export interface FileFormat {
  /** Whether a file is of this format, as far as a look at it tells. */
  isLike(content: string): boolean;
  /** Throws FileProblem where the file cannot be read at all. */
  read(content: string, reading: Reading): ReadFile;
}

/** A file that cannot be read; `fields` is about the input of the import. */
export class FileProblem extends Error {
  readonly fields: FieldErrors;

  constructor(what: MessageDescriptor, field = "content") {
    super(what.code);
    this.name = "FileProblem";
    this.fields = { [field]: [what] };
  }
}

/** An entry of which nothing else is known. */
export const entryAt = (
  line: number | null,
  kind: CheckedKind,
  body: Record<string, unknown>,
): FileEntry => ({ line, kind, body, problem: null, notes: [] });
