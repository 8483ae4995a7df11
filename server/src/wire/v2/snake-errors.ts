import type { FieldErrors } from "../../errors.ts";
import type { Fact } from "../../texts/fact.ts";
import { nodesIn, type SchemaNode } from "./schema-node.ts";
import { snakeName } from "./snake-case.ts";

/** Every name that these schemas declare, at any depth. */
export function declaredNames(schemas: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = schemas.filter((schema) => schema !== undefined) as SchemaNode[];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const name of Object.keys(next.properties ?? {})) names.add(name);
    waiting.push(...nodesIn(next));
  }
  return names;
}

/** Params that name fields; what fills in the others is left as people typed it. */
const FIELD_PARAMS: ReadonlySet<string> = new Set(["field", "other", "secret", "changed", "config", "type"]);

/**
 * A fact in whose params verbs name fields as legacy does, as v2 says it: a word becomes snake_case where that is one of
 * the names `declared` by the endpoint.
 */
export function snakeFact(what: Fact, declared: ReadonlySet<string>): Fact {
  if (!what.params) return what;
  const said = ([name, value]: [string, string | number]) =>
    [
      name,
      typeof value === "string" && FIELD_PARAMS.has(name) ? snakeWords(value, declared) : value,
    ] as const;
  return { ...what, params: Object.fromEntries(Object.entries(what.params).map(said)) };
}

const snakeWords = (text: string, declared: ReadonlySet<string>): string =>
  text.replace(/\b[a-z]+[A-Z]\w*/g, (word) => (declared.has(snakeName(word)) ? snakeName(word) : word));

/** What a verb says of fields, said of v2's: every part of a path but the keys of `headers`, which are header names. */
export const snakeFields = (fields: FieldErrors, declared: ReadonlySet<string>): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([path, facts]) => {
      const parts = path.split(".");
      const named = parts.map((part, at) =>
        parts[at - 1] === "headers" || declared.has(part) ? part : snakeName(part),
      );
      return [named.join("."), facts.map((what) => snakeFact(what, declared))];
    }),
  );
