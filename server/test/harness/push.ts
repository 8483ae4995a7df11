import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  verify,
} from "node:crypto";

/** A browser that has subscribed: what it says to the server, and what it keeps to itself. */
export interface Browser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Decrypts what its push service was sent, by RFC 8291 and RFC 8188 read from the other side. */
  read(body: Buffer): string;
}

/** A browser whose messages go to that address. */
export function newBrowser(endpoint: string): Browser {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  return browserOf(endpoint, keys, randomBytes(16));
}

/** The same with these keys. */
export const browserOf = (endpoint: string, keys: ECDH, auth: Buffer): Browser => ({
  subscription: {
    endpoint,
    keys: { p256dh: keys.getPublicKey("base64url"), auth: auth.toString("base64url") },
  },
  read: (body) => decrypted(body, keys, auth),
});

const hmac = (key: Buffer, ...data: Buffer[]) =>
  createHmac("sha256", key).update(Buffer.concat(data)).digest();
const text = (value: string) => Buffer.from(value);
const one = Buffer.from([1]);

function decrypted(body: Buffer, keys: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const nameBytes = body.readUInt8(20);
  const theirs = body.subarray(21, 21 + nameBytes);
  const record = body.subarray(21 + nameBytes);
  if (record.length > body.readUInt32BE(16)) throw new Error("more than one record");
  const shared = hmac(auth, keys.computeSecret(theirs));
  const input = hmac(shared, text("WebPush: info\0"), keys.getPublicKey(), theirs, one);
  const pseudoRandom = hmac(salt, input);
  const key = hmac(pseudoRandom, text("Content-Encoding: aes128gcm\0"), one).subarray(0, 16);
  const nonce = hmac(pseudoRandom, text("Content-Encoding: nonce\0"), one).subarray(0, 12);
  const cipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  const end = plain.lastIndexOf(2);
  if (plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("no end of the last record");
  return plain.subarray(0, end).toString("utf8");
}

/** What a push service reads in an Authorization header of RFC 8292; throws where the signature is not the key's. */
export function readVapid(header: string): { claims: Record<string, unknown>; publicKey: string } {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), k=(\S+)$/.exec(header) ?? [];
  const [head = "", body = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }, format: "jwk" });
  const isTheirs = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isTheirs) throw new Error("the signature is not of that key");
  return { claims: JSON.parse(Buffer.from(body, "base64url").toString("utf8")), publicKey };
}
