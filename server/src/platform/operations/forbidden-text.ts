import { type FieldErrors, invalidInput } from "../errors.ts";
import { type MessageDescriptor, msg } from "../i18n/message.ts";

const NUL = "\u0000";
/** More are an attack. */
const MAX_PROBLEMS = 20;

/** Fields (nested with dots) with U+0000 in text or name, shown as ␀ there: PostgreSQL cannot hold it. */
export function nulProblems(input: unknown): FieldErrors {
  return problemsIn(input, (path, value, add) => {
    if (typeof value === "string" && value.includes(NUL))
      add(path || "body", msg("input.nul", { field: path || "body" }));
    for (const name of namesOf(value)) {
      if (!name.includes(NUL)) continue;
      const field = joined(path, name).replaceAll(NUL, "␀");
      add(field, msg("input.nul_name", { field }));
    }
  });
}

/** The objects of a body with a name that reaches a prototype, which no field of the API has: `__proto__`, or `constructor.prototype`. */
export function reservedNames(body: unknown): FieldErrors {
  return problemsIn(body, (path, value, add) => {
    const field = path || "body";
    for (const name of namesOf(value)) {
      const inner = (value as Record<string, unknown>)[name];
      const isReserved =
        name === "__proto__" || (name === "constructor" && namesOf(inner).includes("prototype"));
      if (isReserved) add(field, msg("input.reserved_name", { field, name }));
    }
  });
}

type Add = (field: string, problem: MessageDescriptor) => void;

/** Without recursion: a body may be nested as deep as it is long. */
function problemsIn(input: unknown, find: (path: string, value: unknown, add: Add) => void): FieldErrors {
  const problems = new Map<string, MessageDescriptor>();
  const add: Add = (field, problem) => {
    if (problems.size < MAX_PROBLEMS) problems.set(field, problem);
  };
  const waiting: [path: string, value: unknown][] = [["", input]];
  for (let next = waiting.pop(); next && problems.size < MAX_PROBLEMS; next = waiting.pop()) {
    const [path, value] = next;
    find(path, value, add);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value))
      if (!name.includes(NUL) && name !== "__proto__") waiting.push([joined(path, name), inner]);
  }
  return Object.fromEntries([...problems].map(([field, problem]) => [field, [problem]]));
}

const namesOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

const joined = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** A text without space around it. Throws 422 when nothing is left. */
export function checkText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw invalidInput({ [field]: [msg("input.required", { field })] });
  return trimmed;
}
