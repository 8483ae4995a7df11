import { createHmac } from "node:crypto";
import type { TargetPolicy } from "../../checks/guard.ts";
import { hashToken, isSameSecret } from "../../platform/access/token.ts";
import type { Context, SecretBox } from "../../platform/context.ts";
import type { Db } from "../../platform/database/db.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { PageComponent } from "../queries/status-page-components.ts";
import type { StatusPage } from "../queries/status-pages.ts";
import { countActiveSubscribers, type Subscriber } from "../queries/subscribers.ts";
import { kindsOffered, SUBSCRIBER_CHANNELS } from "./channels.ts";
import type { SubscriberKind } from "./kinds.ts";
import { isConcerned } from "./page-notification.ts";
import type { Destination } from "./sending.ts";

const PURPOSE = "addresses that were asked";

/** A subscriber's address as it is stored. */
export interface SubscriberAddress {
  kind: SubscriberKind;
  /** What lists show: a mailbox, or a host. */
  address: string;
  /** Each once a page. */
  hash: string;
  /** Null for e-mail. */
  destination: Destination | null;
}

/** An address as typed. Returns what is wrong with one that cannot be written to. */
export function readAddress(
  kind: SubscriberKind,
  typed: string,
  targets: TargetPolicy,
): SubscriberAddress | { problem: MessageDescriptor } {
  const read = SUBSCRIBER_CHANNELS[kind].read(typed.trim(), targets);
  if ("problem" in read) return read;
  const { address, place, destination } = read;
  return { kind, address, hash: hashToken(`${kind} ${place}`), destination };
}

/**
 * The stored hash of an address that received a request, whatever the page: without the installation's key it cannot be
 * reversed.
 */
export function recipientHash(
  secrets: SecretBox,
  subscriber: Pick<Subscriber, "kind" | "address" | "secrets">,
): string {
  const { kind } = subscriber;
  const place = SUBSCRIBER_CHANNELS[kind].canonicalAddress(secrets, subscriber);
  return createHmac("sha256", secrets.derive(PURPOSE))
    .update(hashToken(`${kind} ${place}`))
    .digest("hex");
}

/** How many subscribers an update about these components reaches, by the page's number; pages without any are left out. */
export async function readReach(
  db: Db,
  config: Context["config"],
  shown: readonly { page: StatusPage; components: readonly PageComponent[] }[],
): Promise<Map<number, number>> {
  const open = new Map(
    shown.flatMap(({ page, components }) =>
      page.isPublic ? [[page.id, components.map(({ uuid }) => uuid)] as const] : [],
    ),
  );
  const kinds = new Set(kindsOffered(config));
  const reach = new Map<number, number>();
  if (open.size === 0 || kinds.size === 0) return reach;
  for (const { pageId, kind, components, count } of await countActiveSubscribers(db, [...open.keys()])) {
    if (kinds.has(kind) && isConcerned(open.get(pageId) ?? [], components))
      reach.set(pageId, (reach.get(pageId) ?? 0) + count);
  }
  return reach;
}

const LINKS_PURPOSE = "links of subscribers";

/**
 * Where the links of subscribers lead: below words that no page can have as its slug, so that they hold whatever becomes of
 * the page's own address.
 */
export const LINK_PATHS = {
  confirm: "/status/subscribe",
  manage: "/status/subscribers",
  end: "/status/unsubscribe",
} as const;

/**
 * The token that identifies a subscriber in each message: their uuid, signed. The same in all of them, so that the oldest mail
 * can still unsubscribe, and not stored.
 */
export const manageToken = (secrets: SecretBox, uuid: string): string => `${uuid}.${signed(secrets, uuid)}`;

/** The subscriber of a token; null where this installation has not signed it. */
export function subscriberOfToken(secrets: SecretBox, token: string): string | null {
  const [uuid = "", signature = ""] = token.split(".");
  return isSameSecret(signature, signed(secrets, uuid)) ? uuid : null;
}

const signed = (secrets: SecretBox, uuid: string): string =>
  createHmac("sha256", secrets.derive(LINKS_PURPOSE)).update(uuid).digest("base64url");

/** A link for a message; never from a request, whose Host header anybody may choose. */
export const linkOf = (publicUrl: string, what: keyof typeof LINK_PATHS, token: string): string =>
  `${publicUrl}${LINK_PATHS[what]}/${token}`;
