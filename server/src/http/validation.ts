import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidInput, notFound } from "../errors.ts";
import { nulProblems } from "../input/forbidden-text.ts";
import { judgeOf } from "../input/judge.ts";
import { fact } from "../texts/fact.ts";
import { problemsFound } from "./body/json-body.ts";
import { RefusedRequest } from "./refusals.ts";

/**
 * Bodies say what they mean in JSON; the text of path and query is coerced. Fields that nobody declared are ignored
 * in legacy and refused in v2 (wire/v2/closed-schema.ts).
 */
export function installValidation(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === "body" ? judgeOfBody(schema as object) : judgeOf(schema as object, { isText: true }),
  );
  app.addHook("preValidation", async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {};
    refuseUnknownBody(request);
    // No id holds U+0000. A query that does is refused by field, or as unreadable where no fields are declared.
    // Bodies: json-body.ts.
    if (Object.keys(nulProblems(request.params)).length > 0) throw notFound();
    const query = request.query as Record<string, unknown>;
    const problems = nulProblems(query);
    if (Object.keys(problems).length > 0) {
      const { querystring, body } = request.routeOptions.schema ?? {};
      throw querystring || body ? invalidInput(problems) : new RefusedRequest(400, fact("request.address"));
    }
    // `?search=` says nothing, and so means what leaving it out means.
    const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as { properties?: object };
    for (const name of Object.keys(properties)) if (query[name] === "") delete query[name];
  });
}

/** A large body has been validated where it was parsed: by problems that were found there, or not once more. */
function judgeOfBody(schema: object): ReturnType<typeof judgeOf> {
  const judge = judgeOf(schema, { isText: false });
  const own: ReturnType<typeof judgeOf> = (body) => {
    const found = problemsFound(body);
    const isValid = found ? found.length === 0 : judge(body);
    own.errors = found ?? judge.errors ?? null;
    return isValid;
  };
  return own;
}

const V2 = /^\/(?:api\/)?v2\//;

/** Of an operation that takes no body, v2 refuses every field of one, as it does those that a body does not declare. Throws 422. */
function refuseUnknownBody({ body, routeOptions: { schema, url = "" } }: FastifyRequest): void {
  if (!schema || schema.body || !V2.test(url) || body === undefined || body === null) return;
  const names = typeof body === "object" ? Object.keys(body) : ["body"];
  if (names.length === 0) return;
  throw invalidInput(Object.fromEntries(names.map((field) => [field, [fact("input.unknown", { field })]])));
}
