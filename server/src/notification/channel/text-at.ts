/** The longest that is taken of it. */
const MAX_LENGTH = 255;

/**
 * A text or number in a JSON answer, by the names that lead to it; null where there is none, or one that nobody would
 * send in earnest: it may be stored, and sent back.
 */
export function textAt(body: string, ...path: string[]): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).slice(0, MAX_LENGTH);
  return /\p{Cc}/u.test(text) || !text.isWellFormed() ? null : text;
}
