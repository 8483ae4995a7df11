import type { FieldErrors } from "../errors.ts";

const NUL = "\u0000";
/** Nobody honest sends more. */
const TOLD_MOST = 20;

/**
 * The fields of a body or query (nested with dots) that hold U+0000 in their text or name, each with
 * a sentence. No text of the API means anything by that character, and PostgreSQL cannot hold it.
 * Without recursion: a body may be nested as deep as it is long.
 */
export function nulProblems(input: unknown): FieldErrors {
  const problems: FieldErrors = {};
  const waiting: [path: string, value: unknown][] = [["", input]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path, value] = next;
    if (typeof value === "string" && value.includes(NUL)) tell(problems, path);
    if (Object.keys(problems).length >= TOLD_MOST) break;
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const field = path === "" ? name : `${path}.${name}`;
      if (name.includes(NUL)) tell(problems, field);
      else waiting.push([field, inner]);
    }
  }
  return problems;
}

function tell(problems: FieldErrors, path: string): void {
  const field = path.replaceAll(NUL, "") || "body";
  problems[field] = [`The ${field} field must not contain the character U+0000.`];
}
