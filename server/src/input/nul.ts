import type { FieldErrors } from "../errors.ts";
import { type Fact, fact } from "../texts/fact.ts";

const NUL = "\u0000";
/** Nobody honest sends more. */
const MAX_PROBLEMS = 20;

/**
 * The fields of a body or query (nested with dots) that hold U+0000 in their text or name, and what is wrong; in
 * a name it is shown as ␀. No text of the API means anything by that character, and
 * PostgreSQL cannot hold it. Without recursion: a body may be nested as deep as it is long.
 */
export function nulProblems(input: unknown): FieldErrors {
  const problems = new Map<string, Fact>();
  const waiting: [path: string, value: unknown][] = [["", input]];
  for (let next = waiting.pop(); next && problems.size < MAX_PROBLEMS; next = waiting.pop()) {
    const [path, value] = next;
    if (typeof value === "string" && value.includes(NUL))
      problems.set(path || "body", fact("input.nul", { field: path || "body" }));
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const field = path === "" ? name : `${path}.${name}`;
      if (!name.includes(NUL)) waiting.push([field, inner]);
      else if (problems.size < MAX_PROBLEMS)
        problems.set(shown(field), fact("input.nul_name", { field: shown(field) }));
    }
  }
  return Object.fromEntries([...problems].map(([field, problem]) => [field, [problem]]));
}

const shown = (name: string): string => name.replaceAll(NUL, "␀");
