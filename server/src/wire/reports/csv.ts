import type { Readable } from "node:stream";
import { type TSchema, Type } from "typebox";
import { csvOf } from "../csv.ts";
import type { Word } from "../word.ts";

export const REPORT_CSV = {
  type: "text/csv",
  schema: Type.String({ examples: ["id,uuid,name,url,uptimePercentage,downSeconds\n"] }),
};

interface ItemSchema {
  properties: Record<string, { properties?: Record<string, TSchema> }>;
}

/** A file's columns: the fields of an item; those of an object within it begin with its name. */
function columnsOf(item: TSchema, word: Word): { key: string; header: string }[] {
  const { properties } = item as unknown as ItemSchema;
  // A sentence has its own column; what it is made of is for programs that speak other languages.
  const fields = Object.entries(properties).filter(([name]) => !name.endsWith("Fact"));
  return fields.flatMap(([name, { properties: inner }]) =>
    inner
      ? Object.keys(inner).map((field) => ({
          key: `${name}.${field}`,
          header: word(`${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`),
        }))
      : [{ key: name, header: word(name) }],
  );
}

/** The items of a report as a file, a row each, in the family's words. */
export const itemsCsv = (item: TSchema, items: readonly object[], word: Word): Readable =>
  csvOf(columnsOf(item, word), rowsOf(items));

async function* rowsOf(items: readonly object[]): AsyncGenerator<object> {
  for (const item of items) {
    const lists = Object.entries(item).filter(([, value]) => Array.isArray(value));
    yield { ...item, ...Object.fromEntries(lists.map(([name, value]) => [name, value.join(", ")])) };
  }
}

/** `domains-report-2026-10-25-2026-11-24.csv`: by the days (UTC) of the report's beginning and end. */
export const fileNameOf = (
  subject: string,
  { from, to }: { from: string; to: string },
  ending: string,
): string => `${subject}-report-${from.slice(0, 10)}-${to.slice(0, 10)}.${ending}`;
