import { generateKeyPairSync, sign, type webcrypto } from "node:crypto";
import type { Context } from "../../context.ts";
import { claimMeta, readMeta } from "../../store/queries/meta.ts";

const META_KEY = "push keys";
/** Push services take a day at most. */
const WORTH_S = 12 * 3_600;

type JsonWebKey = webcrypto.JsonWebKey;

/** What this installation shows push services, so that they know who sends. */
export interface VapidKeys {
  /** The private key as JWK. */
  jwk: JsonWebKey;
  /** The public one as browsers want it: a point on P-256, base64url. */
  publicKey: string;
}

/** The installation's keys: made when they are first asked for, the same for all replicas, and kept encrypted. */
export async function vapidKeys({ store, secrets }: Pick<Context, "store" | "secrets">): Promise<VapidKeys> {
  const stored =
    (await readMeta(store.db, META_KEY)) ??
    (await claimMeta(store.db, META_KEY, secrets.seal(JSON.stringify(newKey()))));
  const jwk = JSON.parse(secrets.open(stored)) as JsonWebKey;
  return { jwk, publicKey: pointOf(jwk) };
}

const newKey = (): JsonWebKey =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });

function pointOf({ x = "", y = "" }: JsonWebKey): string {
  const coordinates = [x, y].map((one) => Buffer.from(one, "base64url"));
  return Buffer.concat([Buffer.from([4]), ...coordinates]).toString("base64url");
}

/**
 * The Authorization header of a request to a push service (RFC 8292). `subject`: an address of who runs the installation;
 * `now`: milliseconds.
 */
export function vapidHeader(endpoint: string, keys: VapidKeys, subject: string, now: number): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + WORTH_S, sub: subject };
  const parts = [{ typ: "JWT", alg: "ES256" }, claims].map(encoded);
  const signature = sign("sha256", Buffer.from(parts.join(".")), {
    key: keys.jwk,
    format: "jwk",
    dsaEncoding: "ieee-p1363",
  });
  return `vapid t=${[...parts, signature.toString("base64url")].join(".")}, k=${keys.publicKey}`;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
