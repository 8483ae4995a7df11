import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorKind, type FieldErrors, PublicError, unavailable } from "../errors.ts";
import { inEnglish } from "../i18n/english.ts";
import { type MessageDescriptor, msg } from "../i18n/message.ts";
import type { Language } from "../i18n/render.ts";
import { fieldErrors } from "../operations/field-errors.ts";
import { declaredNames, snakeFields, snakeMessage } from "../operations/snake-case.ts";
import type { RefusedBody } from "./route.ts";
import { isNavigation, languageOf } from "./security-headers.ts";
import { clientNetwork } from "./visitor.ts";

/** What a body may be at most where its route does not say otherwise. */
export const BODY_LIMIT_BYTES = 256 * 1024;

export const tooLarge = (limitBytes: number): MessageDescriptor =>
  msg("request.large", { limit: Math.floor(limitBytes / 1024) });

/** Before any handler saw the request. */
const ANSWERS: Record<number, MessageDescriptor> = {
  400: msg("request.unreadable"),
  405: msg("request.method"),
  408: msg("request.slow"),
  413: tooLarge(BODY_LIMIT_BYTES),
  414: msg("request.long"),
  415: msg("request.media"),
  417: msg("request.expectation"),
  431: msg("request.header"),
  501: msg("request.coding"),
};

export const refusalOf = (status: number): MessageDescriptor => ANSWERS[status] ?? msg("request.refused");

/** A request that HTTP itself forbids, that took too long, or for which there is no room. Nothing of it is logged. */
export class RefusedRequest extends Error {
  readonly statusCode: number;
  readonly descriptor: MessageDescriptor;
  readonly retryAfterSeconds: number | undefined;

  constructor(statusCode: number, what = refusalOf(statusCode), retryAfterSeconds?: number) {
    super(inEnglish(what));
    this.statusCode = statusCode;
    this.retryAfterSeconds = retryAfterSeconds;
    this.descriptor = what;
  }
}

export const failureOf = (what: MessageDescriptor, more: object = {}): object => ({
  success: false,
  message: inEnglish(what),
  ...more,
  fact: what,
});

/** Milliseconds. */
export interface RequestLimits {
  /** For header and body together; a client's time. */
  requestMs: number;
  /** For the header, from the connection or the answer before. */
  headersMs: number;
  /** How often the limits are looked at. */
  checkMs: number;
  /** From then on a body must have come at `leastBytesPerSecond` on average. */
  slowAfterMs: number;
  leastBytesPerSecond: number;
  /** How much is read and dropped of a request that was answered before it was complete. */
  dropBytes: number;
  /** And for how long. */
  dropMs: number;
  /** When nothing more of it comes for this long, the connection ends. */
  dropIdleMs: number;
  /** A connection with a request, over which nothing moves for so long, is ended. */
  stallMs: number;
  /** How many requests may wait for their turn, each with what Node keeps of one (begin-in-turns.ts). */
  waiting: number;
}

/** A body is 256 KB at most: enough for the worst of lines, too little for those that block connections. */
export const REQUEST_LIMITS: RequestLimits = {
  requestMs: 30_000,
  headersMs: 15_000,
  checkMs: 1_000,
  slowAfterMs: 10_000,
  leastBytesPerSecond: 500,
  dropBytes: 32 * 1024 * 1024,
  dropMs: 30_000,
  dropIdleMs: 5_000,
  stallMs: 60_000,
  waiting: 4_000,
};

/** Decisions §2. */
const STATUS: Record<ErrorKind, number> = {
  unauthenticated: 401,
  plan_required: 403,
  scope_required: 403,
  forbidden: 403,
  quota_reached: 403,
  not_found: 404,
  conflict: 409,
  invalid_input: 422,
  rate_limited: 429,
  unavailable: 503,
  upstream_failed: 502,
};

const UNAVAILABLE_RETRY_SECONDS = 5;
/** From one address: more than any program gets wrong in a minute, and too few to try out credentials or addresses. */
export const REFUSALS = { group: "refused", perMinute: 300 };
/** Clients may choose a field's name; as much as a message shows of it. */
const MAX_FIELD_LENGTH = 500;

/**
 * Every failure leaves through here, without a word about the inside. A browser at an unknown address gets a
 * page.
 */
export function handleErrors(
  app: FastifyInstance,
  isUnavailable: (error: unknown) => boolean,
  sendMissingPage: (reply: FastifyReply, language: Language) => FastifyReply,
): void {
  const addresses: Addresses = new Map();
  app.addHook("onRoute", ({ method, url }) => addAddress(addresses, url, [method].flat()));
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    // The client left before its request or its answer was complete: nothing went wrong here.
    const isGone = !request.raw.complete || reply.raw.destroyed || reply.raw.socket?.destroyed !== false;
    const isCutOff = error.code === "ERR_STREAM_PREMATURE_CLOSE" && isGone;
    if (request.raw.errored === error || isCutOff) return void reply.hijack();
    try {
      const own = isUnavailable(error) ? unavailable(UNAVAILABLE_RETRY_SECONDS, error) : error;
      const status = statusOf(own);
      const isRefusal = status >= 400 && status < 500 && status !== 429;
      sendFailure(request, reply, (isRefusal && (await overLimit(request))) || own);
    } catch (cause) {
      // Fastify would answer in its own words, and reveal what went wrong here.
      sendUnknown(request, reply, new AggregateError([error, cause], "failed to report a failure"));
    }
    return reply;
  });
  app.setNotFoundHandler(async (request, reply) => {
    const refusal = await overLimit(request);
    if (refusal) return sendPublic(request, reply, refusal);
    if (isNavigation(request)) return sendMissingPage(reply, languageOf(request));
    const allowed = allowedMethods(addresses, request.url);
    // An id longer than the router takes: the method is right, and nothing has that id.
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return fail(reply, 404, msg("request.not_found"));
    }
    reply.header("allow", allowed.join(", "));
    return fail(reply, 405, msg("request.methods", { methods: allowed.join(", ") }));
  });
}

