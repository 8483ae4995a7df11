import { constants, createHash, createPublicKey, publicEncrypt } from "node:crypto";
import { type Static, Type } from "typebox";
import { excerpt, msg } from "../platform/i18n/message.ts";
import { harmless, type SecretHint } from "../platform/secrets/config-secrets.ts";
import { PHASES, type ProbedKind } from "./check.ts";
import { type Dialogue, MAX_DIALOGUE_BYTES } from "./dialogue.ts";
import { converse, hostAndPort, hostField, peerOf, usualPort } from "./peer.ts";
import { DialogueError } from "./reasons.ts";
import { switchedTlsFields } from "./tls-config.ts";

/** What a packet begins with (MySQL client/server protocol). */
const OK = 0x00;
const MORE_DATA = 0x01;
const EOF = 0xfe;
const ERROR = 0xff;
const NULL = 0xfb;

/** Packets are numbered from 0 in each exchange. */
interface Numbered {
  dialogue: Dialogue;
  next: number;
}

function sendPacket(to: Numbered, payload: Buffer): void {
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  head[3] = to.next++ & 0xff;
  to.dialogue.send(Buffer.concat([head, payload]));
}

async function readPacket(from: Numbered): Promise<Buffer> {
  const { dialogue } = from;
  const { where } = dialogue;
  const head = await dialogue.readBytes(4);
  const size = head.readUIntLE(0, 3);
  // What is no MySQL begins with a text, of which the fourth byte is no number of a packet.
  if (head[3] !== (from.next & 0xff)) {
    const start = dialogue.quote(head.toString("latin1"));
    throw new DialogueError(msg("protocol.other", { where, protocol: "MySQL", start }));
  }
  if (size > MAX_DIALOGUE_BYTES) {
    throw new DialogueError(msg("protocol.size", { where, size: MAX_DIALOGUE_BYTES / 1024 }));
  }
  from.next++;
  return dialogue.readBytes(size);
}

