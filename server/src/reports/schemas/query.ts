import type { Readable } from "node:stream";
import { type Static, type TSchema, Type } from "typebox";
import { csvOf } from "../../monitors/schemas/imports.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { oneOf, Timestamp, type Word } from "../../platform/operations/field.ts";
import { takeTurns } from "../../platform/turns.ts";
import { REPORT_RANGES, type WindowInput } from "../report-points.ts";

const moment = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

export const ReportQuery = Type.Object({
  range: Type.Optional(
    oneOf(REPORT_RANGES, { description: "How far back from `to`. Default: 30d. Not together with `from`." }),
  ),
  from: moment("Where the report begins, at most 366 days before its end. Not together with `range`."),
  to: moment("Where it ends. Default, and at the latest: now."),
});

export const windowInputOf = ({ range, from, to }: Static<typeof ReportQuery>): WindowInput => ({
  range,
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
});

const ReportPeriod = Type.Object(
  {
    from: { ...Timestamp, description: "Where it begins." },
    to: { ...Timestamp, description: "Where it ends." },
    previousFrom: {
      ...Timestamp,
      description: "Where the time begins that it is compared with: as long, and right before.",
    },
    stepSeconds: Type.Integer({
      description: "The length of a point: an hour up to eight days, else a day (UTC). Seconds.",
      examples: [86_400],
    }),
  },
  { title: "ReportPeriod" },
);

export const reportHead = {
  organization: Type.Object({
    id: Type.Integer(),
    name: Type.String({ examples: ["Northwind"] }),
  }),
  generatedAt: { ...Timestamp, description: "When it was made." },
  period: ReportPeriod,
};

export const DocumentQuery = Type.Object({
  language: oneOf(LANGUAGES, { default: "en", description: "Of `pdf` and `html`." }),
  timeZone: Type.String({
    format: "time-zone",
    maxLength: 64,
    default: "UTC",
    description: "An IANA name: in which times are written in `pdf` and `html`.",
    examples: ["Europe/Berlin"],
  }),
});

export const REPORT_PDF = {
  type: "application/pdf",
  schema: Type.String({ description: "A PDF, A4.", examples: ["%PDF-1.3"] }),
};

export const REPORT_HTML = {
  type: "text/html",
  schema: Type.String({
    description: "A page for paper that needs nothing else.",
    examples: ["<!doctype html>"],
  }),
};

export const REPORT_CSV = {
  type: "text/csv",
  schema: Type.String({ examples: ["id,uuid,name,url,uptimePercentage,downSeconds\n"] }),
};

interface ItemSchema {
  properties: Record<string, { properties?: Record<string, TSchema> }>;
}

/** Nested fields are prefixed with their object's name. */
function columnsOf(item: TSchema, word: Word): { key: string; header: string }[] {
  const { properties } = item as unknown as ItemSchema;
  // Sentences have columns; their message descriptors are for programs.
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

/** A row each, with the family's field names. */
export const itemsCsv = (item: TSchema, items: readonly object[], word: Word): Readable =>
  csvOf(columnsOf(item, word), rowsOf(items));

async function* rowsOf(items: readonly object[]): AsyncGenerator<object> {
  const giveWay = takeTurns();
  for (const item of items) {
    // Streams go on within the turn for as long as the client reads.
    await giveWay();
    const lists = Object.entries(item).filter(([, value]) => Array.isArray(value));
    yield { ...item, ...Object.fromEntries(lists.map(([name, value]) => [name, value.join(", ")])) };
  }
}

/** `domains-report-2026-10-25-2026-11-24.csv`: by days (UTC). */
export const fileNameOf = (
  subject: string,
  { from, to }: { from: string; to: string },
  ending: string,
): string => `${subject}-report-${from.slice(0, 10)}-${to.slice(0, 10)}.${ending}`;