/** For a client without valid credentials whose requests failed too often, whatever they failed on. */
export async function overLimit({ caller, server, ip }: FastifyRequest): Promise<PublicError | null> {
  if (caller !== null) return null;
  return server.limiter.take(null, REFUSALS.group, `address:${clientNetwork(ip)}`, REFUSALS.perMinute).then(
    () => null,
    (error: unknown) => {
      if (error instanceof PublicError) return error;
      throw error;
    },
  );
}

function statusOf(error: FastifyError | PublicError): number {
  if (error instanceof PublicError) return STATUS[error.kind];
  return error.validation ? 422 : (error.statusCode ?? 500);
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, error: FastifyError | PublicError) {
  if (error instanceof PublicError) return sendPublic(request, reply, error);
  if (error instanceof RefusedRequest) {
    if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
    return fail(reply, error.statusCode, error.descriptor);
  }
  if (error.validation) {
    const fields = fieldErrors(error.validation, {
      isQuery: error.validationContext === "querystring",
      word: wordsOf(request).message,
    });
    return fail(reply, 422, msg("input.invalid"), toPublicFields(fields));
  }
  const status = statusOf(error);
  if (status === 503) {
    reply.header("retry-after", UNAVAILABLE_RETRY_SECONDS);
    return fail(reply, 503, msg("request.unavailable"));
  }
  if (status < 400 || status >= 500) return sendUnknown(request, reply, error);
  return fail(reply, status, refusalOf(status));
}

function sendUnknown(request: FastifyRequest, reply: FastifyReply, error: Error) {
  request.log.error({ err: error, reqId: request.id }, "request failed");
  return fail(reply, 500, msg("request.error"), { request_id: request.id });
}

function sendPublic(request: FastifyRequest, reply: FastifyReply, error: PublicError) {
  const status = STATUS[error.kind];
  if (error.cause || status === 503) request.log.warn({ err: error, reqId: request.id }, error.message);
  if (status === 401) reply.header("www-authenticate", error.challenge ?? "Bearer");
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  return fail(
    reply,
    status,
    error.descriptor,
    error.fields && toPublicFields(wordsOf(request).fields(error.fields)),
  );
}

/** In English and as codes. */
function toPublicFields(fields: FieldErrors) {
  const messages = Object.entries(fields).map(
    ([field, own]) => [field.slice(0, MAX_FIELD_LENGTH).toWellFormed(), own] as const,
  );
  return {
    errors: Object.fromEntries(messages.map(([field, own]) => [field, own.map(inEnglish)])),
    facts: Object.fromEntries(messages),
  };
}

function fail(
  reply: FastifyReply,
  status: number,
  what: MessageDescriptor,
  more: { facts?: RefusedBody["fields"] } & Record<string, unknown> = {},
) {
  const { body, routeOptions } = reply.request;
  const { failure } = routeOptions.config ?? {};
  return reply
    .status(status)
    .type("application/json; charset=utf-8")
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(failure ? failure(status, what, { fields: more.facts, body }) : failureOf(what, more));
}

/** In Fastify's form (`/api/domains/:id`), by how many segments they have. */
type Addresses = Map<number, { methods: string[]; segments: string[] }[]>;

function addAddress(addresses: Addresses, url: string, methods: string[]): void {
  const segments = url.split("/");
  const alike = addresses.get(segments.length) ?? [];
  addresses.set(segments.length, [...alike, { methods, segments }]);
}

/** Which methods a path answers to, for 405 and `Allow`. A catch-all (`/*`) is no address of its own. */
function allowedMethods(addresses: Addresses, url: string): string[] {
  const path = (url.split("?")[0] ?? url).split("/");
  const methods = (addresses.get(path.length) ?? [])
    .filter(({ segments }) => fits(segments, path))
    .flatMap((address) => address.methods);
  return [...new Set(methods)].sort();
}

const fits = (pattern: string[], path: string[]): boolean =>
  pattern.every((segment, at) => (segment.startsWith(":") ? path[at] !== "" : segment === path[at]));

interface Words {
  message(message: MessageDescriptor): MessageDescriptor;
  fields(fields: FieldErrors): FieldErrors;
}

const LEGACY: Words = { message: (message) => message, fields: (fields) => fields };
const known = new WeakMap<object, Words>();

/** Operations name fields in legacy's words; v2 translates. */
function wordsOf(request: FastifyRequest): Words {
  const { config, schema } = request.routeOptions;
  if (config.family !== "v2" || !schema) return LEGACY;
  let words = known.get(schema);
  if (!words) {
    const declared = declaredNames([schema.querystring, schema.body]);
    words = {
      message: (message) => snakeMessage(message, declared),
      fields: (fields) => snakeFields(fields, declared),
    };
    known.set(schema, words);
  }
  return words;
}
