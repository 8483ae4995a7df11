import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  Type,
} from "typebox";
import type { Ref } from "../database/sql.ts";
import { notFound } from "../errors.ts";
import { inEnglish } from "../i18n/english.ts";
import type { MessageDescriptor } from "../i18n/message.ts";
import type { SecretHint } from "../secrets/config-secrets.ts";

export function oneOf<const Values extends readonly string[]>(values: Values, options: TSchemaOptions = {}) {
  return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], ...options });
}

/** ISO 8601 UTC with milliseconds and `Z`. */
export const Timestamp = Type.String({
  format: "date-time",
  description: "ISO 8601, UTC, with milliseconds.",
  examples: ["2026-11-21T09:30:00.000Z"],
});

const DAY_MS = 86_400_000;
/** Days as text: an answer has many times of few days. */
const days = new Map<number, string>();
const MAX_CACHED_DAYS = 1_000;
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));

/** As Date's toISOString, in a fifth of its time. Throws a RangeError for what is no time. */
export function timestamp(ms: number): string {
  const ofDay = ms - Math.floor(ms / DAY_MS) * DAY_MS;
  if (!Number.isSafeInteger(ms) || !(ofDay >= 0 && ofDay < DAY_MS)) return new Date(ms).toISOString();
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
  return `${dayOf(ms - ofDay)}${time}.${String(ofDay % 1000).padStart(3, "0")}Z`;
}

function dayOf(at: number): string {
  let text = days.get(at);
  if (text !== undefined) return text;
  text = new Date(at).toISOString().slice(0, -"00:00:00.000Z".length);
  if (days.size >= MAX_CACHED_DAYS) days.clear();
  days.set(at, text);
  return text;
}

export const timestampOrNull = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

export const Name = Type.String({
  format: "name",
  description: "1 to 255 characters; space around them does not count.",
  examples: ["Ada Lovelace"],
});

/** The type or null, in the one form that costs nothing to serialise. */
export function nullable<T extends TSchema>(schema: T, description?: string) {
  const { type, enum: values } = schema as unknown as { type: string; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, "null"],
    ...(values && { enum: [...values, null] }),
    ...(description && { description }),
  });
}

/**
 * Text from outside, such as a page's title or a banner: assistants are informed that it is data
 * (assistant/tools/answer.ts). Of an object or a list: all text in it.
 */
export const fromOutside = <T extends TSchema>(schema: T): T => ({ ...schema, "x-untrusted": true });

const secretText: SecretHint = { "x-secret": "changers" };

/** Text that grants access. It is not sent to the assistant's model (assistant/tools/assistant-tools.ts). */
export const asSecret = <T extends TSchema>(schema: T): T => ({ ...schema, ...secretText });

export const Uuid = Type.String({ format: "uuid", examples: ["0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"] });

/** A duration, or null where nothing is known. */
export const ms = (description: string) =>
  Type.Unsafe<number | null>({
    type: ["number", "null"],
    description: `${description} Milliseconds; null when there is none.`,
    examples: [87.4],
  });

/** A share of time, or null where nothing is known. */
export const percent = (description: string) =>
  Type.Unsafe<number | null>({
    type: ["number", "null"],
    minimum: 0,
    maximum: 100,
    description: `${description} Percent, 0 to 100; null while nothing is known.`,
    examples: [99.98],
  });

/** Microseconds as the API writes durations: milliseconds with at most one decimal. */
export const milliseconds = (us: number | null): number | null =>
  us === null ? null : Math.round(us / 100) / 10;

/** At most three decimals, rounded down: 99.9999 is not 100. */
export const percentage = (value: number | null): number | null =>
  value === null ? null : Math.floor(value * 1000 + 1e-6) / 1000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A path parameter that takes either form. Not validated by schema: an id of neither form is unknown, so 404. */
export const IdText = Type.String({ description: "Integer id or uuid.", examples: ["42"] });

/** The same in a body, where the integer may be a number. */
export const idIn = (extra: { description?: string; examples?: unknown[] }) =>
  Type.Unsafe<string | number>({
    ...{ type: ["string", "integer"], minLength: 1, maxLength: 64, minimum: 1 },
    ...extra,
  });

/** What every DELETE answers. */
export const Deleted = Type.Object(
  { id: Type.Integer({ description: "Of what was deleted.", examples: [42] }) },
  { title: "Deleted" },
);

/** In REST it is in the path. */
export const IdParams = Type.Object({ id: IdText });

export const withId = <T extends TProperties>(change: TObject<T>) =>
  Type.Object({ id: IdText, ...change.properties }, { title: (change as { title?: string }).title });

/** Throws 404 for text that is neither an integer nor a uuid. */
export function parseId(text: string): Ref {
  const id = readId(text);
  if (!id) throw notFound();
  return id;
}

/** The same for one id of many; null for text that is none. */
export function readId(text: string): Ref | null {
  if (/^[1-9]\d{0,14}$/.test(text)) return { id: Number(text) };
  return UUID.test(text) ? { uuid: text.toLowerCase() } : null;
}

export const isMeant = (ref: Ref, { id, uuid }: { id: number | null; uuid: string | null }): boolean =>
  "id" in ref ? ref.id === id : ref.uuid === uuid;

/** A family's word for one of legacy's: the same in legacy, in snake_case in v2. */
export type Word = (legacy: string) => string;

/** The word as it begins a name. */
export const capital: Word = (word) => word.charAt(0).toUpperCase() + word.slice(1);

type Unshown<Shape> = { readonly [Name in keyof Shape]: Unformatted<Shape[Name]> };
type Unformatted<Value> = string extends Value
  ? Value | number
  : Value extends unknown[]
    ? readonly [...Value]
    : Value;

/** A thing as its schema shows it: the fields that this declares and no others, times as the API writes them. */
export const shown = <Fields extends TProperties>(
  { properties }: TObject<Fields>,
  thing: Unshown<Static<TObject<Fields>>>,
): Static<TObject<Fields>> =>
  Object.fromEntries(
    Object.entries<TSchema & { format?: string }>(properties).map(([name, { format }]) => {
      const value = (thing as Record<string, unknown>)[name];
      return [name, format === "date-time" && typeof value === "number" ? timestamp(value) : value];
    }),
  ) as Static<TObject<Fields>>;

const own = {
  code: Type.String({ description: "Which sentence it is, e.g. `timeout.body`.", examples: ["refused"] }),
  params: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: "What fills the sentence in. Days and times are ISO 8601, durations milliseconds.",
      examples: [{ where: "shop.example (192.0.2.1:443)" }],
    }),
  ),
};

const withOthers = {
  ...own,
  also: Type.Optional(
    Type.Array(Type.Object(own), {
      description: "What holds beside it and is said after it, the most important first.",
    }),
  ),
};

/** Beside each field that holds a sentence: the same in no language. One shape, so that it is one component. */
export const MessageSchema = nullable(
  Type.Object(
    {
      ...withOthers,
      because: Type.Optional(
        Type.Object(
          {
            ...withOthers,
            because: Type.Optional(Type.Object(withOthers, { description: "The message behind that." })),
          },
          { description: "The message behind it." },
        ),
      ),
    },
    { title: "Fact" },
  ),
  "What the sentence says, for those who say it in another language; null where there is none, or a person wrote it.",
);

/** A message as the API's sentences say it, in English; null where there is none. */
export const sentenceOf = (message: MessageDescriptor | null | undefined): string | null =>
  message ? inEnglish(message) : null;
