import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import type { Config } from "../platform/config.ts";
import type { SecretBox } from "../platform/context.ts";
import { msg } from "../platform/i18n/message.ts";
import type { Access } from "./kind.ts";
import { derivedSecret, secretText } from "./oauth-state.ts";
import { isObject, type Json, ProviderError, textIn } from "./provider-error.ts";
import type { SendRequest } from "./send-request.ts";

/** A page of the app (web/src/settings/integrations). */
export const CALLBACK_PATH = "/settings/integrations/vercel";

/** For tokens without a lifetime. */
const USUAL_SECONDS = 3600;

/** Null: complete. */
export const missingSetting = ({ publicUrl, vercelClientId, vercelClientSecret }: Config): string | null => {
  if (publicUrl === null) return "VEDETTE_PUBLIC_URL";
  if (vercelClientId === null) return "VEDETTE_VERCEL_CLIENT_ID";
  return vercelClientSecret === null ? "VEDETTE_VERCEL_CLIENT_SECRET" : null;
};

/** PKCE (RFC 7636): the verifier is derived from the state, so that no server has to store it. */
const verifierOf = (secrets: SecretBox, state: string) => derivedSecret(secrets, "vercel pkce", state);

export function authorizationUrl(settings: Config, secrets: SecretBox, state: string): string {
  const challenge = createHash("sha256").update(verifierOf(secrets, state)).digest("base64url");
  const url = new URL(`${settings.vercelOauthUrl}/oauth/authorize`);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: settings.vercelClientId ?? "",
    redirect_uri: redirectUri(settings),
    scope: "openid profile offline_access",
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  }).toString();
  return url.href;
}

const redirectUri = ({ publicUrl }: Config) => `${publicUrl}${CALLBACK_PATH}`;

/** Throws ProviderError. */
export function exchangeCode(
  { settings, send, now }: { settings: Config; send: SendRequest; now: number },
  { code, verifier }: { code: string; verifier: string },
): Promise<VercelConfig> {
  const grant = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri(settings),
    code_verifier: verifier,
  };
  return tokens({ settings, send, now }, grant, null);
}

export const verifierFor = verifierOf;

/** A refresh token works once. Throws ProviderError, `refused` once the link was revoked. */
export function renewTokens({ settings, send, now, config }: Access<VercelConfig>): Promise<VercelConfig> {
  const { refreshToken } = config;
  return tokens(
    { settings, send, now },
    { grant_type: "refresh_token", refresh_token: refreshToken },
    refreshToken,
  );
}

async function tokens(
  { settings, send, now }: { settings: Config; send: SendRequest; now: number },
  grant: Record<string, string>,
  former: string | null,
): Promise<VercelConfig> {
  const url = `${settings.vercelApiUrl}/login/oauth/token`;
  const where = new URL(url).host;
  const client = {
    client_id: settings.vercelClientId ?? "",
    client_secret: settings.vercelClientSecret ?? "",
  };
  try {
    const { json } = await send({ url, form: { ...client, ...grant } });
    return configOf(json, { where, now, former });
  } catch (error) {
    if (!(error instanceof ProviderError) || !["rejected", "refused", "forbidden"].includes(error.is))
      throw error;
    // Only the operator can fix `invalid_client`; linking again would not help.
    const what = error.code === "invalid_client" ? "integration.client" : "integration.revoked";
    throw new ProviderError("refused", msg(what, { where }), { code: error.code });
  }
}

function configOf(
  json: unknown,
  { where, now, former }: { where: string; now: number; former: string | null },
): VercelConfig {
  const seconds = Number((isObject(json) ? (json as Json)["expires_in"] : undefined) ?? USUAL_SECONDS);
  const refreshToken = textIn(json, "refresh_token", 4096) ?? former;
  if (refreshToken === null) throw new ProviderError("rejected", msg("integration.no_refresh", { where }));
  const accessToken = textIn(json, "access_token", 4096);
  if (accessToken === null) throw new ProviderError("malformed", msg("integration.malformed", { where }));
  return {
    accessToken,
    refreshToken,
    expiresAt: now + (Number.isFinite(seconds) && seconds > 0 ? seconds : USUAL_SECONDS) * 1000,
  };
}

export const vercelConfigSchema = Type.Object(
  {
    accessToken: secretText("Given by Vercel."),
    refreshToken: secretText("Given by Vercel."),
    expiresAt: Type.Integer({ description: "Of the access token, milliseconds." }),
  },
  { additionalProperties: false, title: "Vercel", description: "An account that was linked by OAuth." },
);

export type VercelConfig = Static<typeof vercelConfigSchema>;
