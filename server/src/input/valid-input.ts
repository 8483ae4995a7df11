import type { Static, TSchema } from "typebox";
import { invalidInput } from "../errors.ts";
import { closedSchema } from "../wire/v2/domains.ts";
import { fieldErrors } from "./field-errors.ts";
import { nulProblems } from "./forbidden-text.ts";
import { judgeOf } from "./judge.ts";

const judges = new WeakMap<TSchema, ReturnType<typeof judgeOf>>();

/**
 * The input as its schema describes it, defaults filled in. Throws 422 with every field that is wrong or not
 * declared.
 */
export function validInput<I extends TSchema>(schema: I, given: unknown): Static<I> {
  let judge = judges.get(schema);
  if (!judge) judges.set(schema, (judge = judgeOf(closedSchema(schema), { isText: false })));
  const input = structuredClone(given);
  const unreadable = nulProblems(input);
  if (Object.keys(unreadable).length > 0) throw invalidInput(unreadable);
  if (!judge(input)) throw invalidInput(fieldErrors(judge.errors ?? []));
  return input as Static<I>;
}
