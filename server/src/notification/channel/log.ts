import type { TSchema } from "typebox";
import { splitSecrets } from "../../secret/config-secrets.ts";
import type { ReceivedAnswer, SentRequest } from "../../store/queries/delivery-attempts.ts";
import { masked } from "../../texts/masked.ts";
import type { ChannelAnswer } from "./kind.ts";
import type { ComposedRequest } from "./post.ts";

const MAX_LOGGED = 4_096;
const MASK = "********";
/** Shorter ones are in every text. */
const SHORTEST_SECRET = 4;
/** Of an address, so that its words stay readable. */
const SHORTEST_PART = 8;

/** Everything in a configuration that must not be shown, as it is and as an address or a text of JSON would have it. */
export function secretsOf(schema: TSchema, config: object): string[] {
  const told = Object.values(splitSecrets(schema, config).secret).flatMap(textsIn);
  // Some hold several addresses.
  const forms = told
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      ...partsOfAddress(secret),
    ]);
  return [...new Set(forms)].filter(({ length }) => length >= SHORTEST_SECRET);
}

/** Of a secret address its path is the secret, and so is each part that nobody would guess. */
function partsOfAddress(secret: string): string[] {
  if (/^(?!https?:)[\w+.-]+:\/\//i.test(secret)) {
    return secret.split(/[^\w.~%+-]+/).filter(({ length }) => length >= SHORTEST_PART);
  }
  const url = URL.parse(secret);
  if (!url) return [];
  const parts = url.pathname.split("/").filter(({ length }) => length >= SHORTEST_PART);
  return [url.pathname + url.search, (url.pathname + url.search).slice(1), ...parts];
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** A request as the log shows it. */
export function loggedRequest(request: ComposedRequest, secrets: readonly string[]): SentRequest {
  const { method, url, headers, body } = request;
  const path = masked(url.pathname + url.search, secrets);
  const shown = headers.map(([name, value]) => [
    name,
    name === "authorization" ? MASK : masked(value, secrets),
  ]);
  return {
    method,
    url: url.origin + path,
    headers: Object.fromEntries(shown),
    body: shownText(body, secrets),
  };
}

/** The beginning of an answer as the log shows it. */
export const loggedAnswer = (
  { status, body }: ChannelAnswer,
  secrets: readonly string[],
): ReceivedAnswer => ({
  status,
  body: shownText(body, secrets),
});

/** PostgreSQL keeps no NUL. */
const shownText = (text: string, secrets: readonly string[]): string =>
  masked(text, secrets).slice(0, MAX_LOGGED).replaceAll("\0", "\ufffd").toWellFormed();
