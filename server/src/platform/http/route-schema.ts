import type { FastifyInstance, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { invalidInput, notFound } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import { Failure, successOf } from "../operations/envelope.ts";
import { capital } from "../operations/field.ts";
import { nulProblems } from "../operations/forbidden-text.ts";
import { ORGANIZATION_FIELDS } from "../operations/paging.ts";
import { getValidator } from "../operations/validator.ts";
import { problemsFound } from "./body/json-body.ts";
import { RefusedRequest } from "./refusals.ts";
import type { Family } from "./route.ts";

interface Described {
  method: string;
  url: string;
  family: Family;
  resource: string | null;
  tag?: string;
  summary: string;
  description?: string;
  limit?: unknown;
  loopback?: boolean;
  by?: string;
  failures?: readonly number[];
  paged?: boolean;
  beside?: Readonly<Record<string, TSchema>>;
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
  answers?: Record<number, TSchema>;
}

const FAILURES: Record<number, string> = {
  400: "Malformed request.",
  401: "No or invalid credentials.",
  403: "The plan, a scope, the role or a quota does not permit it.",
  404: "Unknown, or of an organization you do not belong to.",
  408: "The request took too long to arrive.",
  409: "It conflicts with what is already there; the message says how.",
  413: "The body is too large; the message says how large it may be.",
  415: "The body is not JSON.",
  417: "`Expect` requests something other than `100-continue`.",
  422: "Invalid input; `errors` names every bad field.",
  429: "Too many requests; `Retry-After` says when to come back.",
  431: "The headers are too large.",
  500: "A fault of the server's; quote the request id.",
  501: "The body has a transfer coding other than `chunked`.",
  502: "Another server, which was queried for you, did not answer, or not well; the message says which.",
  503: "The store cannot be reached, or too many requests came at once; `Retry-After` says when to come back.",
};

/** `answers`: `{200|201: data schema}` for enveloped routes, `{content type: schema}` for raw ones, or both. */
export function routeSchema(route: Described, answers: Record<string, TSchema>): object {
  const success: Record<string, Answer> = {};
  for (const [key, schema] of Object.entries(answers)) {
    const isStatus = /^\d+$/.test(key);
    const [status, one] = isStatus
      ? [key, answer("application/json", envelopeOf(route, schema))]
      : ["200", answer(key, schema)];
    success[status] = { ...one, content: { ...success[status]?.content, ...one.content } };
  }
  const special = Object.fromEntries(
    Object.entries(route.answers ?? {}).map(([code, schema]) => [code, answer("application/json", schema)]),
  );
  return {
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: [route.tag ?? route.resource ?? "public"],
    operationId: operationId(route.method, route.url),
    security: securityOf(route),
    ...(route.params && { params: route.params }),
    ...(route.querystring && { querystring: withoutDefaulted(route.querystring) }),
    ...(route.body && { body: withoutDefaulted(route.body) }),
    response: { ...success, ...failuresOf(route), ...special },
  };
}

interface Answer {
  description: string;
  content: Record<string, { schema: object }>;
}

const answer = (contentType: string, schema: object): Answer => ({
  description: "Done.",
  content: { [contentType]: { schema } },
});

/** A handler always finds what has a default; a client need not send it. */
function withoutDefaulted(schema: TSchema): TSchema {
  const { properties = {}, required } = schema as PlainObject;
  if (!required) return schema;
  const mandatory = required.filter((name) => properties[name]?.default === undefined);
  return { ...schema, required: mandatory.length > 0 ? mandatory : undefined } as TSchema;
}

interface PlainObject {
  properties?: Record<string, { default?: unknown }>;
  required?: string[];
}

function envelopeOf(route: Described, data: TSchema): object {
  if (!route.paged) return successOf(data);
  const { page } = (route.querystring as PlainObject | undefined)?.properties ?? {};
  const always = page?.default !== undefined;
  return successOf(data, { family: route.family === "v2" ? "v2" : "legacy", always, beside: route.beside });
}

function failuresOf(route: Described): Record<number, object> {
  const codes = [400, 417, 431, 500, 503];
  if (route.family !== "public") codes.push(401, 403);
  if (route.limit !== null) codes.push(429);
  if (route.url.includes(":") || namesOrganization(route)) codes.push(404);
  if (route.method !== "GET") codes.push(408, 413, 415, 501);
  if (route.body || route.querystring) codes.push(422);
  codes.push(...(route.failures ?? []));
  const content = { "application/json": { schema: Failure } };
  return Object.fromEntries(codes.map((code) => [code, { description: FAILURES[code], content }]));
}

/** Whether it takes an organization by its query or body, which may be one the caller does not know. */
const namesOrganization = (route: Described): boolean =>
  route.family !== "public" &&
  [route.querystring, route.body].some((schema) => {
    const { properties = {} } = (schema ?? {}) as PlainObject;
    return ORGANIZATION_FIELDS.some((name) => name in properties);
  });

function securityOf(route: Described): object[] {
  if (route.family === "public") return [];
  // What is for signed-in people is refused to keys.
  if (route.by === "session") return [{ cookie: [] }];
  // The last, empty one: nothing at all also does.
  return [{ bearer: [] }, { cookie: [] }, ...(route.loopback ? [{}] : [])];
}

/** `GET /api/domains/:id` becomes `getApiDomainsById`. */
function operationId(method: string, url: string): string {
  const words = url.split(/[/\-._]/).filter((word) => word !== "");
  const name = words.map((word) => (word.startsWith(":") ? `By${capital(word.slice(1))}` : capital(word)));
  return method.toLowerCase() + name.join("");
}

/** Bodies are typed; path and query are coerced. Undeclared fields: ignored in legacy, refused in v2. */
export function installValidation(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === "body"
      ? getBodyValidator(schema as object)
      : getValidator(schema as object, { isText: true }),
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
      throw querystring || body ? invalidInput(problems) : new RefusedRequest(400, msg("request.address"));
    }
    // `?search=` says nothing, and so means what leaving it out means.
    const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as { properties?: object };
    for (const name of Object.keys(properties)) if (query[name] === "") delete query[name];
  });
}

/** A large body has been validated where it was parsed: by problems that were found there, or not once more. */
function getBodyValidator(schema: object): ReturnType<typeof getValidator> {
  const validate = getValidator(schema, { isText: false });
  const own: ReturnType<typeof getValidator> = (body) => {
    const found = problemsFound(body);
    const isValid = found ? found.length === 0 : validate(body);
    own.errors = found ?? validate.errors ?? null;
    return isValid;
  };
  return own;
}

const V2 = /^\/(?:api\/)?v2\//;

/** Of an operation without a body, v2 refuses every field of one. Throws 422. */
function refuseUnknownBody({ body, routeOptions: { schema, url = "" } }: FastifyRequest): void {
  if (!schema || schema.body || !V2.test(url) || body === undefined || body === null) return;
  const names = typeof body === "object" ? Object.keys(body) : ["body"];
  if (names.length === 0) return;
  throw invalidInput(Object.fromEntries(names.map((field) => [field, [msg("input.unknown", { field })]])));
}
