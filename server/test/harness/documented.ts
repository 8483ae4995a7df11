import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OPENAPI_FILE } from "../../src/app/http/openapi-text.ts";
import { formatProblem, WORDED_FORMATS } from "../../src/platform/formats/formats.ts";
import { isNavigation } from "../../src/platform/http/security-headers.ts";

interface Answer {
  $ref?: string;
  headers?: Record<string, object>;
  content?: Record<string, object>;
}
interface Operation {
  operationId: string;
  responses: Record<string, Answer>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Answer> };
}

/** What informs a client about itself, and so has to be documented wherever it is sent. */
const DOCUMENTED_HEADERS = /^(retry-after|ratelimit-|x-request-id)/;
/** Built by the global set-up of the run. */
const DOCUMENT = JSON.parse(readFileSync(OPENAPI_FILE, "utf8")) as Document;
/** Operation id to its place in the document. */
const OPERATIONS = new Map(
  Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, { operation: Operation; at: string[] }] => [
      operation.operationId,
      { operation, at: ["paths", path, method, "responses"] },
    ]),
  ),
);
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
for (const name of Object.keys(WORDED_FORMATS)) {
  ajv.addFormat(name, (text: string) => formatProblem(name, text) === null);
}
ajv.addSchema(DOCUMENT, "openapi");
const validators = new Map<string, ValidateFunction>();

/**
 * Compares every answer that the server gives, to whatever client, with what the OpenAPI document says of
 * that operation and status. Gives the complaints, which the harness makes failures of the test.
 */
export function watchAnswers(app: FastifyInstance): string[] {
  const complaints: string[] = [];
  // Before the compression, which is a hook of each route and so comes after this one.
  app.addHook("onSend", (request, reply, payload, done) => {
    for (const complaint of findProblems(request, reply, payload)) {
      complaints.push(`${request.method} ${request.url} answered ${reply.statusCode}: ${complaint}`);
    }
    done(null, payload);
  });
  return complaints;
}

/** A route may send what was compressed before. */
const textOf = (bytes: Uint8Array, reply: FastifyReply): string =>
  (reply.getHeader("content-encoding") === "gzip" ? gunzipSync(bytes) : Buffer.from(bytes)).toString();

function findProblems(request: FastifyRequest, reply: FastifyReply, payload: unknown): string[] {
  const { schema } = request.routeOptions;
  const id = (schema as { operationId?: string } | undefined)?.operationId;
  const isJson = String(reply.getHeader("content-type")).startsWith("application/json");
  const text = payload instanceof Uint8Array ? textOf(payload, reply) : payload;
  if (id === undefined) {
    const isFailure = reply.statusCode >= 400 && isJson && typeof text === "string";
    return isFailure ? validateBody(["components", "schemas", "Failure"], text) : [];
  }
  const found = OPERATIONS.get(id);
  // A route that a test added. That every other one is documented is a test of its own.
  if (!found) return [];
  // A person is led to the page of that name: no answer of the API.
  if (reply.statusCode === 302 && isNavigation(request)) return [];
  const status = String(reply.statusCode);
  const documented = found.operation.responses[status];
  if (!documented) return ["a status that is not documented"];
  const name = documented.$ref?.split("/").at(-1);
  const answer = name === undefined ? documented : (DOCUMENT.components.responses[name] as Answer);
  const problems = validateHeaders(reply, answer);
  if (request.method === "HEAD" || !isJson || typeof text !== "string") return problems;
  const at = name === undefined ? [...found.at, status] : ["components", "responses", name];
  return [...problems, ...validateBody([...at, "content", "application/json", "schema"], text)];
}

function validateHeaders(reply: FastifyReply, answer: Answer): string[] {
  const documented = new Set(Object.keys(answer.headers ?? {}).map((name) => name.toLowerCase()));
  return Object.keys(reply.getHeaders())
    .filter((name) => DOCUMENTED_HEADERS.test(name) && !documented.has(name))
    .map((name) => `the header ${name} is not documented`);
}

function validateBody(at: string[], text: string): string[] {
  const ref = `openapi#/${at.map(pointer).join("/")}`;
  const known = validators.get(ref);
  const validate = known ?? ajv.compile({ $ref: ref });
  if (!known) validators.set(ref, validate);
  if (validate(JSON.parse(text))) return [];
  return [`${ajv.errorsText(validate.errors, { dataVar: "body" })} in ${text.slice(0, 500)}`];
}

const pointer = (segment: string): string =>
  encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"));
