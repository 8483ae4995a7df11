import type { TSchema } from "typebox";
import type { FieldErrors } from "../errors.ts";
import type { Problem } from "../input/endless-parts.ts";
import { fieldErrors } from "../input/field-errors.ts";
import { judgeOf } from "../input/judge.ts";

/** What is wrong with a configuration by its kind's schema, by the path that begins with `field`. Defaults are not filled in. */
export function configProblems(schema: TSchema, config: object, field: string): FieldErrors {
  const judge = judgeOf(schema, { isText: false });
  if (judge(structuredClone(config))) return {};
  const inField = ({ instancePath, ...problem }: Problem) => ({
    ...problem,
    instancePath: `/${field}${instancePath}`,
  });
  return fieldErrors((judge.errors ?? []).map(inField));
}
