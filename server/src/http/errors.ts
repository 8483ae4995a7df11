import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorKind, type FieldErrors, PublicError, unavailable } from "../errors.ts";
import { fieldErrors } from "../input/field-errors.ts";
import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { wordsOf } from "./error-words.ts";
import { type Address, allowedMethods } from "./method.ts";
import { failureOf, RefusedRequest, refusalOf } from "./refusals.ts";

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
/** Told of a field's name, which clients may choose; as much as a fact tells of it. */
const MAX_FIELD_LENGTH = 500;

/** Every failure leaves through here, in the failure envelope and without a word about the inside. */
export function handleErrors(app: FastifyInstance, isUnavailable: (error: unknown) => boolean): void {
  const addresses: Address[] = [];
  app.addHook("onRoute", ({ method, url }) => void addresses.push({ methods: [method].flat(), url }));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The client left before its request was complete: there is nobody to answer, and nothing went wrong here.
    if (request.raw.errored === error) return void reply.hijack();
    try {
      sendFailure(
        request,
        reply,
        isUnavailable(error) ? unavailable(UNAVAILABLE_RETRY_SECONDS, error) : error,
      );
    } catch (cause) {
      // Fastify would answer in its own words, and reveal what went wrong here.
      sendUnknown(request, reply, new AggregateError([error, cause], "failed to tell of a failure"));
    }
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(addresses, request.url);
    // An id longer than the router takes: the method is right, and nothing has that id.
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return fail(reply, 404, fact("request.not_found"));
    }
    reply.header("allow", allowed.join(", "));
    return fail(reply, 405, fact("request.methods", { methods: allowed.join(", ") }));
  });
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, error: FastifyError | PublicError) {
  if (error instanceof PublicError) return sendPublic(request, reply, error);
  if (error instanceof RefusedRequest) return fail(reply, error.statusCode, error.fact);
  if (error.validation) {
    const fields = fieldErrors(error.validation, {
      isQuery: error.validationContext === "querystring",
      word: wordsOf(request).fact,
    });
    return fail(reply, 422, fact("input.invalid"), told(fields));
  }
  const status = error.statusCode ?? 500;
  if (status === 503) {
    reply.header("retry-after", UNAVAILABLE_RETRY_SECONDS);
    return fail(reply, 503, fact("request.unavailable"));
  }
  if (status < 400 || status >= 500) return sendUnknown(request, reply, error);
  return fail(reply, status, refusalOf(status));
}

function sendUnknown(request: FastifyRequest, reply: FastifyReply, error: Error) {
  request.log.error({ err: error, reqId: request.id }, "request failed");
  return fail(reply, 500, fact("request.error"), { request_id: request.id });
}

function sendPublic(request: FastifyRequest, reply: FastifyReply, error: PublicError) {
  const status = STATUS[error.kind];
  if (error.cause || status === 503) request.log.warn({ err: error, reqId: request.id }, error.message);
  if (status === 401) reply.header("www-authenticate", error.challenge ?? "Bearer");
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  return fail(reply, status, error.fact, error.fields && told(wordsOf(request).fields(error.fields)));
}

/** What is wrong with each field, in English and in no language. */
function told(fields: FieldErrors) {
  const facts = Object.entries(fields).map(
    ([field, own]) => [field.slice(0, MAX_FIELD_LENGTH).toWellFormed(), own] as const,
  );
  return {
    errors: Object.fromEntries(facts.map(([field, own]) => [field, own.map(inEnglish)])),
    facts: Object.fromEntries(facts),
  };
}

function fail(reply: FastifyReply, status: number, what: Fact, more: object = {}) {
  const { failure } = reply.request.routeOptions.config ?? {};
  return reply
    .status(status)
    .type("application/json; charset=utf-8")
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(failure ? failure(status, what) : failureOf(what, more));
}
