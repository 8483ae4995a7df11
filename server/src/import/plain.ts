/** What a file says, of which nothing is known yet. */
export type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Its own field of that name; undefined where there is none. */
export const own = (value: unknown, name: string): unknown =>
  isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** What a table has under a word of the file; undefined also for words that every object inherits something by. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** A text that is not empty; numbers are taken for texts, too. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A number, also one that is written as a text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : undefined;
}

/** Yes or no, also written as a text, as where a variable stood; undefined for anything else. */
export function isTrue(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value === 0 ? false : value === 1 ? true : undefined;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  return /^(?:true|yes|on|1)$/.test(text) ? true : /^(?:false|no|off|0)$/.test(text) ? false : undefined;
}

/** Every value of a list; nothing where there is none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Values that are something: not null, false, empty. */
export const isSaid = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : isPlain(value)
      ? Object.keys(value).length > 0
      : value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
