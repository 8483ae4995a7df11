import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { type Static, Type } from "typebox";
import { excerpt, msg } from "../platform/i18n/message.ts";
import { harmless, type SecretHint } from "../platform/secrets/config-secrets.ts";
import { PHASES, type ProbedKind } from "./check.ts";
import { type Dialogue, MAX_DIALOGUE_BYTES } from "./dialogue.ts";
import { converse, hostAndPort, hostField, peerOf, usualPort } from "./peer.ts";
import { DialogueError } from "./reasons.ts";
import { switchedTlsFields } from "./tls-config.ts";

const hidden: SecretHint = { "x-secret": "hidden" };
const PORT = 6379;

const redisConfigSchema = Type.Object(
  {
    host: hostField,
    port: usualPort(PORT),
    tls: Type.Optional(Type.Boolean({ default: false, description: "Connect over TLS." })),
    ...switchedTlsFields,
    user: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: "The user, if it is not the default one." }),
    ),
    password: Type.Optional(
      Type.String({ maxLength: 1024, format: "password", description: "The user's password.", ...hidden }),
    ),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "A key to read, which must be a string. Without it, PING is sent.",
        examples: ["app:ready"],
      }),
    ),
    expect: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: "What the key's value must be. Without it, any value will do.",
        examples: ["yes"],
        ...harmless,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Redis",
    description:
      "Logs in to a Redis or Valkey server if there is a password, sends PING, or reads a key and compares its value.",
  },
);

type RedisConfig = Static<typeof redisConfigSchema>;

export const checkRedis: ProbedKind<RedisConfig, typeof PHASES> = {
  type: "redis",
  phases: PHASES,
  configSchema: redisConfigSchema,
  target: ({ host, port = PORT }) => hostAndPort({ host, port }),
  run: (config, environment) => {
    const { password = "" } = config;
    const peer = peerOf({ ...config, port: config.port ?? PORT });
    return converse(peer, environment, (dialogue) => talk(dialogue, config), [password]);
  },
};

async function talk(dialogue: Dialogue, { user, password = "", key, expect }: RedisConfig): Promise<void> {
  const { where } = dialogue;
  const failed = (error: string, isLogin: boolean) =>
    new DialogueError(msg(isLogin ? "status.login" : "status.error", { where, said: dialogue.quote(error) }));
  if (password !== "") {
    const { error } = await sendCommand(dialogue, "AUTH", ...(user === undefined ? [] : [user]), password);
    if (error !== null) throw failed(error, true);
  }
  const { error, value, isStatus } = await (key === undefined
    ? sendCommand(dialogue, "PING")
    : sendCommand(dialogue, "GET", key));
  if (error !== null) throw failed(error, /^(NOAUTH|WRONGPASS|NOPERM)\b/.test(error));
  // Other protocols begin with a plus, too; no key's value does.
  if (isStatus && (key !== undefined || value !== "PONG")) throw otherProtocol(`+${value}`, dialogue);
  if (key !== undefined) return compare(value, expect, where);
  if (value !== "PONG") throw otherProtocol(`$${value}`, dialogue);
}

function compare(value: string | null, expect: string | undefined, where: string): void {
  if (value === null) throw new DialogueError(msg("assertion.key_missing", { where }));
  if (expect === undefined || value === expect) return;
  const params = { where, found: excerpt(value), expected: excerpt(expect) };
  throw new DialogueError(msg("assertion.key", params));
}

interface Answer {
  error: string | null;
  value: string | null;
  /** It is the short text of a command that is no query. */
  isStatus: boolean;
}

/** One command, as an array of bulk strings (RESP2), and its answer. */
async function sendCommand(dialogue: Dialogue, ...words: string[]): Promise<Answer> {
  const bulks = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  dialogue.send(Buffer.from(`*${words.length}\r\n${bulks.join("")}`));
  const line = await dialogue.readLine();
  const [mark, rest] = [line.slice(0, 1), line.slice(1)];
  if (mark === "-") return { error: rest, value: null, isStatus: false };
  if (mark === "+") return { error: null, value: rest, isStatus: true };
  if (mark !== "$" || !/^(-1|\d{1,9})$/.test(rest)) {
    throw otherProtocol(line, dialogue);
  }
  return { error: null, value: await readBulk(dialogue, Number(rest)), isStatus: false };
}

const otherProtocol = (line: string, { where, quote }: Dialogue) =>
  new DialogueError(msg("protocol.other", { where, protocol: "Redis", start: quote(line) }));

async function readBulk(dialogue: Dialogue, length: number): Promise<string | null> {
  if (length < 0) return null;
  if (length > MAX_DIALOGUE_BYTES) {
    const size = MAX_DIALOGUE_BYTES / 1024;
    throw new DialogueError(msg("protocol.size", { where: dialogue.where, size }));
  }
  const bytes = await dialogue.readBytes(length + 2);
  return bytes.toString("utf8", 0, length);
}

/**
 * PostgreSQL's default is 4,096, MongoDB's 15,000. So many take 20 ms of one of four threads, which also
 * store results and verify passwords, and outlast the check.
 */
export const MAX_SCRAM_ITERATIONS = 100_000;

/** What a server sent that a client must not go along with. */
export class ScramError extends Error {
  /** It demands more than MAX_SCRAM_ITERATIONS; otherwise it sent nonsense. */
  readonly isTooMany: boolean;

  constructor(isTooMany = false) {
    super("SCRAM failed");
    this.name = "ScramError";
    this.isTooMany = isTooMany;
  }
}

type ScramHash = "sha1" | "sha256";

const BYTES: Record<ScramHash, number> = { sha1: 20, sha256: 32 };
const derive = promisify(pbkdf2);

/** A client's side of SCRAM (RFC 5802, 7677), without channel binding. `password` as its protocol prepares it. */
interface Scram {
  first: string;
  /** What to answer to the server's first message. Rejects with ScramError. */
  answer(serverFirst: string): Promise<string>;
  /** Throws ScramError unless the server has proven that it knows the password, too. */
  verify(serverFinal: string): void;
}

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
