import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import type { Clock } from "../clock.ts";
import type { CallerContext, Context } from "../context.ts";
import { isUnavailable } from "../database/errors.ts";
import type { Db } from "../database/schema.ts";
import { SESSION_IDLE_DAYS } from "../database/tables/accounts.ts";
import { invalidInput, PublicError, unavailable } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import type { Caller } from "./caller.ts";
import { claimIdentity, findIdentity, findKeyHolder, isKeyAlive, touchKey } from "./queries/api-keys.ts";
import { findOrganizationOf, listOrganizationsOf } from "./queries/organizations.ts";
import { findSessionHolder, isSessionAlive, rotateSession, touchSession } from "./queries/sessions.ts";
import {
  findMailedToken,
  findUserByEmail,
  insertMailedToken,
  isEmailConfirmed,
  type MailedToken,
  type Purpose,
  useMailedToken,
} from "./queries/users.ts";
import { isScope } from "./scopes.ts";

const TOKEN_BYTES = 32;

/** 32 random bytes as base64url, 43 characters. */
export const randomToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** SHA-256, hex: what is stored of a token. Tokens are random, so no salt and no slow hash is needed. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

/** In constant time; false where both are empty. */
export function isSameSecret(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other);
}

/** How long a mailed link is good, milliseconds. */
export const MAILED_MS = 3_600_000;

/** Only its hash is stored, and the mail is encrypted until it is sent. */
export async function makeMailedToken(
  { db, clock }: { db: Db; clock: Clock },
  whose: Pick<MailedToken, "userId" | "purpose" | "email">,
): Promise<string> {
  const token = randomToken();
  const now = clock.now();
  const mailed = { ...whose, tokenHash: hashToken(token), expiresAt: now + MAILED_MS };
  await insertMailedToken(db, mailed, now);
  return token;
}

/** Throws 422 for one that has expired, was used, or never was. */
export async function readMailedToken(
  db: Db,
  { token, purpose }: { token: string; purpose: Purpose },
  now: number,
): Promise<Pick<MailedToken, "userId" | "email">> {
  const found = await findMailedToken(db, { purpose, tokenHash: hashToken(token) }, now);
  if (!found) throw usedUp();
  return found;
}

/** Of several who try at once, one may; throws 422 for the others. Lock its person first (ADR 0014). */
export async function takeMailedToken(
  db: Db,
  { token, purpose }: { token: string; purpose: Purpose },
  now: number,
): Promise<void> {
  if (!(await useMailedToken(db, { purpose, tokenHash: hashToken(token) }, now))) throw usedUp();
}

const usedUp = () => invalidInput({ token: [msg("account.link")] });

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

const TOKEN = /^vdt_[\w-]{43}$/;
/** A key's last use is written at most this often. */
const TOUCH_INTERVAL_MS = 60_000;

/** Who holds this API key; null when it is malformed, unknown, expired, or its person has left. */
export async function authenticateKey(
  ctx: Context,
  token: string,
  request: { id: string; address: string },
): Promise<Caller | null> {
  if (!TOKEN.test(token)) return null;
  const holder = await findKeyHolder(ctx.store.db, hashToken(token));
  const now = ctx.clock.now();
  if (!holder || (holder.expiresAt !== null && holder.expiresAt <= now)) return null;
  if (holder.lastUsedAt === null || now - holder.lastUsedAt >= TOUCH_INTERVAL_MS) {
    await touchKey(ctx.store.db, holder.apiKeyId, now);
  }
  const { lastUsedAt: _, expiresAt: keyExpiresAt, ...rest } = holder;
  const { id: requestId, address } = request;
  return { kind: "key", sessionId: null, ...rest, keyExpiresAt, requestId, address };
}

export const SESSION_IDLE_MS = SESSION_IDLE_DAYS * 86_400_000;
const ROTATE_AFTER_MS = 86_400_000;
/** Requests sent before the new cookie arrived still carry the old one. */
const PREVIOUS_GRACE_MS = 60_000;

interface SessionCaller {
  caller: Caller;
  /** Set when the session got a new token, which the cookie must now carry. */
  newToken: string | null;
}

/** Null: unknown, idle for 30 days, or the membership ended. The token rotates daily; a copy dies a minute later. */
export async function authenticateSession(
  ctx: Context,
  token: string,
  request: { id: string; address: string },
): Promise<SessionCaller | null> {
  const tokenHash = hashToken(token);
  const holder = await findSessionHolder(ctx.store.db, tokenHash);
  const now = ctx.clock.now();
  if (!holder || now - holder.seenAt > SESSION_IDLE_MS) return null;
  if (holder.previous && now - holder.rotatedAt > PREVIOUS_GRACE_MS) return null;
  let newToken: string | null = null;
  if (!holder.previous && now - holder.rotatedAt >= ROTATE_AFTER_MS) {
    const fresh = randomToken();
    const hashes = { from: tokenHash, to: hashToken(fresh) };
    if (await rotateSession(ctx.store.db, holder.id, hashes, now)) newToken = fresh;
  } else if (now - holder.seenAt >= TOUCH_INTERVAL_MS) {
    await touchSession(ctx.store.db, holder.id, now);
  }
  const caller: Caller = {
    kind: "session",
    userId: holder.userId,
    organizationId: holder.organizationId,
    apiKeyId: null,
    keyExpiresAt: null,
    sessionId: holder.id,
    allOrganizations: true,
    role: holder.role,
    scopes: ["*:*"],
    plan: holder.plan,
    reports: holder.reports,
    requestId: request.id,
    address: request.address,
  };
  return { caller, newToken };
}

/** Whether key or session still exist, and role and plan are those with which the request was let in. */
export async function isCallerAlive(ctx: CallerContext): Promise<boolean> {
  const { apiKeyId, sessionId, userId, organizationId, role, plan } = ctx.caller;
  const { db } = ctx.store;
  const now = ctx.clock.now();
  if (apiKeyId !== null && !(await isKeyAlive(db, apiKeyId, now))) return false;
  if (sessionId !== null && !(await isSessionAlive(db, sessionId, now - SESSION_IDLE_MS))) return false;
  const organization = await findOrganizationOf(db, userId, { id: organizationId });
  return organization?.role === role && organization.plan === plan;
}
