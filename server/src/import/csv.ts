import { type CsvError, parse } from "csv-parse/sync";
import { fact } from "../texts/fact.ts";
import { clean, monitorAt } from "./address.ts";
import { entryAt, type FileEntry, type FileFormat, FileProblem, type Reading } from "./file-entry.ts";
import { configOfType } from "./typed-address.ts";

/** What a column may be called, in any case. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  name: ["name", "title", "label"],
  address: ["url", "address", "target", "host", "hostname", "adresse", "ziel"],
  type: ["type", "kind", "protocol", "typ", "art"],
  port: ["port"],
  checkInterval: ["interval", "checkinterval", "check_interval", "intervall"],
  timeout: ["timeout"],
  tags: ["tags", "tag", "labels"],
  enabled: ["enabled", "active", "aktiv"],
  method: ["method"],
  keyword: ["keyword"],
  severity: ["severity"],
};

const MAX_ROW_BYTES = 131_072;
const SEPARATORS = [",", ";", "\t"];

interface Row {
  record: Record<string, string>;
  info: { lines: number };
  /** As it stands in the file. */
  raw: string;
}

/** A table with a head of the columns' names; cells are parted by commas, semicolons (as German spreadsheets write them) or tabs. */
export const csv: FileFormat = {
  isLike: (content) => columnsOf(headOf(content)).some((column) => column === "address"),
  read(content, { kinds }) {
    const head = headOf(content);
    if (!columnsOf(head).includes("address")) throw new FileProblem(fact("import.columns"));
    const known = columnsOf(head);
    const unknown = head.filter((name, at) => known[at] === null && name !== "");
    return {
      entries: rowsOf(content, known).map((row) => entryOf(row, kinds)),
      notes: unknown.map((name) => fact("import.setting", { setting: name })),
      missing: [],
    };
  },
};

const firstLine = (content: string): string => /^\uFEFF?([^\r\n]*)/.exec(content)?.[1] ?? "";

/** The one that parts most cells of the head. */
const separatorOf = (content: string): string =>
  SEPARATORS.toSorted((one, other) => countOf(content, other) - countOf(content, one))[0] ?? ",";
const countOf = (content: string, separator: string): number => firstLine(content).split(separator).length;

const headOf = (content: string): string[] =>
  firstLine(content)
    .split(separatorOf(content))
    .map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));

const columnsOf = (head: readonly string[]): (string | null)[] =>
  head.map(
    (cell) => Object.entries(COLUMNS).find(([, names]) => names.includes(cell.toLowerCase()))?.[0] ?? null,
  );

function rowsOf(content: string, columns: (string | null)[]): Row[] {
  try {
    return parse(content, {
      bom: true,
      columns: () => columns.map((name) => name ?? false),
      delimiter: separatorOf(content),
      info: true,
      raw: true,
      max_record_size: MAX_ROW_BYTES,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as Row[];
  } catch (error) {
    const line = Number((error as CsvError)["lines"]) || 1;
    throw new FileProblem(fact("import.syntax", { format: "CSV", line }));
  }
}

/** A row's own line is its last. */
const lineOf = ({ info, raw }: Row): number => info.lines - (raw.trim().split("\n").length - 1);

function entryOf(row: Row, kinds: Reading["kinds"]): FileEntry {
  const { record } = row;
  const line = lineOf(row);
  const { address = "", type = "", port = "", name } = record;
  const found = configOfType(type.toLowerCase(), address, numberOf(port), kinds) ?? monitorAt(address);
  if ("problem" in found) {
    return { ...entryAt(line, "service", clean({ name: name || undefined })), problem: found.problem };
  }
  const { kind } = found;
  return entryAt(line, kind, { ...found.body, ...settingsOf(record, kind === "domain") });
}

/** Cells as the API has them; what is no number stays text, for the API to say so. */
function settingsOf(record: Record<string, string>, isDomain: boolean): Record<string, unknown> {
  const {
    name,
    checkInterval = "",
    timeout = "",
    tags = "",
    enabled = "",
    severity,
    method,
    keyword,
  } = record;
  const assertions = keyword && [{ type: "keyword", operator: "present", value: keyword }];
  return clean({
    name: name || undefined,
    checkInterval: numberOf(checkInterval),
    timeout: numberOf(timeout),
    tags: tags === "" ? undefined : tags.split(/[,;|]/).flatMap((tag) => tag.trim() || []),
    enabled: enabled === "" ? undefined : !/^(?:0|no|nein|false|falsch|off|paused)$/i.test(enabled),
    severity: severity?.toLowerCase() || undefined,
    ...(isDomain && { method: method?.toUpperCase() || undefined, assertions: assertions || undefined }),
  });
}

const numberOf = (text: string): number | string | undefined =>
  text === "" ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : text;
