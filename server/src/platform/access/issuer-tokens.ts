import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import type { Context } from "../context.ts";
import { isUnavailable } from "../database/errors.ts";
import { PublicError, unavailable } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import type { Caller } from "./caller.ts";
import { claimIdentity, findIdentity } from "./queries/api-keys.ts";
import { listOrganizationsOf } from "./queries/organizations.ts";
import { findUserByEmail, isEmailConfirmed } from "./queries/users.ts";
import { isScope } from "./roles-and-scopes.ts";

/** Signatures that only the provider can make: neither `none`, nor HMAC with a key that everybody has. */
const ALGORITHMS = ["RS256", "ES256", "EdDSA"];
const SKEW_SECONDS = 60;
const MAX_TOKEN_LENGTH = 8_192;
const RETRY_SECONDS = 10;

/**
 * The user of a JWT of the configured issuer; null: none. Throws 403 where no scope is ours, 503 without the
 * issuer.
 */
export type AuthenticateToken = (
  token: string,
  request: { id: string; address: string },
) => Promise<Caller | null>;

/** Null where no issuer is configured. One a server: it caches the issuer's keys. */
export function tokenAuthentication(ctx: Context): AuthenticateToken | null {
  const { mcpIssuer: issuer, mcpAudience: audience } = ctx.config;
  if (issuer === null || audience.length === 0) return null;
  const keys = issuerKeys(issuer, () => ctx.clock.now());
  return async (token, request) => {
    const claims = await verify(ctx, token, keys, { issuer, audience });
    const userId = claims && (await personOf(ctx, issuer, claims));
    return claims && userId !== null ? callerOf(ctx, userId, claims, request) : null;
  };
}

async function verify(
  { clock, log }: Context,
  token: string,
  keys: JWTVerifyGetKey,
  expected: { issuer: string; audience: string[] },
): Promise<JWTPayload | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  try {
    const { payload } = await jwtVerify(token, keys, {
      ...expected,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(clock.now()),
      requiredClaims: ["sub", "exp"],
    });
    return payload;
  } catch (error) {
    if (error instanceof IssuerUnreachable) {
      log.warn({ err: error }, "The keys of the issuer of MCP tokens cannot be read");
      throw unavailable(RETRY_SECONDS, error);
    }
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * By `sub`, the first time by an address that the issuer has verified. With open sign-up it must be
 * confirmed here too: else an attacker who signs up with another's address gets their identity.
 */
async function personOf({ store, clock, config }: Context, issuer: string, claims: JWTPayload) {
  const { sub: subject = "", email, email_verified: isVerified } = claims;
  if (subject === "" || subject.length > 255) return null;
  const known = await findIdentity(store.db, { issuer, subject });
  if (known !== undefined) return known;
  if (typeof email !== "string" || isVerified !== true) return null;
  const user = await findUserByEmail(store.db, email);
  if (!user || (config.signup === "open" && !(await isEmailConfirmed(store.db, user.id)))) return null;
  return claimIdentity(store.db, { issuer, subject }, user.id, clock.now());
}

/** In the oldest of their organizations, unless the call names another. */
async function callerOf(
  { store }: Context,
  userId: number,
  { exp = 0, scope, scp }: JWTPayload,
  { id: requestId, address }: { id: string; address: string },
): Promise<Caller | null> {
  const [organization] = await listOrganizationsOf(store.db, userId).catch((error: unknown) => {
    throw isUnavailable(error) ? unavailable(RETRY_SECONDS, error) : error;
  });
  if (!organization) return null;
  const { id: organizationId, role, plan, reports } = organization;
  const scopes = scopesOf(scope, scp);
  if (scopes.length === 0) throw new PublicError("scope_required", msg("access.foreign_scopes"));
  return {
    ...{ kind: "key", userId, organizationId, role, plan, reports, requestId, address },
    apiKeyId: null,
    keyExpiresAt: (exp + SKEW_SECONDS) * 1000,
    sessionId: null,
    allOrganizations: true,
    scopes,
  };
}

/** Of a token that states scopes, ours; of one that states none, all of the user's. Some say `scp`. */
function scopesOf(...claims: unknown[]): string[] {
  const said = claims.filter((claim) => claim !== undefined && claim !== null);
  if (said.length === 0) return ["*:*"];
  const given = said.flatMap((claim): unknown[] => (typeof claim === "string" ? claim.split(" ") : [claim]));
  return given.flat().filter((one) => typeof one === "string" && isScope(one)) as string[];
}

/** Keys are fetched again after this long, and at once for an unknown key. */
const KEYS_LAST_MS = 600_000;
/** But not more often than this, whatever made-up keys are sent. */
const REFETCH_MS = 10_000;
const ANSWER_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;
/** Where providers describe themselves: OpenID Connect Discovery §4, RFC 8414 §3. */
const DESCRIPTIONS = [".well-known/openid-configuration", ".well-known/oauth-authorization-server"] as const;

/** The provider cannot be reached, or its answer cannot be used. */
class IssuerUnreachable extends Error {}

/** The cached keys of one issuer, found by its description and fetched again when replaced. */
function issuerKeys(issuer: string, now: () => number): JWTVerifyGetKey {
  let keys: ReturnType<typeof createLocalJWKSet> | null = null;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  const refetch = (): Promise<void> => {
    fetching ??= fetchKeys(issuer)
      .then((found) => {
        keys = createLocalJWKSet(found);
      })
      .finally(() => {
        fetchedAt = now();
        fetching = null;
      });
    return fetching;
  };
  return async (header, token) => {
    const ageMs = Math.abs(now() - fetchedAt);
    // One that cannot be reached is not tried for every token; old keys are good until there are newer ones.
    if (keys === null && ageMs < REFETCH_MS && !fetching) throw new IssuerUnreachable(issuer);
    if (keys === null) await refetch();
    else if (ageMs > KEYS_LAST_MS) await refetch().catch(() => {});
    try {
      return await known()(header, token);
    } catch (error) {
      const isUnknown = (error as { code?: string }).code === "ERR_JWKS_NO_MATCHING_KEY";
      if (!isUnknown || Math.abs(now() - fetchedAt) < REFETCH_MS) throw error;
      await refetch();
      return known()(header, token);
    }
  };

  function known() {
    if (!keys) throw new IssuerUnreachable(issuer);
    return keys;
  }
}

async function fetchKeys(issuer: string): Promise<JSONWebKeySet> {
  const { jwks_uri: address } = await describe(issuer);
  if (typeof address !== "string" || !URL.canParse(address))
    throw new IssuerUnreachable(`${issuer}: no jwks_uri`);
  return (await readJson(address)) as unknown as JSONWebKeySet;
}

async function describe(issuer: string): Promise<Record<string, unknown>> {
  let last: unknown;
  for (const path of DESCRIPTIONS) {
    try {
      const found = await readJson(`${issuer.replace(/\/+$/, "")}/${path}`);
      if (found["issuer"] === issuer) return found;
      last = new IssuerUnreachable(`${issuer} calls itself ${String(found["issuer"])}`);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** The operator chose the address, so it may be inside their network. */
async function readJson(address: string): Promise<Record<string, unknown>> {
  try {
    const answer = await fetch(address, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    return JSON.parse(await readText(answer)) as Record<string, unknown>;
  } catch (error) {
    throw new IssuerUnreachable(address, { cause: error });
  }
}

async function readText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("The answer is too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
