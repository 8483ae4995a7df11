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

/** Longer ones are no numbers that anybody compares, and reading them takes the square of their length. */
const MAX_EXACT_DIGITS = 400;
const LARGE_INTEGER = new RegExp(`^-?\\d{16,${MAX_EXACT_DIGITS}}$`);
/** What is written for a number: a bigint where it is an integer of so many digits that a number of JavaScript may not be equal to it. */
export const writtenNumber = (text: string): number | bigint =>
  LARGE_INTEGER.test(text) ? BigInt(text) : Number(text);

/** A number to compare with: exactly where it is a large integer; NaN where it is none. */
export function exactNumber(value: unknown): number | bigint {
  if (typeof value === "bigint" || typeof value === "number") return value;
  if (typeof value !== "string" || value === "") return Number.NaN;
  return writtenNumber(value);
}
