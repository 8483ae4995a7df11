import { type Static, type TSchema, type TSchemaOptions, Type } from "typebox";
import type { SecretHint } from "../secret/config-secrets.ts";

/** A string out of a fixed list. */
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
const DAYS_KEPT = 1_000;
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));

/**
 * Milliseconds since 1970 as the API writes times: what Date's toISOString gives, in a fifth of its
 * time. Throws a RangeError for what is no time.
 */
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
  if (days.size >= DAYS_KEPT) days.clear();
  days.set(at, text);
  return text;
}

/** `timestamp` for a time that may not have come. */
export const timestampOrNull = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

/** What people call something. */
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
 * Text that somebody outside wrote, or that says what they did: a page's title, a banner, the body of an error. Assistants
 * are told that it is data, whatever it says (http/tools/untrusted.ts). Of an object or a list: all text in it.
 */
export const fromOutside = <T extends TSchema>(schema: T): T => ({ ...schema, "x-untrusted": true });

const secretText: SecretHint = { "x-secret": "changers" };

/** Text that lets somebody in. The assistant's model is not told it (http/tools/assistant-tools.ts). */
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
