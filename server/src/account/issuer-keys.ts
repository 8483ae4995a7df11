import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

/** Keys are asked for again after this long, and at once for a key that is not among them. */
const KEYS_LAST_MS = 600_000;
/** But not more often than this: whoever sends tokens of made-up keys asks the provider for nothing more. */
const ASKED_EVERY_MS = 10_000;
const ANSWER_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;
/** Where providers describe themselves: OpenID Connect Discovery §4, RFC 8414 §3. */
const DESCRIPTIONS = [".well-known/openid-configuration", ".well-known/oauth-authorization-server"] as const;

/** The provider cannot be asked now, or what it says cannot be used. */
export class IssuerUnreachable extends Error {}

/** The keys of one issuer, found by its own description, kept, and asked for again when they were replaced. */
export function issuerKeys(issuer: string, now: () => number): JWTVerifyGetKey {
  let keys: ReturnType<typeof createLocalJWKSet> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  const ask = (): Promise<void> => {
    asking ??= fetchKeys(issuer)
      .then((found) => {
        keys = createLocalJWKSet(found);
      })
      .finally(() => {
        askedAt = now();
        asking = null;
      });
    return asking;
  };
  return async (header, token) => {
    const ageMs = Math.abs(now() - askedAt);
    // One that cannot be reached is not asked for every token; old keys are good until there are newer ones.
    if (keys === null && ageMs < ASKED_EVERY_MS && !asking) throw new IssuerUnreachable(issuer);
    if (keys === null) await ask();
    else if (ageMs > KEYS_LAST_MS) await ask().catch(() => {});
    try {
      return await known()(header, token);
    } catch (error) {
      const isUnknown = (error as { code?: string }).code === "ERR_JWKS_NO_MATCHING_KEY";
      if (!isUnknown || Math.abs(now() - askedAt) < ASKED_EVERY_MS) throw error;
      await ask();
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

/** The address is the operator's own choice, as the mail server's is, so it may be inside their network. */
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
