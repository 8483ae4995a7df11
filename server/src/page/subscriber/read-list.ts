import { type CsvError, parse } from "csv-parse/sync";
import { type Fact, fact } from "../../texts/fact.ts";

/** What the column with the addresses may be called, in any case. */
const COLUMNS = ["email", "e-mail", "mail", "address", "email address", "adresse", "e-mail-adresse"];
const SEPARATORS = [",", ";", "\t"];
const MAX_ROW_BYTES = 131_072;
/** What an export writes before what a spreadsheet would take for a formula (wire/imports.ts). */
const ESCAPE = /^'(?=[=+\-@])/;

/** An address as it stands in a list, where, and what its row says of it, as an export does; empty: nothing. */
export interface ListedAddress {
  /** From 1. */
  line: number;
  text: string;
  language: string;
  /** Uuids, with spaces between. */
  components: string;
}

/** An address of which the list says nothing else. */
export const addressAlone = (text: string, at: number): ListedAddress => ({
  ...{ line: at + 1, text, language: "", components: "" },
});

/** The addresses of a file: one a line, or a column of a table with a head. Gives what is wrong with one that cannot be read. */
export function readList(content: string): ListedAddress[] | { problem: Fact } {
  const text = content.replace(/^\uFEFF/, "");
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const separator = SEPARATORS.find((one) => cellsOf(head, one).some(isColumn));
  if (separator !== undefined) return readTable(text, separator);
  return text
    .split(/\r\n?|\n/)
    .map((line, at) => addressAlone(line.trim(), at))
    .filter((one) => one.text !== "");
}

const cellsOf = (head: string, separator: string): string[] =>
  head.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .toLowerCase(),
  );

const isColumn = (cell: string): boolean => COLUMNS.includes(cell);

interface Row {
  record: string[];
  info: { lines: number };
}

function readTable(text: string, separator: string): ListedAddress[] | { problem: Fact } {
  try {
    const rows = parse(text, {
      delimiter: separator,
      info: true,
      max_record_size: MAX_ROW_BYTES,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as Row[];
    const [head, ...others] = rows;
    const columnOf = (is: (cell: string) => boolean) =>
      head?.record.findIndex((cell) => is(cell.toLowerCase())) ?? -1;
    const at = {
      text: columnOf(isColumn),
      language: columnOf((cell) => cell === "language"),
      components: columnOf((cell) => cell === "components"),
    };
    return others
      .map(({ record, info }) => ({
        line: info.lines,
        text: (record[at.text] ?? "").replace(ESCAPE, ""),
        language: record[at.language] ?? "",
        components: record[at.components] ?? "",
      }))
      .filter((one) => one.text !== "");
  } catch (error) {
    const line = Number((error as CsvError)["lines"]) || 1;
    return { problem: fact("import.syntax", { format: "CSV", line }) };
  }
}
