import { type CsvError, parse } from "csv-parse/sync";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { type Addressed, clean, monitorAt } from "./address.ts";
import { entryAt, type FileEntry, type FileFormat, FileProblem, type Reading } from "./file-entry.ts";
import { lookUp } from "./monitor-names.ts";

/** In any case. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  name: ["name", "title", "label", "bezeichnung", "名称"],
  address: [
    ...["url", "uri", "link", "address", "target", "host", "hostname", "server", "ip"],
    ...["website", "webpage", "site", "domain", "endpoint"],
    ...["adresse", "ziel", "webseite", "网址", "地址", "域名"],
  ],
  type: ["type", "kind", "protocol", "typ", "art"],
  port: ["port"],
  checkInterval: ["interval", "checkinterval", "check_interval", "intervall"],
  timeout: ["timeout"],
  tags: ["tags", "tag", "labels"],
  enabled: ["enabled", "active", "aktiv"],
  method: ["method"],
  keyword: ["keyword"],
  description: ["description", "notes", "note", "comment", "beschreibung", "描述"],
  severity: ["severity"],
};

const MAX_ROW_BYTES = 131_072;
const SEPARATORS = [",", ";", "\t"];

interface Row {
  record: string[];
  info: { lines: number };
  raw: string;
}

/** A table with a header row, separated by commas, semicolons (as German spreadsheets do) or tabs. */
export const csv: FileFormat = {
  isLike: (content) => columnsOf(headOf(content)).includes("address") || isTable(content),
  read(content, { kinds }) {
    const head = headOf(content);
    if (!columnsOf(head).includes("address")) throw new FileProblem(msg("import.columns"));
    const known = columnsOf(head);
    const unknown = head.filter((name, at) => known[at] === null && name !== "");
    return {
      entries: rowsOf(content).map((row) =>
        "problem" in row
          ? { ...entryAt(row.line, "domain", {}), problem: row.problem }
          : entryOf(row, { head, known }, kinds),
      ),
      notes: unknown.map((name) => msg("import.setting", { setting: name })),
      missing: [],
    };
  },
};

const firstLine = (content: string): string => /^\uFEFF?([^\r\n]*)/.exec(content)?.[1] ?? "";

/** The one that splits the header into most cells. */
const separatorOf = (content: string): string =>
  SEPARATORS.toSorted((one, other) => countOf(content, other) - countOf(content, one))[0] ?? ",";
const countOf = (content: string, separator: string): number => firstLine(content).split(separator).length;

const headOf = (content: string): string[] =>
  firstLine(content)
    .split(separatorOf(content))
    .map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));

/** Of equal columns, the one with the plainest name. */
function columnsOf(head: readonly string[]): (string | null)[] {
  const names = head.map((cell) => cell.toLowerCase());
  const places = Object.entries(COLUMNS).flatMap(([column, known]) => {
    const called = known.find((one) => names.includes(one));
    return called === undefined ? [] : [[names.indexOf(called), column] as const];
  });
  const byPlace = new Map(places);
  return head.map((_, at) => byPlace.get(at) ?? null);
}

/** Several cells of words in the first line, and as many in the second: a table with unknown columns. */
function isTable(content: string): boolean {
  const [first = "", second = ""] = content.split(/\r?\n/, 2);
  const separator = separatorOf(content);
  const count = first.split(separator).length;
  const isOfWords = first.split(separator).every((cell) => /^[\p{L}\p{N} _-]{1,50}$/u.test(cell.trim()));
  return count > 1 && isOfWords && second.split(separator).length === count;
}

interface BadRow {
  line: number;
  problem: MessageDescriptor;
}

/** After so many unreadable rows, the file is not CSV. */
const MAX_BAD_ROWS = 20;

/** Unreadable rows are returned with their line; later rows are read. */
function rowsOf(content: string): (Row | BadRow)[] {
  const rows: (Row | BadRow)[] = [];
  const starts = lineStarts(content);
  const separator = separatorOf(content);
  let done = 1;
  for (let bad = 0; done < starts.length; ) {
    const problem = readRows(content.slice(starts[done]), separator, (row) => {
      rows.push({ ...row, info: { lines: row.info.lines + done } });
    });
    if (problem === null) break;
    const last = rows.at(-1);
    const before = last === undefined ? done : Math.max(done, "info" in last ? last.info.lines : last.line);
    const line = nextFilled(content, starts, before);
    bad += 1;
    if (bad > MAX_BAD_ROWS) throw new FileProblem(msg("import.syntax", { format: "CSV", line }));
    rows.push({ line, problem });
    done = line;
  }
  return rows;
}

function lineStarts(content: string): number[] {
  const starts = [0];
  for (const { index } of content.matchAll(/\n/g)) starts.push(index + 1);
  return starts;
}

/** The first non-empty line after so many. */
function nextFilled(content: string, starts: readonly number[], lines: number): number {
  for (let at = lines; at < starts.length; at += 1)
    if (content.slice(starts[at], starts[at + 1]).trim() !== "") return at + 1;
  return starts.length;
}

