import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidInput, unavailable } from "../../errors.ts";
import { MAX_VALUES, parseJson, refusalOf } from "../../operations/parse-json.ts";
import type { Problem } from "../../operations/validator.ts";
import { createThread, ThreadEnded } from "../../worker-pool.ts";
import { RefusedRequest } from "../refusals.ts";
import type { LargeBody, LargeOutcome } from "./json-thread.ts";
import { readBody } from "./read-body.ts";

/** Up to here a body is parsed at once, which takes 1 ms at most; larger ones are parsed and validated beside the main thread. */
const AT_ONCE_BYTES = 32 * 1024;
const HEAP_MB = 256;
const IDLE_MS = 60_000;
const STUCK_MS = 20_000;
const RETRY_SECONDS = 5;

/** None of a valid body. */
const found = new WeakMap<object, Problem[]>();

export const problemsFound = (body: unknown): Problem[] | undefined =>
  typeof body === "object" && body !== null ? found.get(body) : undefined;

/** JSON bodies, unpacked and within all limits, without `__proto__` and U+0000; empty counts as none. */
export function readJsonBodies(app: FastifyInstance): void {
  const thread = createThread<LargeBody>({
    entry: new URL("./json-thread.ts", import.meta.url),
    name: "vedette-bodies",
    workerData: null,
    limits: { maxOldGenerationSizeMb: HEAP_MB },
    idleMs: IDLE_MS,
    stuckMs: STUCK_MS,
  });
  app.addHook("onClose", () => thread.close());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest) => {
    const bytes = await readBody(request);
    const maxValues = request.routeOptions.config.maxBodyValues ?? MAX_VALUES;
    const isLarge = bytes.length > AT_ONCE_BYTES;
    const outcome = isLarge ? await parseBeside(request, bytes, maxValues) : parseJson(bytes, maxValues);
    return valueOf(request, outcome, maxValues);
  });

  async function parseBeside(
    request: FastifyRequest,
    bytes: Buffer,
    maxValues: number,
  ): Promise<LargeOutcome> {
    const schema = schemaText(request.routeOptions.schema?.body);
    try {
      const outcome = (await thread.run({ bytes, maxValues, schema })) as LargeOutcome;
      const isValid = "value" in outcome && schema !== null;
      if (isValid && typeof outcome.value === "object" && outcome.value !== null)
        found.set(outcome.value, []);
      return outcome;
    } catch (error) {
      throw error instanceof ThreadEnded ? unavailable(RETRY_SECONDS, error) : error;
    }
  }
}

const texts = new WeakMap<object, string>();

function schemaText(schema: unknown): string | null {
  if (typeof schema !== "object" || schema === null) return null;
  const text = texts.get(schema) ?? JSON.stringify(schema);
  texts.set(schema, text);
  return text;
}

function valueOf(request: FastifyRequest, outcome: LargeOutcome, maxValues: number): unknown {
  if ("value" in outcome) return outcome.value;
  if ("problems" in outcome) {
    // A placeholder for the body, which stayed in the thread; validation finds there what is wrong with it.
    const body = {};
    found.set(body, outcome.problems);
    return body;
  }
  if (outcome.refused === "invalid_fields") {
    request.body = outcome.outline;
    throw invalidInput(outcome.fields);
  }
  const { status, message } = refusalOf(outcome.refused, maxValues);
  throw new RefusedRequest(status, message);
}

const MAX_FORM_BYTES = 65_536;

/** Within `scope` what a form of a page sends is read as URLSearchParams. */
export function readForms(scope: FastifyInstance): void {
  const read = async (request: FastifyRequest) => (await readBody(request, MAX_FORM_BYTES)).toString();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    async (request: FastifyRequest) => new URLSearchParams(await read(request)),
  );
  // Nothing of ours sends it; mail programs may, with nothing in it that anybody reads (RFC 8058, 3.1).
  scope.addContentTypeParser("multipart/form-data", async (request: FastifyRequest) => {
    await read(request);
    return new URLSearchParams();
  });
}

/** Empty where there is none. */
export const fieldOf = (body: unknown, name: string): string =>
  body instanceof URLSearchParams ? (body.get(name) ?? "") : "";

export const fieldsOf = (body: unknown, name: string): string[] =>
  body instanceof URLSearchParams ? body.getAll(name) : [];
