import type { TSchema } from "typebox";
import type { FieldErrors } from "../errors.ts";
import { fieldErrors } from "../input/field-errors.ts";
import { judgeOf } from "../input/judge.ts";

const judges = new WeakMap<TSchema, ReturnType<typeof judgeOf>>();

/** What is wrong with a configuration by its kind's schema, by field. Defaults are not filled in. */
export function configProblems(schema: TSchema, config: object): FieldErrors {
  let judge = judges.get(schema);
  if (!judge) judges.set(schema, (judge = judgeOf(schema, { isText: false })));
  return judge(structuredClone(config)) ? {} : fieldErrors(judge.errors ?? []);
}
