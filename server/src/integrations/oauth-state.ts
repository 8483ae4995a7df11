import { createHmac } from "node:crypto";
import { Type } from "typebox";
import { isSameSecret, randomToken } from "../platform/access/random-tokens.ts";
import type { SecretBox } from "../platform/context.ts";
import type { SecretHint } from "../platform/secrets/config-secrets.ts";

/** `integrationId`: the account that is linked again; null: a new one. */
export interface LinkState {
  userId: number;
  organizationId: number;
  integrationId: number | null;
}

/** Time to agree, milliseconds. */
const GOOD_MS = 15 * 60_000;

/** A key of the installation for one purpose and text: base64url, 43 characters. */
export const derivedSecret = (secrets: SecretBox, purpose: string, text: string): string =>
  createHmac("sha256", secrets.derive(purpose)).update(text).digest("base64url");

/**
 * A signed state (RFC 6749, 10.12) that names its person: only they can finish the link. Any server can read
 * it; use is recorded by its hash (integrations/queries/deployment-webhooks.ts).
 */
export function makeState(
  secrets: SecretBox,
  { userId, organizationId, integrationId }: LinkState,
  now: number,
): string {
  const said = [userId, organizationId, integrationId ?? 0, now + GOOD_MS, randomToken()].join(".");
  return `${said}.${derivedSecret(secrets, "oauth state", said)}`;
}

/** Null: not signed here, or expired. */
export function readState(secrets: SecretBox, state: string, now: number): LinkState | null {
  const at = state.lastIndexOf(".");
  const said = state.slice(0, Math.max(0, at));
  if (!isSameSecret(state.slice(at + 1), derivedSecret(secrets, "oauth state", said))) return null;
  const [userId = 0, organizationId = 0, integrationId = 0, until = 0] = said
    .split(".")
    .slice(0, 4)
    .map(Number);
  return until > now ? { userId, organizationId, integrationId: integrationId || null } : null;
}

const hidden: SecretHint = { "x-secret": "hidden" };

export const secretText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 4096,
    pattern: "^[\\x21-\\x7e]+$",
    format: "password",
    description,
    ...hidden,
  });