/** Stops at the first unreadable row and returns why; null: none. */
function readRows(content: string, delimiter: string, take: (row: Row) => void): MessageDescriptor | null {
  try {
    parse(content, {
      delimiter,
      info: true,
      raw: true,
      max_record_size: MAX_ROW_BYTES,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      on_record: (row: unknown) => void take(row as Row),
    });
    return null;
  } catch (error) {
    const { code } = error as CsvError;
    return code === "CSV_MAX_RECORD_SIZE" ? msg("import.row_long") : msg("import.row");
  }
}

/** The parser's line of a row is its last. */
const lineOf = ({ info, raw }: Row): number => info.lines - (raw.trim().split("\n").length - 1);

function entryOf(
  row: Row,
  { head, known: columns }: { head: readonly string[]; known: (string | null)[] },
  kinds: Reading["kinds"],
): FileEntry {
  const line = lineOf(row);
  const cells = row.record;
  const record = Object.fromEntries(
    columns.flatMap((name, at) => (name === null ? [] : [[name, cells[at] ?? ""]])),
  );
  const { address = "", type = "", port = "", name } = record;
  const refused = (problem: MessageDescriptor, kind: FileEntry["kind"] = "service") => ({
    ...entryAt(line, kind, clean({ name: name || undefined })),
    problem,
  });
  // Cells beyond the header: another cell contains a separator.
  if (cells.slice(columns.length).some((cell) => cell !== ""))
    return refused(msg("import.cells", { count: cells.length, columns: columns.length }), "domain");
  const found = configOfType(type.toLowerCase(), address, numberOf(port), kinds) ?? monitorAt(address);
  if ("problem" in found) return refused(found.problem);
  const { kind } = found;
  const entry = entryAt(line, kind, { ...found.body, ...settingsOf(record, kind === "domain") });
  const unused = [
    ...(kind === "domain" ? [] : ["method", "keyword"].filter((column) => record[column])),
    ...(port !== "" && numberOf(port) !== found.port ? ["port"] : []),
    ...columns.flatMap((column, at) =>
      column === null && head[at] === "" && cells[at] ? [`#${at + 1}`] : [],
    ),
  ];
  return { ...entry, notes: unused.map((setting) => msg("import.setting", { setting })) };
}

/** Other text in a number's cell stays, for the API to reject. */
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
    description,
  } = record;
  const assertions = keyword && [{ type: "keyword", operator: "present", value: keyword }];
  return clean({
    name: name || undefined,
    checkInterval: numberOf(checkInterval),
    timeout: numberOf(timeout),
    tags: tags === "" ? undefined : tags.split(/[,;|]/).flatMap((tag) => tag.trim() || []),
    enabled: enabled === "" ? undefined : enabledBy(enabled),
    description: description || undefined,
    severity: severity?.toLowerCase() || undefined,
    ...(isDomain && { method: method?.toUpperCase() || undefined, assertions: assertions || undefined }),
  });
}

const NO = /^(?:0|no|n|nein|false|falsch|off|paused|inactive|disabled|否|停用)$/i;
const YES = /^(?:1|yes|y|ja|true|wahr|on|active|enabled|x|是|启用)$/i;

/** Other words stay, for the API to reject. */
const enabledBy = (text: string): boolean | string => (NO.test(text) ? false : YES.test(text) ? true : text);

const numberOf = (text: string): number | string | undefined =>
  text === "" ? undefined : /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text;

const OTHER_NAMES: Readonly<Record<string, string>> = {
  website: "http",
  web: "http",
  https: "http",
  port: "tcp",
  ping: "icmp",
  push: "heartbeat",
  cron: "heartbeat",
  postgresql: "postgres",
  mariadb: "mysql",
  ssl: "tls",
  certificate: "tls",
  mongo: "mongodb",
  sftp: "ssh",
  ws: "websocket",
};

/** Null: invalid. An address may name the kind itself, too. */
function configOfType(
  typed: string,
  address: string,
  port: number | string | undefined,
  kinds: Reading["kinds"],
): Addressed | { problem: MessageDescriptor } | null {
  if (typed === "") return null;
  const type = lookUp(OTHER_NAMES, typed) ?? typed;
  if (type === "http") return monitorAt(address);
  const kind = lookUp(kinds, type);
  if (!kind) return { problem: msg("import.kind", { type: typed }) };
  if (kind.isPassive) return { kind: "service", body: { protocol: type, protocolConfig: {} } };
  if (address.includes("://")) {
    const found = monitorAt(address);
    if ("problem" in found || found.body["protocol"] === type) return found;
  }
  if (type === "dns")
    return { kind: "service", body: { protocol: type, protocolConfig: { hostname: address } } };
  const [, host = address, own] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(address) ?? [];
  const wanted = type === "icmp" ? undefined : (port ?? (own === undefined ? undefined : Number(own)));
  return {
    kind: "service",
    body: { protocol: type, protocolConfig: clean({ host: host.replace(/^\[(.*)\]$/, "$1"), port: wanted }) },
    port: wanted,
  };
}
