import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { type Static, Type } from "typebox";
import type { FieldErrors } from "../../platform/errors.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import { MONITOR_KINDS } from "../../platform/monitor-defaults.ts";
import { MessageSchema, nullable, oneOf } from "../../platform/operations/field.ts";
import {
  FORMAT_NAMES,
  MAX_CONTENT_CHARACTERS,
  MAX_ENTRIES_AT_ONCE,
  MAX_FILE_ENTRIES,
} from "../import/file-entry.ts";
import type { Imported, ImportOutcome } from "../import/outcome.ts";

/** A body of so many bytes holds the largest file, whatever its characters are. */
export const IMPORT_BODY_BYTES = 8 * 1024 * 1024;

/** POST /api/imports. */
export const ImportRequest = Type.Object(
  {
    content: Type.String({
      minLength: 1,
      maxLength: MAX_CONTENT_CHARACTERS,
      description: `The file itself, at most ${MAX_FILE_ENTRIES.toLocaleString("en")} monitors and 2 MiB. The database of Uptime Kuma (kuma.db) as base64, at most 7 MiB of it; packed by gzip before, it may be much larger.`,
      examples: ["https://example.com\nhttps://example.org\n"],
    }),
    format: Type.Optional(
      oneOf(FORMAT_NAMES, {
        description:
          "`urls`: addresses, one per line. `csv`: a table with a head. `kuma`: the backup of Uptime Kuma 1, or the database of either version. `gatus`: the configuration of Gatus. `vedette`: what `GET /v2/exports` writes. Default: recognised by its content.",
      }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({ default: true, description: "Only say what would be made. False makes it." }),
    ),
    from: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_FILE_ENTRIES,
        default: 0,
        description:
          "The first entry to make, from 0: a large file is imported in several requests. A dry run is of all of them.",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ENTRIES_AT_ONCE,
        default: MAX_ENTRIES_AT_ONCE,
        description: "How many entries to make.",
      }),
    ),
    variables: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 65_536 }), {
        maxProperties: 1000,
        description:
          "Values for the names that the file leaves to be filled in, as `${NAME}`: `missing` lists those without one.",
        examples: [{ SHOP_PASSWORD: "secret" }],
      }),
    ),
  },
  { title: "ImportRequest" },
);

const OUTCOMES = ["create", "created", "duplicate", "invalid", "over_quota"] as const;

const Note = Type.Object(
  { message: Type.String({ examples: ["headers is not imported."] }), fact: MessageSchema },
  { title: "ImportNote" },
);

const ImportEntry = Type.Object(
  {
    index: Type.Integer({ description: "Its position among all entries, from 0." }),
    line: nullable(Type.Integer(), "Where it begins in the file, from 1; null in JSON."),
    kind: oneOf(MONITOR_KINDS),
    name: nullable(Type.String(), "Null where the file gives none and nothing is known of the rest."),
    type: nullable(Type.String({ examples: ["http"] }), "What is spoken."),
    target: nullable(Type.String(), "What is checked; null for an entry that is not valid."),
    outcome: oneOf(OUTCOMES, {
      description:
        "`create`: would be made. `created`: has been made. `duplicate`: there is one of this kind, target and name already (where the file gives no name: of this kind and target). `invalid`: cannot be made. `over_quota`: the plan allows no more.",
    }),
    id: nullable(Type.Integer(), "Of the monitor that was made."),
    problems: Type.Array(
      Type.Object(
        {
          field: Type.String({
            description: "Of the monitor, nested with dots; empty where it is about all of it.",
          }),
          message: Type.String({ examples: ["The url field is required."] }),
          fact: MessageSchema,
        },
        { title: "ImportProblem" },
      ),
    ),
    notes: Type.Array(Note, { description: "What is not imported, or becomes something else." }),
  },
  { title: "ImportEntry" },
);

/** What became of a file. */
export const ImportResult = Type.Object(
  {
    format: oneOf(FORMAT_NAMES),
    dryRun: Type.Boolean(),
    total: Type.Integer({ description: "Entries in the file." }),
    next: nullable(Type.Integer(), "With which `from` to go on; null: there are no more."),
    missing: Type.Array(Type.String(), { description: "Names without a value in `variables`." }),
    notes: Type.Array(Note, { description: "What is not imported of the file as a whole." }),
    summary: Type.Object(
      Object.fromEntries(
        OUTCOMES.map((outcome) => [
          nameOf(outcome),
          Type.Integer({ description: "Entries with this outcome." }),
        ]),
      ) as Record<
        "create" | "created" | "duplicate" | "invalid" | "overQuota",
        ReturnType<typeof Type.Integer>
      >,
      { title: "ImportSummary", description: "How many entries have each outcome." },
    ),
    entries: Type.Array(ImportEntry),
  },
  { title: "ImportResult" },
);

function nameOf(outcome: (typeof OUTCOMES)[number]): string {
  return outcome === "over_quota" ? "overQuota" : outcome;
}

/** What became of a file, in the API's words. Nothing of an entry is repeated but its name, and its target without secrets. */
export function projectImport({ file, isDryRun, entries, next }: ImportOutcome): Static<typeof ImportResult> {
  const counts = OUTCOMES.map((one) => [
    nameOf(one),
    entries.filter(({ outcome }) => outcome === one).length,
  ]);
  return {
    format: file.format,
    dryRun: isDryRun,
    total: file.entries.length,
    next,
    missing: file.missing,
    notes: file.notes.map(noted),
    summary: Object.fromEntries(counts) as Static<typeof ImportResult>["summary"],
    entries: entries.map(projectEntry),
  };
}

const projectEntry = ({ entry, problems, ...known }: Imported): Static<typeof ImportEntry> => ({
  ...known,
  line: entry.line,
  problems: toFieldProblems(problems),
  notes: entry.notes.map(noted),
});

const noted = (what: MessageDescriptor) => ({ message: inEnglish(what), fact: what });

/** Problems as a list, one for each sentence. */
const toFieldProblems = (problems: FieldErrors) =>
  Object.entries(problems).flatMap(([field, messages]) =>
    messages.map((what) => ({ field, message: inEnglish(what), fact: what })),
  );

/** GET /api/exports. */
export const ExportQuery = Type.Object({});

export const EXPORT_FILE = {
  type: "application/yaml",
  schema: Type.String({
    examples: ["vedette: 1\ndomains:\n  - name: Shop\n    url: https://shop.example\nservices: []\n"],
  }),
};

/** Monitors as a file for download. */
export const exportFile = ({ slug, text }: { slug: string; text: AsyncIterable<string> }) => ({
  name: `vedette-${slug}.yaml`,
  content: Readable.from(text),
});

/** A spreadsheet of a country with decimal commas takes `;` for the end of a cell, and what follows for the next one. */
const FORMULA_WITHIN = /(;[\s"]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const cast = { string: (text: string) => text.replace(FORMULA_WITHIN, "$1'") };

/**
 * Rows as a CSV file (RFC 4180), written as they come, under a head of the columns' names. What a spreadsheet would take
 * for a formula is escaped; a byte order mark shows it that the text is UTF-8.
 */
export function csvOf(columns: { key: string; header: string }[], rows: AsyncIterable<object>): Readable {
  const csv = stringify({ header: true, bom: true, escape_formulas: true, cast, columns });
  // A failure while it is read ends the answer, and a client that stops reading ends the reading.
  return pipeline(Readable.from(rows), csv, () => undefined);
}
