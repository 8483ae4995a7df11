import type { Static } from "typebox";
import { inEnglish } from "../../texts/english.ts";
import { DomainCreate } from "../domain-input.ts";
import { ImportResult } from "../imports.ts";
import { ServiceCreate } from "../service-input.ts";
import { snakeSchema, toSnake } from "./snake-case.ts";
import { declaredNames, snakeFields } from "./snake-errors.ts";

const declared = declaredNames([snakeSchema(DomainCreate), snakeSchema(ServiceCreate)]);

type Result = Static<typeof ImportResult>;
type Problem = Result["entries"][number]["problems"][number];

/** What became of a file in v2's words: fields that are wrong are named as v2 names them. */
export const spellImport = (result: Result): object =>
  toSnake(ImportResult, {
    ...result,
    entries: result.entries.map((entry) => ({ ...entry, problems: entry.problems.map(spelled) })),
  });

function spelled({ field, fact, message }: Problem): Problem {
  if (!fact) return { field, fact, message };
  const [named] = Object.entries(snakeFields({ [field]: [fact] }, declared));
  const [name, facts] = named ?? [field, []];
  const what = facts[0] ?? fact;
  return { field: name, fact: what, message: inEnglish(what) };
}
