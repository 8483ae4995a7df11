import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { FastifyInstance } from "fastify";
import { invalidInput, notFound } from "../errors.ts";
import { WORDED_FORMATS } from "../wire/worded-formats.ts";
import { endlessParts, type ObjectSchema, type Problem } from "./endless-parts.ts";
import { nulProblems } from "./nul.ts";
import { RefusedRequest, UNREADABLE_ADDRESS } from "./refusals.ts";

const LAST_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * One Ajv for bodies, which say what they mean in JSON, and one for path and query, whose text is
 * coerced. Both report every bad field. Fields that nobody declared are
 * ignored in legacy and refused in v2 (wire/v2/closed-schema.ts).
 */
export function installValidation(app: FastifyInstance): void {
  const options = {
    allErrors: true,
    useDefaults: true,
    strict: false,
    discriminator: true,
    verbose: true,
  } as const;
  const bodies = addFormats.default(new Ajv(options));
  const texts = addFormats.default(new Ajv({ ...options, coerceTypes: "array" }));
  for (const [name, problem] of Object.entries(WORDED_FORMATS)) {
    for (const ajv of [bodies, texts]) ajv.addFormat(name, (text: string) => problem(text) === null);
  }
  for (const ajv of [bodies, texts]) refuseUnreadableTimes(ajv);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compileLater(
      () => (httpPart === "body" ? bodies : texts).compile(schema as object),
      schema as ObjectSchema,
    ),
  );
  app.addHook("preValidation", async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {};
    // No id holds U+0000. A query that does is refused by field, or as unreadable where no fields are declared.
    // Bodies: json-body.ts.
    if (Object.keys(nulProblems(request.params)).length > 0) throw notFound();
    const query = request.query as Record<string, unknown>;
    const problems = nulProblems(query);
    if (Object.keys(problems).length > 0) {
      const { querystring, body } = request.routeOptions.schema ?? {};
      throw querystring || body ? invalidInput(problems) : new RefusedRequest(400, UNREADABLE_ADDRESS);
    }
    // `?search=` says nothing, and so means what leaving it out means.
    const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as { properties?: object };
    for (const name of Object.keys(properties)) if (query[name] === "") delete query[name];
  });
}

/** A leap second, or the year 10000, is a date and time by RFC 3339, but none that a program here can keep. */
function refuseUnreadableTimes(ajv: Ajv): void {
  const { validate: isByTheRfc } = ajv.formats["date-time"] as { validate(text: string): boolean };
  ajv.addFormat("date-time", (text: string) => isByTheRfc(text) && Date.parse(text) <= LAST_TIME_MS);
}

/** Compiled at the first request that it judges: all of them together are a good part of a start. */
function compileLater(compile: () => ValidateFunction, schema: ObjectSchema): Judge {
  let validate: ValidateFunction | undefined;
  const endless = endlessParts(schema);
  const judge: Judge = (input) => {
    judge.errors = endless(input);
    if (judge.errors.length > 0) return false;
    validate ??= compile();
    const isValid = validate(input);
    judge.errors = validate.errors as Problem[] | null;
    return isValid;
  };
  return judge;
}

interface Judge {
  (input: unknown): boolean;
  errors?: Problem[] | null;
}
