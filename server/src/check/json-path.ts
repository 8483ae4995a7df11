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
