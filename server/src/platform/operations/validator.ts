import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { WORDED_FORMATS } from "../formats/formats.ts";

/** What Ajv finds wrong, with what it found and the schema that says so (its option `verbose`). */
export interface Problem {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  data?: unknown;
  parentSchema?: unknown;
}

interface PartSchema {
  maxItems?: number;
  maxProperties?: number;
}

interface ObjectSchema {
  properties?: Record<string, PartSchema>;
  additionalProperties?: unknown;
}

/** More items than anybody intends; each wrong one would be described. */
const ENDLESS_ITEMS = 1000;

/**
 * Lists and objects far beyond their bound, found before a validator looks at their items. An object that may
 * only have the fields it knows is one itself.
 */
function endlessParts({
  properties = {},
  additionalProperties,
}: ObjectSchema): (input: unknown) => Problem[] {
  const bounded = Object.entries(properties).flatMap(([name, { maxItems, maxProperties }]) => {
    const limit = maxItems ?? maxProperties;
    return limit === undefined ? [] : [{ name, limit }];
  });
  return (input) => {
    if (additionalProperties === false && isEndless(input, 0)) return [tooMany("", ENDLESS_ITEMS)];
    const part = (name: string) => (input as Record<string, unknown> | null)?.[name];
    return bounded
      .filter(({ name, limit }) => isEndless(part(name), limit))
      .map(({ name, limit }) => tooMany(`/${name}`, limit));
  };
}

const isEndless = (value: unknown, limit: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (Array.isArray(value) ? value : Object.keys(value)).length > Math.max(limit, ENDLESS_ITEMS);

const tooMany = (instancePath: string, limit: number): Problem => ({
  keyword: "maxItems",
  instancePath,
  schemaPath: "",
  params: { limit },
});

/** Fills in defaults; what is wrong is in `errors`. */
interface Validator {
  (input: unknown): boolean;
  errors?: Problem[] | null;
}

const LAST_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");
const OPTIONS = {
  allErrors: true,
  useDefaults: true,
  strict: false,
  discriminator: true,
  verbose: true,
  code: { process: endLoops },
} as const;

/** How many problems of one input are looked for: more than any honest one has, and few enough to cost little. */
export const MAX_PROBLEMS = 100;

/**
 * Ends each loop in Ajv's code once it has found enough: it has failed by then, also as a branch of a union,
 * so the verdict stays the same.
 */
function endLoops(code: string): string {
  return code
    .replaceAll(
      /for\(let (i\d+)=0; \1<(len\d+); \1\+\+\)\{/g,
      `const $1Most=errors+${MAX_PROBLEMS};for(let $1=0; $1<$2 && errors<$1Most; $1++){`,
    )
    .replaceAll(
      /for\(const (key\d+) in (data\d*)\)\{/g,
      `const $1Most=errors+${MAX_PROBLEMS};for(const $1 in $2){if(errors>=$1Most)break;`,
    );
}

let ajvInstances: { json: Ajv; text: Ajv } | undefined;

/** By their schemas, of JSON and of text. */
const validators = { json: new WeakMap<object, Validator>(), text: new WeakMap<object, Validator>() };

/** One for each schema, compiled at its first input: all of them together are a good part of a start. */
export function getValidator(schema: object, { isText }: { isText: boolean }): Validator {
  const known = validators[isText ? "text" : "json"];
  const validate = known.get(schema) ?? makeValidator(schema, { isText });
  known.set(schema, validate);
  return validate;
}

function makeValidator(schema: object, { isText }: { isText: boolean }): Validator {
  let compiled: ValidateFunction | undefined;
  const endless = endlessParts(schema as ObjectSchema);
  const validate: Validator = (input) => {
    validate.errors = endless(input);
    if (validate.errors.length > 0) return false;
    ajvInstances ??= {
      json: makeAjv(OPTIONS),
      text: makeAjv({ ...OPTIONS, coerceTypes: "array" }),
    };
    compiled ??= ajvInstances[isText ? "text" : "json"].compile(schema);
    const isValid = compiled(input);
    validate.errors = compiled.errors as Problem[] | null;
    return isValid;
  };
  return validate;
}

function makeAjv(options: ConstructorParameters<typeof Ajv>[0]): Ajv {
  const ajv = addFormats.default(new Ajv(options));
  for (const [name, problem] of Object.entries(WORDED_FORMATS)) {
    ajv.addFormat(name, (text: string) => problem(text) === null);
  }
  refuseUnreadableTimes(ajv);
  return ajv;
}

/** A leap second, or the year 10000, is a date and time by RFC 3339, but none that a program here can keep. */
function refuseUnreadableTimes(ajv: Ajv): void {
  const { validate: isByTheRfc } = ajv.formats["date-time"] as { validate(text: string): boolean };
  ajv.addFormat("date-time", (text: string) => isByTheRfc(text) && Date.parse(text) <= LAST_TIME_MS);
}
