/** A text or number in a JSON answer, by the names that lead to it; null where there is none. */
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
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, 255) : null;
}