/** What a server means by an error packet, null for another packet: its number and its words. */
function errorOf(payload: Buffer): { code: number; said: string } | null {
  if (payload[0] !== ERROR || payload.length < 3) return null;
  const text = payload.toString("utf8", 3);
  return { code: payload.readUInt16LE(1), said: text.replace(/^#[0-9A-Za-z]{5}/, "") };
}

/** A text of length and bytes, and where the next one begins; null for NULL, `undefined` where the packet ends before. */
function readText(payload: Buffer, at: number): { text: string | null; end: number } | undefined {
  const first = payload[at];
  if (first === NULL) return { text: null, end: at + 1 };
  const width = first === 0xfc ? 2 : first === 0xfd ? 3 : first === 0xfe ? 8 : 0;
  if (first === undefined || first === ERROR || at + 1 + width > payload.length || width === 8)
    return undefined;
  const length = width === 0 ? first : payload.readUIntLE(at + 1, width);
  const start = at + 1 + width;
  if (start + length > payload.length) return undefined;
  return { text: payload.toString("utf8", start, start + length), end: start + length };
}

/** Capabilities that both sides must have (MySQL client/server protocol). */
const CONNECT_WITH_DB = 1 << 3;
const PROTOCOL_41 = 1 << 9;
const SSL = 1 << 11;
const SECURE_CONNECTION = 1 << 15;
const PLUGIN_AUTH = 1 << 19;
const UTF8MB4 = 45;
const MAX_PACKET = 1 << 20;

interface Greeting {
  version: string;
  capabilities: number;
  nonce: Buffer;
  plugin: string;
}

interface MysqlLogin {
  user: string;
  password: string;
  database: string | undefined;
  isTls: boolean;
}

/** Greeting, TLS if it is wanted, and the login; gives the server's version as it says it. Throws DialogueError. */
async function logIn(to: Numbered, login: MysqlLogin): Promise<string> {
  const { where } = to.dialogue;
  const greeting = greetingOf(await readPacket(to), to.dialogue);
  const flags =
    PROTOCOL_41 |
    SECURE_CONNECTION |
    PLUGIN_AUTH |
    (login.isTls ? SSL : 0) |
    (login.database === undefined ? 0 : CONNECT_WITH_DB);
  const head = Buffer.alloc(32);
  head.writeUInt32LE(flags >>> 0, 0);
  head.writeUInt32LE(MAX_PACKET, 4);
  head[8] = UTF8MB4;
  if (login.isTls) {
    if ((greeting.capabilities & SSL) === 0) throw new DialogueError(msg("protocol.no_tls", { where }));
    sendPacket(to, head);
    await to.dialogue.secure();
  }
  const answer = scrambled(greeting.plugin, login.password, greeting.nonce);
  const parts = [head, text(login.user), Buffer.from([answer?.length ?? 0]), answer ?? Buffer.alloc(0)];
  if (login.database !== undefined) parts.push(text(login.database));
  sendPacket(to, Buffer.concat([...parts, text(greeting.plugin)]));
  await beLetIn(to, login, greeting);
  return greeting.version;
}

function greetingOf(payload: Buffer, dialogue: Dialogue): Greeting {
  const { where } = dialogue;
  const refused = errorOf(payload);
  if (refused !== null) throw refusal("status.error", refused, dialogue);
  const end = payload.indexOf(0, 1);
  const rest = payload.subarray(end + 1);
  if (payload[0] !== 10 || end < 0 || rest.length < 31) {
    const start = dialogue.quote(payload.toString("utf8", 0, 80));
    throw new DialogueError(msg("protocol.other", { where, protocol: "MySQL", start }));
  }
  const capabilities = rest.readUInt16LE(13) | (rest.readUInt16LE(18) << 16);
  const nonceLength = Math.max(13, (rest[20] ?? 0) - 8);
  const nonce = Buffer.concat([rest.subarray(4, 12), rest.subarray(31, 31 + nonceLength - 1)]);
  const plugin = rest.toString("latin1", 31 + nonceLength).replace(/\0.*$/s, "");
  const version = payload.toString("latin1", 1, end);
  return { version, capabilities, nonce, plugin: plugin || NATIVE };
}

/** Until the server has let us in, or said why not: it may want another way to log in, or more. */
async function beLetIn(to: Numbered, login: MysqlLogin, greeting: Greeting): Promise<void> {
  const { where } = to.dialogue;
  for (let { plugin, nonce } = greeting; ; ) {
    const payload = await readPacket(to);
    if (payload[0] === OK) return;
    const refused = errorOf(payload);
    if (refused !== null) throw refusal("status.login", refused, to.dialogue);
    if (payload[0] === EOF) {
      const end = payload.indexOf(0, 1);
      plugin = payload.toString("latin1", 1, end < 0 ? undefined : end);
      nonce = payload.subarray(end + 1, end + 21);
      const answer = scrambled(plugin, login.password, nonce);
      if (answer === null)
        throw new DialogueError(msg("status.method", { where, method: to.dialogue.quote(plugin) }));
      sendPacket(to, answer);
    } else if (payload[0] === MORE_DATA && plugin === SHA2) {
      if (payload[1] === FULL_LOGIN) await sendPassword(to, login, nonce);
      else if (payload[1] !== FAST_LOGIN) throw new DialogueError(msg("protocol.broken", { where }));
    } else throw new DialogueError(msg("protocol.broken", { where }));
  }
}

const NATIVE = "mysql_native_password";
const SHA2 = "caching_sha2_password";
const CLEAR_KEY = 2;
const FAST_LOGIN = 3;
const FULL_LOGIN = 4;

const sha = (name: "sha1" | "sha256", ...parts: Buffer[]) => {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const xor = (a: Buffer, b: Buffer) => a.map((byte, at) => byte ^ (b[at % b.length] as number)) as Buffer;

/** A password as a server wants it proven; null for a way that is not known. */
function scrambled(plugin: string, password: string, nonce: Buffer): Buffer | null {
  if (plugin !== NATIVE && plugin !== SHA2) return null;
  if (password === "") return Buffer.alloc(0);
  const bytes = Buffer.from(password);
  const name = plugin === NATIVE ? "sha1" : "sha256";
  const once = sha(name, bytes);
  const twice = sha(name, once);
  return xor(once, plugin === NATIVE ? sha(name, nonce, twice) : sha(name, twice, nonce));
}

/** For a server that has not seen it since it started: over TLS as it is, otherwise for the server's key only. */
async function sendPassword(to: Numbered, { password, isTls }: MysqlLogin, nonce: Buffer): Promise<void> {
  if (isTls) return sendPacket(to, text(password));
  sendPacket(to, Buffer.from([CLEAR_KEY]));
  const answer = await readPacket(to);
  const { where } = to.dialogue;
  if (answer[0] !== MORE_DATA) throw new DialogueError(msg("protocol.broken", { where }));
  sendPacket(to, encrypted(answer.toString("latin1", 1), xor(text(password), nonce), where));
}

function encrypted(pem: string, bytes: Buffer, where: string): Buffer {
  try {
    const key = createPublicKey(pem);
    return publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, bytes);
  } catch {
    throw new DialogueError(msg("protocol.broken", { where }));
  }
}

const text = (value: string) => Buffer.from(`${value}\0`);

/** In the server's own words, without the password, should it have quoted that. */
const refusal = (
  code: "status.login" | "status.error",
  { said }: { said: string },
  { where, quote }: Dialogue,
): DialogueError => new DialogueError(msg(code, { where, said: quote(said) }));

const hidden: SecretHint = { "x-secret": "hidden" };
const PORT = 3306;

const mysqlConfigSchema = Type.Object(
  {
    host: hostField,
    port: usualPort(PORT),
    database: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "The database to use.", examples: ["shop"] }),
    ),
    user: Type.String({ minLength: 1, maxLength: 80, description: "The user to log in as." }),
    password: Type.Optional(
      Type.String({ maxLength: 1024, format: "password", description: "The user's password.", ...hidden }),
    ),
    tls: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Connect over TLS; if the server offers none, the monitor is down.",
      }),
    ),
    ...switchedTlsFields,
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        pattern: "^\\s*([Ss][Ee][Ll][Ee][Cc][Tt]|[Ss][Hh][Oo][Ww]|[Ww][Ii][Tt][Hh])\\b",
        description:
          "One SELECT, SHOW or WITH to run in a read-only transaction, no longer than the timeout. Only its first row is looked at, and an answer of more than 64 KiB is a failure. Without it, logging in is enough.",
        examples: ["SELECT @@read_only"],
      }),
    ),
    expect: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: "What the first column of the first row must be, as the server writes it as text.",
        examples: ["0"],
        ...harmless,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "MySQL",
    description:
      "Logs in to a MySQL or MariaDB server and, if there is a query, runs it and compares the result.",
  },
);

