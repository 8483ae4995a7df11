import { createHmac } from "node:crypto";
import type { TargetPolicy } from "../../checks/guard.ts";
import { hashToken, isSameSecret } from "../../platform/access/random-tokens.ts";
import type { Context, SecretBox } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { PageComponent } from "../queries/status-page-components.ts";
import type { StatusPage } from "../queries/status-pages.ts";
import { countActiveSubscribers, type Subscriber } from "../queries/subscribers.ts";
import type { Destination } from "./channels/channel.ts";
import { kindsOffered, SUBSCRIBER_CHANNELS } from "./channels/registry.ts";
import type { SubscriberKind } from "./kinds.ts";
import { isConcerned } from "./page-notification.ts";

const PURPOSE = "addresses of confirmation requests";

export interface SubscriberAddress {
  kind: SubscriberKind;
  /** A mailbox, or a host. */
  address: string;
  /** Unique per page. */
  hash: string;
  destination: Destination | null;
}

/** Returns what is wrong with an address that messages cannot be sent to. */
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

/** Independent of the page, and irreversible without the installation's key. */
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

/** By page number, of subscribers who get updates of these components; without pages that have none. */
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

/** Reserved words, not slugs: the links hold when the page's address changes. */
export const LINK_PATHS = {
  confirm: "/status/subscribe",
  manage: "/status/subscribers",
  end: "/status/unsubscribe",
} as const;

/**
 * The signed uuid of a subscriber. The same in all messages, so that the oldest mail can still unsubscribe;
 * not stored.
 */
export const manageToken = (secrets: SecretBox, uuid: string): string => `${uuid}.${signed(secrets, uuid)}`;

/** Null: not signed by this installation. */
export function subscriberOfToken(secrets: SecretBox, token: string): string | null {
  const [uuid = "", signature = ""] = token.split(".");
  return isSameSecret(signature, signed(secrets, uuid)) ? uuid : null;
}

const signed = (secrets: SecretBox, uuid: string): string =>
  createHmac("sha256", secrets.derive(LINKS_PURPOSE)).update(uuid).digest("base64url");

/** Never from a request, whose Host header anybody may choose. */
export const linkOf = (publicUrl: string, what: keyof typeof LINK_PATHS, token: string): string =>
  `${publicUrl}${LINK_PATHS[what]}/${token}`;
