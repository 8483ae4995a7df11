import { createHash } from "node:crypto";
import type { Document, deserialize, serialize } from "bson";
import { type Static, Type } from "typebox";
import { msg } from "../platform/i18n/message.ts";
import { harmless, type SecretHint } from "../platform/secrets/config-secrets.ts";
import { PHASES, type ProbedKind } from "./check.ts";
import { type Dialogue, MAX_DIALOGUE_BYTES } from "./dialogue.ts";
import { converse, hostAndPort, hostField, peerOf, usualPort } from "./peer.ts";
import { DialogueError } from "./reasons.ts";
import { MAX_SCRAM_ITERATIONS, ScramError, startScram } from "./redis.ts";
import { switchedTlsFields } from "./tls-config.ts";

/** MongoDB's message protocol: the only message that servers since 3.6 take. */
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** Flags, and the sort of the one section there is: a document. */
const BODY_AT = HEADER_BYTES + 5;

/** The library that reads and writes documents; loaded only where such monitors are. */
interface Bson {
  serialize: typeof serialize;
  deserialize: typeof deserialize;
}

/** What a command came to: `ok` is 1, or there is an `errmsg`. */
interface CommandReply extends Document {
  ok: number;
}

async function command(dialogue: Dialogue, bson: Bson, document: Document): Promise<CommandReply> {
  const body = bson.serialize(document);
  const head = Buffer.alloc(BODY_AT);
  head.writeInt32LE(BODY_AT + body.length, 0);
  head.writeInt32LE(1, 4);
  head.writeInt32LE(OP_MSG, 12);
  dialogue.send(Buffer.concat([head, body]));
  const { where } = dialogue;
  const header = await dialogue.readBytes(HEADER_BYTES);
  const size = header.readInt32LE(0);
  if (header.readInt32LE(12) !== OP_MSG || header.readInt32LE(8) !== 1 || size < BODY_AT) {
    throw new DialogueError(msg("protocol.broken", { where }));
  }
  if (size > MAX_DIALOGUE_BYTES) {
    throw new DialogueError(msg("protocol.size", { where, size: MAX_DIALOGUE_BYTES / 1024 }));
  }
  return replyOf(await dialogue.readBytes(size - HEADER_BYTES), bson, where);
}

function replyOf(payload: Buffer, bson: Bson, where: string): CommandReply {
  try {
    const document = bson.deserialize(payload.subarray(BODY_AT - HEADER_BYTES));
    if (typeof document["ok"] === "number") return document as CommandReply;
  } catch {
    // Hostile bytes; reported below.
  }
  throw new DialogueError(msg("protocol.broken", { where }));
}

const hidden: SecretHint = { "x-secret": "hidden" };
const PORT = 27_017;
const NAME = { minLength: 1, maxLength: 64, pattern: '^[^/\\\\. "$*<>:|?\\u0000]+$' };

