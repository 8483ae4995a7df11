import { msg } from "../../platform/i18n/message.ts";
import { monitorAt } from "./address.ts";
import { csv } from "./csv.ts";
import {
  entryAt,
  type FileEntry,
  type FileFormat,
  FileProblem,
  FORMAT_NAMES,
  type FormatName,
  MAX_FILE_CHARACTERS,
  MAX_FILE_ENTRIES,
  type ReadFile,
  type Reading,
} from "./file-entry.ts";
import { gatus } from "./gatus.ts";
import { uptimeKuma } from "./uptime-kuma.ts";
import { vedette } from "./vedette.ts";

/** A URL, or what could be a host, but not a row of a table. */
const ADDRESS = /^(?:[a-z][\da-z+.-]*:\/\/\S+|(?=\S*[\p{L}\d])[^\s,;"'/?#{}<>()=]+(?:[/?#]\S*)?)$/iu;

/** URLs, hosts or `host:port`, one a line. Empty lines and comments (`#`) are ignored. */
const urlList: FileFormat = {
  isLike: (content) =>
    linesOf(content)
      .slice(0, 50)
      .every(({ text }) => ADDRESS.test(text)),
  read: (content) => ({
    entries: linesOf(content).map(({ line, text }) => {
      const found = monitorAt(text);
      if ("problem" in found) return { ...entryAt(line, "service", {}), problem: found.problem };
      return entryAt(line, found.kind, found.body);
    }),
    notes: [],
    missing: [],
  }),
};

/** A `#` within an address is part of it. */
function linesOf(content: string): { line: number; text: string }[] {
  return content.split(/\r\n|\n|\r/).flatMap((whole, at) => {
    const text = whole.replace(/(?:^|\s)#.*$/s, "").trim();
    return text === "" ? [] : [{ line: at + 1, text }];
  });
}

export interface FileRequest extends Reading {
  content: string;
  /** Absent: recognized by content. */
  format?: FormatName | undefined;
}

export interface FileAnswer extends ReadFile {
  format: FormatName;
}

/** Throws FileProblem for an unknown format, an empty file, and one that is too large. */
export function readFile({ content: given, format: named, ...reading }: FileRequest): FileAnswer {
  const content = given.replace(/^\uFEFF/, "");
  if (content.length > MAX_FILE_CHARACTERS)
    throw new FileProblem(msg("import.large", { limit: MAX_FILE_CHARACTERS / 1024 / 1024 }));
  const format = named ?? recognised(content);
  if (content.trim() === "") throw new FileProblem(msg("import.empty"));
  const broken = content.indexOf("\uFFFD");
  if (broken >= 0) throw new FileProblem(msg("import.encoding", { line: lineAt(content, broken) }));
  const file = FILE_FORMATS[format].read(content, reading);
  const count = file.entries.length;
  if (count === 0) throw new FileProblem(msg("import.empty"));
  if (count > MAX_FILE_ENTRIES) throw new FileProblem(msg("import.many", { count, limit: MAX_FILE_ENTRIES }));
  let left = MAX_READ_CHARACTERS;
  const spend = (what: object): string => {
    const text = JSON.stringify(what);
    left -= text.length;
    if (left < 0) throw new FileProblem(msg("import.unreadable"));
    return text;
  };
  spend(file.notes);
  spend(file.missing);
  const entries = file.entries.map((entry) => (hasNul(spend(entry)) ? nulIn(entry) : entry));
  return { ...file, format, entries };
}

/** Aliases and variables may repeat one text ten thousand times. */
const MAX_READ_CHARACTERS = 8 * MAX_FILE_CHARACTERS;

function recognised(content: string): FormatName {
  const format = FORMAT_NAMES.find((name) => FILE_FORMATS[name].isLike(content));
  if (format) return format;
  throw new FileProblem(
    msg("import.format", { field: "format", formats: FORMAT_NAMES.join(", ") }),
    "format",
  );
}

/** JSON and YAML may contain U+0000, which the API rejects. */
const hasNul = (json: string): boolean => json.includes("\\u0000");
const nulIn = (entry: FileEntry): FileEntry => ({
  ...entry,
  body: {},
  problem: msg("input.nul", { field: "content" }),
});

const lineAt = (content: string, position: number): number => content.slice(0, position).split("\n").length;

/** In the order in which they are tried; adding one is a file, a line here and its name. */
const FILE_FORMATS: Readonly<Record<FormatName, FileFormat>> = {
  vedette,
  kuma: uptimeKuma,
  gatus,
  csv,
  urls: urlList,
};