type MysqlConfig = Static<typeof mysqlConfigSchema>;

export const checkMysql: ProbedKind<MysqlConfig, typeof PHASES> = {
  type: "mysql",
  phases: PHASES,
  configSchema: mysqlConfigSchema,
  target: ({ host, port = PORT, database }) =>
    `${hostAndPort({ host, port })}${database === undefined ? "" : `/${database}`}`,
  run: (config, environment) => {
    const { password = "", user, database, tls = true } = config;
    // TLS begins when the server has agreed to it, not with the first byte.
    const peer = { ...peerOf({ ...config, port: config.port ?? PORT }), tls: false };
    const login = { user, password, database, isTls: tls };
    return converse(
      peer,
      environment,
      async (dialogue) => {
        const to = { dialogue, next: 0 };
        const version = await logIn(to, login);
        if (config.query !== undefined) {
          await limitQueries(to, version, environment.timeoutMs);
          await runQuery(to, config.query, config);
        }
        sendPacket({ dialogue, next: 0 }, Buffer.from([QUIT]));
      },
      [password],
    );
  },
};

const QUIT = 0x01;
const QUERY = 0x03;

/** Some queries end as if all were well when the server gives them up, so the check's own limit comes first. */
const GRACE_MS = 1_000;

/** Hanging up does not end a query: the server itself has to. Versions before MySQL 5.7 and MariaDB 10.1 cannot. */
async function limitQueries(to: Numbered, version: string, timeoutMs: number): Promise<void> {
  const limit = version.includes("MariaDB")
    ? `max_statement_time = ${(timeoutMs + GRACE_MS) / 1000}`
    : `max_execution_time = ${Math.ceil(timeoutMs) + GRACE_MS}`;
  try {
    await runStatement(to, `SET SESSION ${limit}`);
  } catch (error) {
    if (!(error instanceof DialogueError) || error.reason.code !== "status.error") throw error;
  }
}

async function runQuery(to: Numbered, query: string, config: MysqlConfig): Promise<void> {
  const { where } = to.dialogue;
  for (const statement of ["SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY"]) {
    await runStatement(to, statement);
  }
  const value = await runStatement(to, query);
  const { expect } = config;
  if (expect === undefined || value === expect) return;
  const expected = excerpt(expect);
  if (value === undefined) throw new DialogueError(msg("assertion.query_empty", { where, expected }));
  if (value === null) throw new DialogueError(msg("assertion.query_null", { where, expected }));
  throw new DialogueError(msg("assertion.query", { where, found: excerpt(value), expected }));
}

/** The first column of the first row; `undefined` where there is no row. */
async function runStatement(to: Numbered, statement: string): Promise<string | null | undefined> {
  const { where } = to.dialogue;
  to.next = 0;
  sendPacket(to, Buffer.concat([Buffer.from([QUERY]), Buffer.from(statement)]));
  const next = async () => {
    const payload = await readPacket(to);
    const refused = errorOf(payload);
    if (refused !== null) throw refusal("status.error", refused, to.dialogue);
    return payload;
  };
  if ((await next())[0] === OK) return undefined;
  await readToEnd(next);
  const rows = await readToEnd(next);
  if (rows[0] === undefined) return undefined;
  const first = readText(rows[0], 0);
  if (first === undefined) throw new DialogueError(msg("protocol.broken", { where }));
  return first.text;
}

/** Packets up to the one that ends them: columns, then rows. */
async function readToEnd(next: () => Promise<Buffer>): Promise<Buffer[]> {
  const packets: Buffer[] = [];
  for (;;) {
    const payload = await next();
    if (payload[0] === EOF && payload.length < 9) return packets;
    packets.push(payload);
  }
}
