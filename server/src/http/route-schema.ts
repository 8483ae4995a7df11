import type { TSchema } from "typebox";
import { Failure, successOf } from "../wire/envelope.ts";
import type { Family } from "./route.ts";

/** The facts of a route that shape its documentation. */
interface Described {
  method: string;
  url: string;
  family: Family;
  resource?: string;
  tag?: string;
  summary: string;
  description?: string;
  limit?: unknown;
  loopback?: boolean;
  failures?: readonly number[];
  paged?: boolean;
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
  409: "It contradicts what is there; the message says how.",
  413: "The body is larger than 256 KB.",
  415: "The body is not JSON.",
  422: "Invalid input; `errors` names every bad field.",
  429: "Too many requests; `Retry-After` says when to come back.",
  500: "A fault of the server's; quote the request id.",
  503: "The store cannot be reached; `Retry-After` says when to come back.",
};

/**
 * Fastify's schema of a route. `answers` is `{200|201: data schema}` for enveloped routes, or
 * `{content type: schema}` for raw ones.
 */
export function routeSchema(route: Described, answers: Record<string, TSchema>): object {
  const success = Object.fromEntries(
    Object.entries(answers).map(([key, schema]) =>
      /^\d+$/.test(key)
        ? [key, answer("application/json", envelopeOf(route, schema))]
        : [200, answer(key, schema)],
    ),
  );
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
    ...(route.querystring && { querystring: route.querystring }),
    ...(route.body && { body: route.body }),
    response: { ...success, ...failuresOf(route), ...special },
  };
}

const answer = (contentType: string, schema: object) => ({
  description: "Done.",
  content: { [contentType]: { schema } },
});

function envelopeOf(route: Described, data: TSchema): object {
  return successOf(data, route.paged ? (route.family === "v2" ? "v2" : "legacy") : null);
}

function failuresOf(route: Described): Record<number, object> {
  const codes = [500, 503];
  if (route.family !== "public") codes.push(401, 403);
  if (route.limit !== null) codes.push(429);
  if (route.url.includes(":") || namesOrganization(route)) codes.push(404);
  if (route.body) codes.push(400, 413, 415);
  if (route.body || route.querystring) codes.push(422);
  codes.push(...(route.failures ?? []));
  const content = { "application/json": { schema: Failure } };
  return Object.fromEntries(codes.map((code) => [code, { description: FAILURES[code], content }]));
}

/** Whether it takes an organization by its query or body, which may be one the caller does not know. */
const namesOrganization = (route: Described): boolean =>
  route.family !== "public" &&
  [route.querystring, route.body].some((schema) =>
    Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).some((name) =>
      /^organization(Id)?$/.test(name),
    ),
  );

function securityOf(route: Described): object[] {
  if (route.family === "public") return [];
  // The last, empty one: nothing at all also does.
  return [{ bearer: [] }, { cookie: [] }, ...(route.loopback ? [{}] : [])];
}

/** `GET /api/domains/:id` becomes `getApiDomainsById`. */
function operationId(method: string, url: string): string {
  const words = url.split(/[/\-._]/).filter((word) => word !== "");
  const name = words.map((word) => (word.startsWith(":") ? `By${capital(word.slice(1))}` : capital(word)));
  return method.toLowerCase() + name.join("");
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
