import { fact } from "../texts/fact.ts";
import { type FileEntry, FileProblem, type ReadFile, type Reading } from "./file-entry.ts";
import { FORMAT_NAMES, type FormatName, MAX_FILE_CHARACTERS, MAX_FILE_ENTRIES } from "./format-names.ts";
import { FILE_FORMATS } from "./formats.ts";

export interface FileQuestion extends Reading {
  content: string;
  /** Absent: it is recognised. */
  format?: FormatName | undefined;
}

export interface FileAnswer extends ReadFile {
  format: FormatName;
}

/** What is in a file. Throws FileProblem where that cannot be told, where it is nothing, and where it is too much. */
export function readFile({ content: given, format: named, ...reading }: FileQuestion): FileAnswer {
  const content = given.replace(/^\uFEFF/, "");
  if (content.length > MAX_FILE_CHARACTERS)
    throw new FileProblem(fact("import.large", { limit: MAX_FILE_CHARACTERS / 1024 / 1024 }));
  const format = named ?? recognised(content);
  if (content.trim() === "") throw new FileProblem(fact("import.empty"));
  const broken = content.indexOf("\uFFFD");
  if (broken >= 0) throw new FileProblem(fact("import.encoding", { line: lineAt(content, broken) }));
  const file = FILE_FORMATS[format].read(content, reading);
  const count = file.entries.length;
  if (count === 0) throw new FileProblem(fact("import.empty"));
  if (count > MAX_FILE_ENTRIES)
    throw new FileProblem(fact("import.many", { count, limit: MAX_FILE_ENTRIES }));
  let left = MAX_READ_CHARACTERS;
  const spend = (what: object): string => {
    const text = JSON.stringify(what);
    left -= text.length;
    if (left < 0) throw new FileProblem(fact("import.unreadable"));
    return text;
  };
  spend(file.notes);
  spend(file.missing);
  const entries = file.entries.map((entry) => (hasNul(spend(entry)) ? nulIn(entry) : entry));
  return { ...file, format, entries };
}

/** A file may say one thing ten thousand times by an alias or a variable; whoever is told of it gets as many copies. */
const MAX_READ_CHARACTERS = 8 * MAX_FILE_CHARACTERS;

function recognised(content: string): FormatName {
  const format = FORMAT_NAMES.find((name) => FILE_FORMATS[name].isLike(content));
  if (format) return format;
  throw new FileProblem(
    fact("import.format", { field: "format", formats: FORMAT_NAMES.join(", ") }),
    "format",
  );
}

/** JSON and YAML may write U+0000, which no text of the API means anything by. */
const hasNul = (json: string): boolean => json.includes("\\u0000");
const nulIn = (entry: FileEntry): FileEntry => ({
  ...entry,
  body: {},
  problem: fact("input.nul", { field: "content" }),
});

const lineAt = (content: string, position: number): number => content.slice(0, position).split("\n").length;
