import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorKind, PublicError } from "../errors.ts";
import { fieldErrors } from "../input/field-errors.ts";
import { wordsOf } from "./error-words.ts";
import { type Address, allowedMethods } from "./method.ts";
import { RefusedRequest, refusalText } from "./refusals.ts";

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
};

const UNAVAILABLE_RETRY_SECONDS = 5;

/** Every failure leaves through here, in the failure envelope and without a word about the inside. */
export function handleErrors(app: FastifyInstance, isUnavailable: (error: unknown) => boolean): void {
  const addresses: Address[] = [];
  app.addHook("onRoute", ({ method, url }) => void addresses.push({ methods: [method].flat(), url }));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The client left before its request was complete: there is nobody to answer, and nothing went wrong here.
    if (request.raw.errored === error) return void reply.hijack();
    try {
      sendFailure(request, reply, isUnavailable(error) ? unavailable(error) : error);
    } catch (cause) {
      // Fastify would answer in its own words, and reveal what went wrong here.
      sendUnknown(request, reply, new AggregateError([error, cause], "failed to tell of a failure"));
    }
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(addresses, request.url);
    // An id longer than the router takes: the method is right, and nothing has that id.
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return fail(reply, 404, "Resource not found.");
    }
    reply.header("allow", allowed.join(", "));
    return fail(reply, 405, `Method not allowed. This address answers to ${allowed.join(", ")}.`);
  });
}

const unavailable = (cause: unknown): PublicError =>
  new PublicError("unavailable", "Service Unavailable", {
    retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
    cause,
  });

function sendFailure(request: FastifyRequest, reply: FastifyReply, error: FastifyError | PublicError) {
  if (error instanceof PublicError) return sendPublic(request, reply, error);
  if (error instanceof RefusedRequest) return fail(reply, error.statusCode, error.message);
  if (error.validation) {
    const errors = fieldErrors(error.validation, {
      isQuery: error.validationContext === "querystring",
      word: wordsOf(request).sentence,
    });
    return fail(reply, 422, "The given data was invalid.", { errors });
  }
  const status = error.statusCode ?? 500;
  if (status === 503) {
    reply.header("retry-after", UNAVAILABLE_RETRY_SECONDS);
    return fail(reply, 503, "Service Unavailable");
  }
  if (status >= 400 && status < 500) return fail(reply, status, refusalOf(error, status));
  return sendUnknown(request, reply, error);
}

function sendUnknown(request: FastifyRequest, reply: FastifyReply, error: Error) {
  request.log.error({ err: error, reqId: request.id }, "request failed");
  return fail(reply, 500, "Server Error", { request_id: request.id });
}

function sendPublic(request: FastifyRequest, reply: FastifyReply, error: PublicError) {
  const status = STATUS[error.kind];
  if (error.cause || status >= 500) request.log.warn({ err: error, reqId: request.id }, error.message);
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  return fail(
    reply,
    status,
    error.message,
    error.fields && { errors: wordsOf(request).fields(error.fields) },
  );
}

function refusalOf(error: FastifyError, status: number): string {
  if (status === 400 && (error.code?.includes("JSON") || error instanceof SyntaxError)) {
    return "The body is not valid JSON.";
  }
  return refusalText(status);
}

function fail(reply: FastifyReply, status: number, message: string, more: object = {}) {
  return reply
    .status(status)
    .type("application/json; charset=utf-8")
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send({ success: false, message, ...more });
}
