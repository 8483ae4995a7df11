import { createHmac } from "node:crypto";
import { isSameSecret } from "../../account/token.ts";
import type { SecretBox } from "../../context.ts";

const PURPOSE = "links of subscribers";

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
 * What proves in every message that whoever has it is that subscriber: their uuid, signed. The same in all of them, so that the
 * oldest mail still ends it, and nowhere stored.
 */
export const manageToken = (secrets: SecretBox, uuid: string): string => `${uuid}.${signed(secrets, uuid)}`;

/** Whose token it is; null where nobody here has signed it. */
export function subscriberOfToken(secrets: SecretBox, token: string): string | null {
  const [uuid = "", signature = ""] = token.split(".");
  return isSameSecret(signature, signed(secrets, uuid)) ? uuid : null;
}

const signed = (secrets: SecretBox, uuid: string): string =>
  createHmac("sha256", secrets.derive(PURPOSE)).update(uuid).digest("base64url");

/** A link for a message; never from a request, whose Host header anybody may choose. */
export const linkOf = (publicUrl: string, what: keyof typeof LINK_PATHS, token: string): string =>
  `${publicUrl}${LINK_PATHS[what]}/${token}`;
