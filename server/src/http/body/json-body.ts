import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidInput, unavailable } from "../../errors.ts";
import { MAX_DEPTH, MAX_VALUES, type ParsedJson, parseJson } from "../../input/parse-json.ts";
import { fact } from "../../texts/fact.ts";
import { createThread, ThreadEnded } from "../../thread.ts";
import { RefusedRequest } from "../refusals.ts";
import type { LargeBody } from "./json-thread.ts";
import { readBody } from "./read-body.ts";

/** Up to here a body is parsed at once, which takes 1 ms at most; larger ones are parsed beside the main thread. */
const AT_ONCE_BYTES = 32 * 1024;
const HEAP_MB = 256;
const IDLE_MS = 60_000;
const STUCK_MS = 20_000;
const RETRY_SECONDS = 5;

/**
 * JSON bodies: unpacked, within the limits of size, depth and number of values, without `__proto__` and U+0000; an empty one
 * counts as no body. Of other types a route accepts only what it has a parser for.
 */
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
    return valueOf(
      bytes.length <= AT_ONCE_BYTES ? parseJson(bytes, maxValues) : await parseBeside(bytes, maxValues),
      maxValues,
    );
  });

  async function parseBeside(bytes: Buffer, maxValues: number): Promise<ParsedJson> {
    try {
      return (await thread.ask({ bytes, maxValues })) as ParsedJson;
    } catch (error) {
      throw error instanceof ThreadEnded ? unavailable(RETRY_SECONDS, error) : error;
    }
  }
}

function valueOf(parsed: ParsedJson, maxValues: number): unknown {
  if (!("refused" in parsed)) return parsed.value;
  switch (parsed.refused) {
    case "nul":
      throw invalidInput(parsed.fields);
    case "depth":
      throw new RefusedRequest(400, fact("request.deep", { limit: MAX_DEPTH }));
    case "values":
      throw new RefusedRequest(413, fact("request.values", { limit: maxValues }));
    case "syntax":
      throw new RefusedRequest(400, fact("request.not_json"));
  }
}
