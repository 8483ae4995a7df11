import { randomUUID } from "node:crypto";

/**
 * The subset of JSONPath that assertions know: `$`, then `.name`, `['any name']`, `["any name"]` and
 * `[0]` in any number. No wildcards, filters or negative indexes: a path means one value.
 */
export const JSON_PATH_PATTERN =
  "^\\$(\\.[A-Za-z_][A-Za-z0-9_-]*|\\[(0|[1-9][0-9]{0,8})\\]|\\['[^'\\]]{1,200}'\\]|\\[\"[^\"\\]]{1,200}\"\\])*$";

const WHOLE = new RegExp(JSON_PATH_PATTERN);
const STEP = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\['([^'\]]+)'\]|\["([^"\]]+)"\]/g;

/** Names (text) and indexes (number); null for what is no path of the subset. */
export function parseJsonPath(path: string): (string | number)[] | null {
  if (!WHOLE.test(path)) return null;
  return Array.from(path.matchAll(STEP), ([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? "") : Number(index),
  );
}

/** The value at the path, or undefined where there is none. Only what the document itself holds counts. */
export function readJsonPath(document: unknown, path: string): unknown {
  const steps = parseJsonPath(path);
  if (steps === null) return undefined;
  let value = document;
  for (const step of steps) {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value) !== (typeof step === "number") || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** Longer ones are no numbers that anybody compares, and reading them takes the square of their length. */
const MAX_EXACT_DIGITS = 400;
/** A text of the document, or an integer of so many digits that a number of JavaScript may not be equal to it. */
const TEXT_OR_LARGE = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?:[.eE][\d.eE+-]*)?/g;
const LARGE_INTEGER = new RegExp(`^-?\\d{16,${MAX_EXACT_DIGITS}}$`);
/** Stands before large integers, which are read as texts; no document can know it. */
const LARGE_MARK = `${randomUUID()} `;

/**
 * A JSON text as a document for `readJsonPath`; `exactValue` gives its large integers as they are written. Throws SyntaxError.
 */
export function parseDocument(text: string): unknown {
  const document: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return document;
  return JSON.parse(
    text.replace(TEXT_OR_LARGE, (found) => (LARGE_INTEGER.test(found) ? `"${LARGE_MARK}${found}"` : found)),
  );
}

/** A value of a document, where it is a large integer as a bigint. */
export function exactValue(value: unknown): unknown {
  return typeof value === "string" && value.startsWith(LARGE_MARK)
    ? BigInt(value.slice(LARGE_MARK.length))
    : value;
}

/** A number to compare with: exactly where it is a large integer; NaN where it is none. */
export function exactNumber(value: unknown): number | bigint {
  if (typeof value === "bigint" || typeof value === "number") return value;
  if (typeof value !== "string" || value === "") return Number.NaN;
  return LARGE_INTEGER.test(value) ? BigInt(value) : Number(value);
}
