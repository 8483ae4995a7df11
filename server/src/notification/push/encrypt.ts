import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from "node:crypto";

const CURVE = "prime256v1";
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
/** One record holds all of a message. */
const RECORD_BYTES = 4_096;
/** Behind the text of the last record. */
const LAST_RECORD = Buffer.from([2]);
/** What a push service has to take (RFC 8030, 7.2), without the header of 86 bytes, the mark and the tag. */
export const MAX_PLAIN_BYTES = 3_993;

/** What a browser's subscription says of how to encrypt for it. */
export interface PushKeys {
  /** Its public key: a point on P-256, base64url. */
  p256dh: string;
  /** 16 bytes, base64url. */
  auth: string;
}

/** Whether that is a public key and an authentication secret. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  const point = Buffer.from(p256dh, "base64url");
  if (point.length !== POINT_BYTES || Buffer.from(auth, "base64url").length !== AUTH_BYTES) return false;
  try {
    freshKeys().computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/**
 * A message that only that browser can read: Message Encryption for Web Push (RFC 8291), as one record of aes128gcm
 * (RFC 8188). `once`: a key pair and a salt that serve this message alone.
 */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: PushKeys,
  once: { keys: ECDH; salt: Buffer } = { keys: freshKeys(), salt: randomBytes(SALT_BYTES) },
): Buffer {
  const { keys, salt } = once;
  const theirs = Buffer.from(p256dh, "base64url");
  const ours = keys.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ours]);
  const input = derive(keys.computeSecret(theirs), Buffer.from(auth, "base64url"), keyInfo, 32);
  const key = derive(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), KEY_BYTES);
  const nonce = derive(input, salt, Buffer.from("Content-Encoding: nonce\0"), NONCE_BYTES);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const body = [cipher.update(plain), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([header(salt, ours), ...body]);
}

function freshKeys(): ECDH {
  const keys = createECDH(CURVE);
  keys.generateKeys();
  return keys;
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, info, bytes));

/** Salt, size of records, length of the key's name, and that name: our public key. */
function header(salt: Buffer, ours: Buffer): Buffer {
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes.writeUInt8(ours.length, 4);
  return Buffer.concat([salt, sizes, ours]);
}
