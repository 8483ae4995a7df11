import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { invalidInput, notFound } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import { capital } from "../operations/field.ts";
import { Failure, ORGANIZATION_FIELDS, successOf } from "../operations/paging.ts";
import { getValidator, nulProblems } from "../operations/validator.ts";
import { type Exchange, type Exchanges, hasBody } from "./begin-in-turns.ts";
import { breakOff, problemsFound } from "./body/read-body.ts";
import { failureOf, RefusedRequest, type RequestLimits, refusalOf } from "./errors.ts";
import type { Family } from "./route.ts";

/**
 * The router could not read the address, so no hook adds what answers carry. A path parameter longer than any
 * id or slug is unknown; the rest is malformed.
 */
export function answerBadAddress(error: { code?: string }, requestId: string, reply: FastifyReply): void {
  const isLong = error.code === "FST_ERR_MAX_PARAM_LENGTH";
  void reply
    .status(isLong ? 404 : 400)
    .headers({ "x-request-id": requestId, "x-content-type-options": "nosniff" })
    .send(failureOf(msg(isLong ? "request.not_found" : "request.address")));
}

/** What Node calls bytes that are not HTTP, too many, or too slow; anything else is a 400. */
const STATUS: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** With an answer where one can still be sent. */
export type RefuseConnection = (socket: Socket, status: number) => void;

/**
 * In bytes, or while a body is coming by its own route, whose body ends here; one that accepts incomplete
 * bodies (heartbeats) answers as to the whole.
 */
export function refuseBy(exchanges: Exchanges, drop: DropRest): RefuseConnection {
  return (socket, status) => {
    const exchange = exchanges.of(socket);
    if (exchange && !exchange.request.complete) {
      const { response, reply } = exchange;
      // A second answer, or one in the middle of another, would be taken for part of the first.
      if (response.headersSent || reply?.sent) return void socket.destroy();
      if (reply) {
        reply.header("connection", "close");
        return breakOff(exchange.request, new RefusedRequest(status));
      }
    }
    answerLast(exchange, socket, answerBytes(status), drop);
  };
}

/** After those to the requests that were read whole before. */
export function answerLast(earlier: Exchange | null, socket: Socket, bytes: string, drop: DropRest): void {
  const send = () => {
    if (!socket.writable) return;
    socket.end(bytes);
    drop(socket);
  };
  if (earlier?.request.complete && !earlier.response.writableFinished) earlier.response.once("finish", send);
  else send();
}

export function answerNonsense(refuse: RefuseConnection) {
  const refused = new WeakSet<Socket>();
  return (error: Error & { code?: string }, socket: Socket): void => {
    const { code = "" } = error;
    // Node reports unreadable bytes again for each further piece, while these are dropped.
    if (refused.has(socket) && code.startsWith("HPE_")) return;
    refused.add(socket);
    if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    refuse(socket, STATUS[code] ?? 400);
  };
}

/** For connections of which Node provides nothing but the socket. */
export function answerBytes(status: number, more: readonly string[] = []): string {
  const body = JSON.stringify(failureOf(refusalOf(status)));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    "Connection: close",
    ...more,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

const LOOK_MS = 50;

/** Until its time or its allowance is used up. */
type DropRest = (socket: Socket) => void;

/**
 * An answer may be out before the body is in. Closing a connection with unread bytes resets it, and the reset
 * overtakes the answer: so the rest is read and dropped first, up to a bound (RFC 9112 §9.6).
 */
export function dropRestOfBodies(
  app: FastifyInstance,
  exchanges: Exchanges,
  limits: RequestLimits,
): DropRest {
  const dropping = new Map<Socket, () => void>();
  const stop = (socket: Socket) => {
    dropping.get(socket)?.();
    dropping.delete(socket);
  };
  let isClosing = false;
  const drop: DropRest = (socket) => {
    if (dropping.has(socket) || socket.destroyed) return;
    // The server is closing: the rest of a request is not needed.
    if (isClosing) return void setImmediate(() => socket.destroy());
    const stopFollowing = follow(socket, limits);
    const onClose = () => stop(socket);
    socket.once("close", onClose);
    dropping.set(socket, () => {
      stopFollowing();
      // The connection may carry many more requests.
      socket.off("close", onClose);
    });
  };
  exchanges.onRequest(({ request, response, socket }) => {
    if (!hasBody(request)) return;
    // Before Node's own listener, which closes the connection when this was its last answer.
    response.prependOnceListener("finish", () => {
      if (request.complete || socket.destroyed) return;
      const { destroySoon } = socket;
      socket.destroySoon = () => void socket.end();
      drop(socket);
      request.once("end", () => {
        socket.destroySoon = destroySoon;
        stop(socket);
        if (socket.writableEnded) socket.destroySoon();
      });
    });
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    for (const socket of dropping.keys()) socket.destroy();
  });
  return drop;
}

/** Ends the connection after too much, too long, or nothing more; returns a function that stops watching. */
function follow(socket: Socket, { dropBytes, dropMs, dropIdleMs }: RequestLimits): () => void {
  const startBytes = socket.bytesRead;
  const startedAt = performance.now();
  let lastBytes = startBytes;
  let quietSince = startedAt;
  const timer = setInterval(() => {
    const now = performance.now();
    if (socket.bytesRead > lastBytes) quietSince = now;
    lastBytes = socket.bytesRead;
    const isOver = lastBytes - startBytes > dropBytes || now - startedAt > dropMs;
    if (isOver || now - quietSince > dropIdleMs) socket.destroy();
  }, LOOK_MS);
  return () => clearInterval(timer);
}

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
    // Bodies: read-body.ts.
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
