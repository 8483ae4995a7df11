import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";

/** A spreadsheet of a country with decimal commas takes `;` for the end of a cell, and what follows for the next one. */
const FORMULA_WITHIN = /(;[\s"]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const cast = { string: (text: string) => text.replace(FORMULA_WITHIN, "$1'") };

/**
 * Rows as a CSV file (RFC 4180), written as they come, under a head of the columns' names. What a spreadsheet would take
 * for a formula is escaped; a byte order mark tells it that the text is UTF-8.
 */
export function csvOf(columns: { key: string; header: string }[], rows: AsyncIterable<object>): Readable {
  const csv = stringify({ header: true, bom: true, escape_formulas: true, cast, columns });
  // What fails while it is read ends the answer, and whoever stops reading ends the reading.
  return pipeline(Readable.from(rows), csv, () => undefined);
}
