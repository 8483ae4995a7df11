import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/**
 * PostgreSQL's default is 4,096, MongoDB's 15,000. So many take 20 ms of one of four threads, which also write what all
 * probes have found and verify passwords; and what waits for them goes on after its check was given up.
 */
export const MAX_SCRAM_ITERATIONS = 100_000;

/** What a server sent that a client must not go along with. */
export class ScramError extends Error {
  /** It asks for more than MAX_SCRAM_ITERATIONS; otherwise it sent nonsense. */
  readonly isTooMany: boolean;

  constructor(isTooMany = false) {
    super("SCRAM failed");
    this.name = "ScramError";
    this.isTooMany = isTooMany;
  }
}

export type ScramHash = "sha1" | "sha256";

const BYTES: Record<ScramHash, number> = { sha1: 20, sha256: 32 };
const derive = promisify(pbkdf2);

/** A client's side of SCRAM (RFC 5802, 7677), without channel binding. `password` as its protocol prepares it. */
export interface Scram {
  first: string;
  /** What to answer to the server's first message. Rejects with ScramError. */
  answer(serverFirst: string): Promise<string>;
  /** Throws ScramError unless the server has proven that it knows the password, too. */
  verify(serverFinal: string): void;
}

/** Begins one. */
export function startScram(hash: ScramHash, user: string, password: string): Scram {
  const nonce = randomBytes(24).toString("base64");
  const bare = `n=${user.replaceAll("=", "=3D").replaceAll(",", "=2C")},r=${nonce}`;
  const mac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest();
  let expected: Buffer | null = null;
  return {
    first: `n,,${bare}`,
    async answer(serverFirst) {
      const [, full = "", salt = "", count = ""] =
        /^r=([^,]{1,256}),s=([A-Za-z0-9+/=]{4,256}),i=(\d{1,9})/.exec(serverFirst) ?? [];
      const iterations = Number(count);
      if (!full.startsWith(nonce) || full === nonce || iterations < 1) throw new ScramError();
      if (iterations > MAX_SCRAM_ITERATIONS) throw new ScramError(true);
      const salted = await derive(password, Buffer.from(salt, "base64"), iterations, BYTES[hash], hash);
      const clientKey = mac(salted, "Client Key");
      const unproven = `c=biws,r=${full}`;
      const signed = [bare, serverFirst, unproven].join(",");
      const signature = mac(createHash(hash).update(clientKey).digest(), signed);
      expected = mac(mac(salted, "Server Key"), signed);
      const proof = clientKey.map((byte, at) => byte ^ (signature[at] as number));
      return `${unproven},p=${Buffer.from(proof).toString("base64")}`;
    },
    verify(serverFinal) {
      const shown = Buffer.from(/^v=([A-Za-z0-9+/=]{4,128})/.exec(serverFinal)?.[1] ?? "", "base64");
      const isProven =
        expected !== null && shown.length === expected.length && timingSafeEqual(shown, expected);
      if (!isProven) throw new ScramError();
    },
  };
}
