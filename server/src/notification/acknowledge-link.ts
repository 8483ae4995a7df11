import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../context.ts";

/** How long the link of a message is good. */
export const LINK_MS = 7 * 86_400_000;
const PURPOSE = "links that acknowledge";

/**
 * The token by which whoever has a message may say that they know of it: the message's uuid, signed. The same at each try
 * to send it; that it was used is kept with the message.
 */
export const acknowledgeToken = (secrets: SecretBox, uuid: string): string =>
  `${uuid}.${signed(secrets, uuid).toString("base64url")}`;

/** The message whose token this is; null where nobody here has signed it. */
export function messageOfToken(secrets: SecretBox, token: string): string | null {
  const [uuid = "", signature = ""] = token.split(".");
  const given = Buffer.from(signature, "base64url");
  const expected = signed(secrets, uuid);
  return given.length === expected.length && timingSafeEqual(given, expected) ? uuid : null;
}

const signed = (secrets: SecretBox, uuid: string): Buffer =>
  createHmac("sha256", secrets.derive(PURPOSE)).update(uuid).digest();