const mongodbConfigSchema = Type.Object(
  {
    host: hostField,
    port: usualPort(PORT),
    tls: Type.Optional(Type.Boolean({ default: false, description: "Connect over TLS." })),
    ...switchedTlsFields,
    user: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "The user to log in as. Without one, the check does not log in.",
      }),
    ),
    password: Type.Optional(
      Type.String({ maxLength: 1024, format: "password", description: "The user's password.", ...hidden }),
    ),
    authDatabase: Type.Optional(
      Type.String({
        ...NAME,
        default: "admin",
        description: "The database in which the user was created (authSource).",
      }),
    ),
    role: Type.Optional(
      Type.Enum(["any", "primary", "secondary"], {
        default: "any",
        description: "What the server must be in its replica set.",
        ...harmless,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "MongoDB",
    description:
      "Connects to a MongoDB server, logs in if there is a user, sends a ping and, if wanted, checks its role in the replica set.",
  },
);

type MongodbConfig = Static<typeof mongodbConfigSchema>;

/** A server that answers `hello` and `ping` (MongoDB's message protocol). */
export const checkMongodb: ProbedKind<MongodbConfig, typeof PHASES> = {
  type: "mongodb",
  phases: PHASES,
  configSchema: mongodbConfigSchema,
  target: ({ host, port = PORT }) => hostAndPort({ host, port }),
  run: async (config, environment) => {
    // Only where such monitors are: it costs a process megabytes.
    const bson = await import("bson");
    const peer = peerOf({ ...config, port: config.port ?? PORT });
    const { password = "" } = config;
    return converse(peer, environment, (dialogue) => talk(dialogue, bson, config), [password]);
  },
};

async function talk(dialogue: Dialogue, bson: Bson, config: MongodbConfig): Promise<void> {
  const { user, authDatabase = "admin", role = "any" } = config;
  const { where } = dialogue;
  const parameters = {
    ...(user !== undefined && { saslSupportedMechs: `${authDatabase}.${user}` }),
    $db: "admin",
  };
  let hello = await command(dialogue, bson, { hello: 1, ...parameters });
  // Servers before 4.4.2, and some that are only compatible, know the command by its old name.
  if (hello["codeName"] === "CommandNotFound" || hello["code"] === COMMAND_NOT_FOUND) {
    hello = await command(dialogue, bson, { isMaster: 1, ...parameters });
  }
  demand(hello, dialogue, false);
  if (user !== undefined) await logIn(dialogue, bson, { ...config, user }, hello);
  demand(await command(dialogue, bson, { ping: 1, $db: "admin" }), dialogue, false);
  if (role === "any") return;
  const isPrimary = (hello["isWritablePrimary"] ?? hello["ismaster"]) === true;
  const found = isPrimary ? "primary" : hello["secondary"] === true ? "secondary" : "other";
  if (found !== role) throw new DialogueError(msg("assertion.role", { where, found, expected: role }));
}

const COMMAND_NOT_FOUND = 59;

type Known = MongodbConfig & { user: string };

/** By SCRAM-SHA-256 where the server has that for the user, else SHA-1. */
async function logIn(dialogue: Dialogue, bson: Bson, config: Known, hello: CommandReply): Promise<void> {
  const { user, password = "", authDatabase = "admin" } = config;
  const ways: unknown = hello["saslSupportedMechs"];
  const isNew = Array.isArray(ways) && ways.includes("SCRAM-SHA-256");
  const scram = isNew
    ? startScram("sha256", user, password)
    : startScram("sha1", user, createHash("md5").update(`${user}:mongo:${password}`).digest("hex"));
  const say = async (what: object, payload: string) => {
    const bytes = Buffer.from(payload);
    const reply = await command(dialogue, bson, { ...what, payload: bytes, $db: authDatabase });
    return demand(reply, dialogue, true);
  };
  try {
    const mechanism = isNew ? "SCRAM-SHA-256" : "SCRAM-SHA-1";
    const first = await say({ saslStart: 1, mechanism, options: { skipEmptyExchange: true } }, scram.first);
    const conversationId: unknown = first["conversationId"];
    // Anything else that it might be would have to be parsed byte by byte.
    if (typeof conversationId !== "number") throw new ScramError();
    const next = { saslContinue: 1, conversationId };
    const final = await say(next, await scram.answer(payloadOf(first)));
    scram.verify(payloadOf(final));
    if (final["done"] !== true) await say(next, "");
  } catch (error) {
    throw error instanceof ScramError ? misconduct(error, dialogue.where) : error;
  }
}

const misconduct = ({ isTooMany }: ScramError, where: string) =>
  new DialogueError(
    isTooMany
      ? msg("status.iterations", { where, count: MAX_SCRAM_ITERATIONS })
      : msg("protocol.broken", { where }),
  );

const payloadOf = ({ payload }: CommandReply): string =>
  payload && typeof payload === "object" && "buffer" in payload && payload.buffer instanceof Uint8Array
    ? Buffer.from(payload.buffer).toString("latin1").slice(0, 1024)
    : "";

const UNAUTHORIZED = new Set(["AuthenticationFailed", "Unauthorized"]);

function demand(reply: CommandReply, { where, quote }: Dialogue, isLogin: boolean): CommandReply {
  if (reply.ok === 1) return reply;
  const [errmsg, codeName] = [textOf(reply["errmsg"]), textOf(reply["codeName"])];
  const said = quote(errmsg || codeName);
  const isRefused = isLogin || UNAUTHORIZED.has(codeName);
  throw new DialogueError(msg(isRefused ? "status.login" : "status.error", { where, said }));
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
