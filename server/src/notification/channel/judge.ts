import { retryAfterMs } from "../../retry-after.ts";
import { excerpt, type Fact, fact } from "../../texts/fact.ts";
import { MAX_PAUSE_MS } from "../rules.ts";
import type { Outcome } from "../transport.ts";
import type { ChannelAnswer, HttpChannelKind } from "./kind.ts";

/** What there is to read in a page of an error stands at its beginning. */
const MAX_READ = 16_384;
const HTML = /^\s*<(?:!doctype|html|head|body)\b/i;
const TITLE = /<title\b[^<>]*>([^<]*)/i;
const UNREAD = /<(script|style)\b[^]*?(?:<\/\1[^<>]*>?|$)/gi;
const TAG = /<[^<>]*>?/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", " "],
]);

/** What an answer says to people: of a web page its title, or else its words. */
export function textOfAnswer({ body, header }: ChannelAnswer): string {
  if (!HTML.test(body) && !/^text\/html\b/i.test(header("content-type") ?? "")) return body;
  const page = body.slice(0, MAX_READ);
  return inWords(TITLE.exec(page)?.[1] ?? "") || inWords(page.replace(UNREAD, " ").replace(TAG, " "));
}

const inWords = (text: string): string =>
  text
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity)
    .replace(/\s+/g, " ")
    .trim();

/** Nobody is there any more, or our credentials are refused: nothing else would be taken either. */
const ENDED = new Set([401, 403, 404, 410]);
/** It took too long, or came too early. */
const AGAIN = new Set([408, 425]);
const TOO_MANY = 429;
/** Where it is not said how long a pause is wanted. */
const PAUSE_MS = 30_000;

/**
 * What an answer means: for most services by its status code alone. `secrets` are masked in what it said. `unknown`: the
 * message that was referred to is gone.
 */
export function judged(
  kind: Pick<HttpChannelKind, "judge" | "pauseMs" | "reference" | "isSelfHosted">,
  answer: ChannelAnswer,
  { where, secrets, now }: { where: string; secrets: readonly string[]; now: number },
): Outcome | "unknown" {
  const { status } = answer;
  const said = excerpt(textOfAnswer(answer), secrets) || "-";
  const because = (code: FailureCode): Fact => fact(code, { where, status, said });
  const own = kind.judge?.(answer, now);
  const judgement = own ?? byStatus(answer, now);
  if (own === undefined && judgement === "ended" && kind.isSelfHosted)
    return { is: "postponed", why: because("delivery.failed"), isRefusal: true };
  if (judgement === "unknown") return "unknown";
  if (judgement === "sent") {
    const reference = kind.reference?.(answer) ?? null;
    const pauseMs = kind.pauseMs?.(answer);
    const afterMs = pauseMs === undefined ? {} : { afterMs: bounded(pauseMs) };
    return { is: "sent", said: fact("delivery.accepted", { where, status }), reference, ...afterMs };
  }
  if (judgement === "redirect") return { is: "refused", why: fact("delivery.redirect", { where, status }) };
  if (judgement === "refused") return { is: "refused", why: because("delivery.refused") };
  if (judgement === "ended") return { is: "refused", why: because("delivery.ended"), ended: true };
  if (judgement === "later") return { is: "postponed", why: because("delivery.failed") };
  if ("moved" in judgement) {
    return { is: "postponed", why: because("delivery.failed"), moved: judgement.moved };
  }
  const afterMs = bounded(judgement.afterMs);
  return { is: "postponed", why: fact("delivery.busy", { where, status }), afterMs };
}

/** A pause that was asked for, in whole milliseconds. */
const bounded = (ms: number): number => Math.min(Math.ceil(ms), MAX_PAUSE_MS);

type FailureCode = "delivery.refused" | "delivery.ended" | "delivery.failed";

function byStatus(answer: ChannelAnswer, now: number) {
  const { status } = answer;
  if (status >= 200 && status < 300) return "sent";
  if (status >= 300 && status < 400) return "redirect";
  if (status === TOO_MANY) return { afterMs: retryAfterMs(answer.header("retry-after"), now) ?? PAUSE_MS };
  if (ENDED.has(status)) return "ended";
  if (AGAIN.has(status) || status >= 500) {
    const afterMs = status === 503 ? retryAfterMs(answer.header("retry-after"), now) : null;
    return afterMs === null ? "later" : { afterMs };
  }
  return "refused";
}
