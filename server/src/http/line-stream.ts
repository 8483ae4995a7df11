import type { FastifyReply } from "fastify";
import { type TSchema, Type } from "typebox";
import { PublicError } from "../errors.ts";
import { inEnglish } from "../texts/english.ts";
import { fact } from "../texts/fact.ts";
import { Fact } from "../wire/fact.ts";
import { writerOf } from "./serialization.ts";

/** The content type of an answer in lines (NDJSON). */
export const LINES_TYPE = "application/x-ndjson";

const ErrorLine = Type.Object(
  {
    type: Type.Literal("error", { description: "It failed after it had begun; nothing follows." }),
    message: Type.String({ description: "Why, in English." }),
    fact: Fact,
  },
  { title: "ErrorLine" },
);

/** A line that tells what came of it: the last one, unless it is an error. */
const resultLine = (result: TSchema) =>
  Type.Object({
    type: Type.Literal("result", { description: "It is done; nothing follows." }),
    results: result,
  });

/** Any line of an answer, for OpenAPI. */
export const anyLine = (progress: TSchema, result: TSchema): TSchema =>
  Type.Union([progress, resultLine(result), ErrorLine], {
    description: "One line of the answer; each is a JSON object.",
  });

/** An answer of one JSON object a line, the last of which is a result or an error. */
export interface LineStream {
  /** Says how far it is. The first one begins the answer: what fails before that is an answer as any other. */
  tell(progress: unknown): void;
  hasBegun(): boolean;
  /** Aborted when the client goes away before the end. */
  signal: AbortSignal;
  /** Ends the answer with what came of it. */
  end(results: unknown): void;
  /** Ends the answer with why it failed. */
  fail(error: unknown): void;
}

/** The lines of an answer that has not begun, by the schemas of what is told and of the result. */
export function lineStream(reply: FastifyReply, progress: TSchema, result: TSchema): LineStream {
  const { raw } = reply;
  let hasBegun = false;
  const gone = new AbortController();
  // Fastify's own signal keeps silent once an answer is taken over.
  raw.once("close", () => {
    if (!raw.writableEnded) gone.abort();
  });
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    const headers = reply.getHeaders() as Record<string, string>;
    reply.hijack();
    raw.writeHead(200, {
      ...headers,
      "content-type": `${LINES_TYPE}; charset=utf-8`,
      "cache-control": "no-store",
      // nginx would otherwise collect the lines before passing them on.
      "x-accel-buffering": "no",
    });
  };
  const finish = (line: string) => {
    begin();
    if (!raw.destroyed) raw.end(`${line}\n`);
  };
  return {
    tell(told) {
      begin();
      // Whoever does not read misses some progress, and costs no memory.
      if (!raw.destroyed && !raw.writableNeedDrain) raw.write(`${writerOf(progress)(told)}\n`);
    },
    hasBegun: () => hasBegun,
    signal: gone.signal,
    end: (results) => finish(writerOf(resultLine(result))({ type: "result", results })),
    fail(error) {
      const what = error instanceof PublicError ? error.fact : fact("request.error");
      finish(writerOf(ErrorLine)({ type: "error", message: inEnglish(what), fact: what }));
    },
  };
}
