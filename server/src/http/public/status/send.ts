import type { FastifyReply, FastifyRequest } from "fastify";
import { isForEverybody } from "../../../page/access/admit.ts";
import type { KeptPage } from "../../../page/document/kept-page.ts";
import { type Answer, bodyIn, codingFor, isKnown } from "../../answer.ts";
import { VARY } from "../../html-pages.ts";
import { freshness } from "./ready.ts";

/** Of pages that are not for everybody nothing is kept anywhere, nor found by search engines. */
const CLOSED = { "cache-control": "private, no-store", "x-robots-tag": "noindex" };
/** These let scripts and pages of other sites have an answer. */
const LENDING = new Set(["access-control-allow-origin", "cross-origin-resource-policy"]);

/** Without what lets other sites have an answer: whoever may see a page that is not for everybody must not lend their eyes. */
function forItself(headers: Answer["headers"]): Answer["headers"] {
  const kept = Object.entries(headers).filter(([name]) => !LENDING.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, value.replace("frame-ancestors *", "frame-ancestors 'none'")]),
  );
}

/** An answer, and the version of the page that it was made of. */
export interface VisitorAnswer {
  kept: KeptPage;
  answer: Answer;
  /** Milliseconds. */
  now: number;
}

/** Puts an answer's headers on a reply, and gives the bytes to send; null: the client has this version, which is a 304. */
export async function prepareAnswer(
  { kept, answer, now }: VisitorAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer | null> {
  const isOpen = isForEverybody(kept.page);
  reply.headers({
    vary: isOpen ? VARY : `${VARY}, authorization, cookie`,
    "cache-control": freshness(kept, now),
    ...(isOpen ? { ...answer.headers, etag: answer.etag } : { ...forItself(answer.headers), ...CLOSED }),
  });
  if (isOpen && answer.isFramed) reply.removeHeader("x-frame-options");
  if (isOpen && isKnown(answer, request.headers["if-none-match"])) {
    reply.status(304);
    return null;
  }
  const coding = codingFor(answer, request.headers["accept-encoding"]);
  if (coding !== "identity") reply.header("content-encoding", coding);
  return bodyIn(answer, coding);
}
