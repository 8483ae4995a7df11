import { createHmac } from "node:crypto";
import { isEmail, normalizeEmail } from "../../account/email.ts";
import { hashToken } from "../../account/token.ts";
import type { TargetPolicy } from "../../check/guard.ts";
import { hostProblem } from "../../check/host-problem.ts";
import type { SecretBox } from "../../context.ts";
import { webUrlProblem } from "../../monitor/web-url.ts";
import { hostOf } from "../../notification/channel/fields.ts";
import { newSecret } from "../../notification/channel/webhook.ts";
import { isMailable } from "../../notification/mail/mail.ts";
import type { Subscriber } from "../../store/queries/subscribers.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import type { SubscriberKind } from "./kinds.ts";

/** Longer ones no server takes. */
const MAX_URL_LENGTH = 2_048;
const PURPOSE = "addresses that were asked";

/** Where a webhook or a channel of Slack leads; `secret` is what a webhook's messages are signed with. */
export interface Destination {
  url: string;
  secret: string;
}

/** Where somebody is told, as it is kept. */
export interface SubscriberAddress {
  kind: SubscriberKind;
  /** What lists show: a mailbox, or a host. */
  address: string;
  /** Each once a page. */
  hash: string;
  /** Null for e-mail. */
  destination: Destination | null;
}

/**
 * An address as somebody typed it: mailboxes in lower case, dots and all else as they are, since only their own server knows
 * whether that means the same. Gives what is wrong with one that nothing can be sent to.
 */
export function readAddress(
  kind: SubscriberKind,
  text: string,
  targets: TargetPolicy,
): SubscriberAddress | { problem: Fact } {
  const typed = text.trim();
  if (kind === "email") {
    const address = normalizeEmail(typed);
    if (!isEmail(address) || !isMailable(address)) return { problem: fact("subscriber.no_email") };
    return { kind, address, hash: hashToken(`${kind} ${address}`), destination: null };
  }
  const problem = typed.length > MAX_URL_LENGTH ? fact("subscriber.no_url") : webUrlProblem(typed);
  const url = problem ? null : URL.parse(typed);
  if (!url) return { problem: problem ?? fact("subscriber.no_url") };
  const refused = hostProblem(url.hostname, targets);
  if (refused) return { problem: refused };
  const { href } = url;
  return {
    ...{ kind, address: hostOf(href), hash: hashToken(`${kind} ${href}`) },
    destination: { url: href, secret: newSecret() },
  };
}

/**
 * What is kept of an address that was asked: nobody without the installation's key can tell which it is. What follows a plus sign
 * in a mailbox's name is left out: most servers deliver all of them into one inbox; and so is what follows the path of a URL.
 */
export function askedHash(
  secrets: SecretBox,
  { kind, address, secrets: sealed }: Pick<Subscriber, "kind" | "address" | "secrets">,
): string {
  const mailbox = address.replace(/^([^+@]+)\+[^@]*@/, "$1@");
  const place = sealed === null ? mailbox : placeOf(openDestination(secrets, sealed).url);
  return createHmac("sha256", secrets.derive(PURPOSE))
    .update(hashToken(`${kind} ${place}`))
    .digest("hex");
}

/** Who is asked at a URL: neither its query nor a name before its host makes that somebody else. */
const placeOf = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

/** The same of an address whatever the page, sealed where that is a secret. */
export const sealDestination = (secrets: SecretBox, destination: Destination | null): string | null =>
  destination && secrets.seal(JSON.stringify(destination));

/** Where it leads. */
export const openDestination = (secrets: SecretBox, sealed: string): Destination =>
  JSON.parse(secrets.open(sealed)) as Destination;
