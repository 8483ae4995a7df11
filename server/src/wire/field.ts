import { type TSchemaOptions, Type } from "typebox";

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

/** Milliseconds since 1970 as the API writes times. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();

/** `timestamp` for a time that may not have come. */
export const timestampOrNull = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

/** What people call something. */
export const Name = Type.String({
  format: "name",
  description: "1 to 255 characters; space around them does not count.",
  examples: ["Ada Lovelace"],
});

/** The organization filter of legacy (`organization` or `organizationId`) and v2 (`organization`). */
export const OrganizationFilter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      "Id, uuid or slug of an organization you belong to. Default: the one of your key or session.",
  }),
);
