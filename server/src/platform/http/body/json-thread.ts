import { getValidator, type ParsedJson, type Problem, parseJson } from "../../operations/validator.ts";
import { handleRequests } from "../../worker-pool.ts";

/** A body that is too large to be parsed and validated where everybody waits. */
export interface LargeBody {
  bytes: Uint8Array;
  maxValues: number;
  /** As JSON text, where the route has one. */
  schema: string | null;
}

/** What became of it: parsed and valid, or what is wrong with it by its schema, or why it was refused. */
export type LargeOutcome = ParsedJson | { problems: Problem[] };

const schemas = new Map<string, object>();

handleRequests<LargeBody>(async ({ bytes, maxValues, schema }): Promise<LargeOutcome> => {
  const parsed = parseJson(bytes, maxValues);
  if (schema === null || !("value" in parsed)) return parsed;
  let known = schemas.get(schema);
  if (!known) schemas.set(schema, (known = JSON.parse(schema) as object));
  const validate = getValidator(known, { isText: false });
  // A body that is not valid never leaves this thread: only what is wrong with it does.
  return validate(parsed.value) ? parsed : { problems: (validate.errors ?? []).map(withoutValues) };
});

/** A problem without the objects and lists that it was found in, of which the texts of field-errors.ts need the names only. */
function withoutValues({ keyword, instancePath, schemaPath, params, data, parentSchema }: Problem): Problem {
  const { tagValue: _, ...publicParams } = params;
  const { properties } = (parentSchema ?? {}) as { properties?: object };
  return {
    ...{ keyword, instancePath, schemaPath, params: publicParams },
    ...(typeof data !== "object" && { data }),
    ...(properties && {
      parentSchema: { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, true])) },
    }),
  };
}
