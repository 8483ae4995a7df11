import type { IncomingMessage, ServerResponse } from "node:http";
import type { KeptPage } from "../../../page/document/kept-page.ts";
import { type Answer, type Coding, codingFor, isKnown } from "../../answer.ts";
import { VARY } from "../../html-pages.ts";
import { requestIdOf } from "../../request-id.ts";

const DAY_SECONDS = 86_400;
const ID_AT = 1;
const FRESHNESS_AT = 3;

/** Names and values as Node takes them without a copy. What differs from request to request is filled in at its place. */
interface Head {
  known: string[];
  fresh: string[];
}

/** An answer of which nothing has to be made any more. */
export interface ReadyAnswer {
  kept: KeptPage;
  answer: Answer;
  heads: Partial<Record<Coding, Head>>;
}

/** How long a page may be kept elsewhere: as long as it is here, and for a day where it cannot be had any more. */
export const freshness = ({ freshUntil }: KeptPage, now: number): string =>
  `public, max-age=${Math.max(0, Math.ceil((freshUntil - now) / 1000))}, stale-if-error=${DAY_SECONDS}`;

/** Sends answers whose bytes are there; false: they have yet to be made. `security`: the headers of every answer. */
export const sendReady =
  (security: Readonly<Record<string, string>>) =>
  (
    request: IncomingMessage,
    response: ServerResponse,
    { kept, answer, heads }: ReadyAnswer,
    now: number,
  ): boolean => {
    const { headers, method } = request;
    const coding = codingFor(answer, headers["accept-encoding"]);
    const body = answer.bodies[coding];
    if (!body) return false;
    heads[coding] ??= headOf(answer, coding, { security, length: body.length });
    const isSame = isKnown(answer, headers["if-none-match"]);
    const head = heads[coding][isSame ? "known" : "fresh"];
    head[ID_AT] = requestIdOf(request);
    head[FRESHNESS_AT] = answer.headers["cache-control"] ?? freshness(kept, now);
    response.writeHead(isSame ? 304 : 200, head);
    response.end(isSame || method === "HEAD" ? undefined : body);
    return true;
  };

function headOf(
  { headers: own, etag, isFramed }: Answer,
  coding: Coding,
  { security, length }: { security: Readonly<Record<string, string>>; length: number },
): Head {
  const { "cache-control": _, ...headers }: Record<string, string> = {
    ...security,
    vary: VARY,
    ...own,
    etag,
  };
  if (isFramed) delete headers["x-frame-options"];
  if (coding !== "identity") headers["content-encoding"] = coding;
  const known = ["x-request-id", "", "cache-control", "", ...Object.entries(headers).flat()];
  return { known, fresh: [...known, "content-length", String(length)] };
}
