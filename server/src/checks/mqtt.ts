import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import { excerpt, msg } from "../platform/i18n/message.ts";
import { harmless, type SecretHint } from "../platform/secrets/config-secrets.ts";
import { PHASES, type ProbedKind } from "./check.ts";
import { type Dialogue, MAX_DIALOGUE_BYTES, noMessage } from "./dialogue.ts";
import { converse, hostAndPort, hostField, peerOf, usualPort } from "./peer.ts";
import { DialogueError } from "./reasons.ts";
import { switchedTlsFields } from "./tls-config.ts";

/** Types of packets (MQTT 3.1.1 §2.2.1). */
const CONNECT = 1;
const CONNACK = 2;
const PUBLISH = 3;
const SUBSCRIBE = 8;
const SUBACK = 9;

const PROTOCOL = "MQTT";
const LEVEL = 4;
const CLEAN_SESSION = 0x02;
const WITH_PASSWORD = 0x40;
const WITH_USER = 0x80;
/** Seconds; no check takes longer. */
const KEEP_ALIVE = 60;
const PACKET_ID = 1;

interface Packet {
  type: number;
  flags: number;
  body: Buffer;
}

const DISCONNECT = Buffer.from([0xe0, 0]);

/** A session that the broker forgets when it ends. */
export function connectPacket({
  client,
  user,
  password,
}: {
  client: string;
  user: string | undefined;
  password: string | undefined;
}): Buffer {
  const flags = CLEAN_SESSION | (user === undefined ? 0 : WITH_USER) | (user && password ? WITH_PASSWORD : 0);
  const head = Buffer.concat([text(PROTOCOL), Buffer.from([LEVEL, flags]), int16(KEEP_ALIVE)]);
  const login = user === undefined ? [] : [text(user), ...(password ? [text(password)] : [])];
  return packet(CONNECT << 4, Buffer.concat([head, text(client), ...login]));
}

/** Messages at most once, without acknowledgement. */
const subscribePacket = (topic: string): Buffer =>
  packet((SUBSCRIBE << 4) | 0x02, Buffer.concat([int16(PACKET_ID), text(topic), Buffer.from([0])]));

/** What a PUBLISH says, as text. */
const messageOf = ({ flags, body }: Packet): string => {
  const topicLength = body.length < 2 ? 0 : body.readUInt16BE();
  const isAcknowledged = (flags & 0x06) !== 0;
  return body.toString("utf8", 2 + topicLength + (isAcknowledged ? 2 : 0));
};

async function readPacket(dialogue: Dialogue): Promise<Packet> {
  const { where } = dialogue;
  // No packet is shorter.
  const [first = 0, second = 0] = await dialogue.readBytes(2);
  let byte = second;
  let length = byte & 0x7f;
  for (let shift = 7; (byte & 0x80) !== 0; shift += 7) {
    if (shift === 28) throw new DialogueError(msg("protocol.broken", { where }));
    [byte = 0] = await dialogue.readBytes(1);
    length += (byte & 0x7f) * 2 ** shift;
  }
  if (length > MAX_DIALOGUE_BYTES) {
    throw new DialogueError(msg("protocol.size", { where, size: MAX_DIALOGUE_BYTES / 1024 }));
  }
  return { type: first >> 4, flags: first & 0x0f, body: await dialogue.readBytes(length) };
}

function packet(first: number, body: Buffer): Buffer {
  const head = [first];
  let left = body.length;
  do {
    head.push((left % 128) | (left >= 128 ? 0x80 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return Buffer.concat([Buffer.from(head), body]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([int16(bytes.length), bytes]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

const hidden: SecretHint = { "x-secret": "hidden" };
const PORT = 1883;

const mqttConfigSchema = Type.Object(
  {
    host: hostField,
    port: usualPort(PORT),
    tls: Type.Optional(
      Type.Boolean({ default: false, description: "Connect over TLS, usually on port 8883." }),
    ),
    ...switchedTlsFields,
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: "The user to log in as." })),
    password: Type.Optional(
      Type.String({ maxLength: 1024, format: "password", description: "The user's password.", ...hidden }),
    ),
    topic: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        pattern: "^[^\\u0000]+$",
        description: "A topic to subscribe to. Without it, logging in is enough.",
        examples: ["home/heating/state"],
      }),
    ),
    expect: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          "Text that must appear in a message of the topic within the timeout, such as the retained one. Without it, being able to subscribe is enough.",
        examples: ["online"],
        ...harmless,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "MQTT",
    description:
      "Logs in to an MQTT broker and, if there is a topic, subscribes to it and waits for a message.",
  },
);

type MqttConfig = Static<typeof mqttConfigSchema>;

/** A broker, and what it has to say on a topic (MQTT 3.1.1). */
export const checkMqtt: ProbedKind<MqttConfig, typeof PHASES> = {
  type: "mqtt",
  phases: PHASES,
  configSchema: mqttConfigSchema,
  target: ({ host, port = PORT, topic }) =>
    `${hostAndPort({ host, port })}${topic === undefined ? "" : `/${topic}`}`,
  run: (config, environment) => {
    const peer = peerOf({ ...config, port: config.port ?? PORT });
    const { password = "" } = config;
    return converse(peer, environment, (dialogue) => talk(dialogue, config), [password]);
  },
};

async function talk(dialogue: Dialogue, { user, password, topic, expect }: MqttConfig): Promise<void> {
  const { where } = dialogue;
  const client = `vedette-${randomBytes(6).toString("hex")}`;
  dialogue.send(connectPacket({ client, user, password }));
  const { type, body } = await readPacket(dialogue);
  if (type !== CONNACK) throw new DialogueError(msg("protocol.broken", { where }));
  const code = body[1];
  if (code === undefined) throw new DialogueError(msg("protocol.broken", { where }));
  if (code !== 0) throw new DialogueError(msg("status.login", { where, said: refusalOf(code) }));
  if (topic !== undefined) await awaitMessage(dialogue, topic, expect);
  dialogue.send(DISCONNECT);
}

/** What a broker means by its return code (MQTT 3.1.1, table 3.1). */
const REFUSALS = [
  "unacceptable protocol version",
  "identifier rejected",
  "server unavailable",
  "bad user name or password",
  "not authorized",
];

const refusalOf = (code: number) => REFUSALS[code - 1] ?? `code ${code}`;

const REFUSED = 0x80;

async function awaitMessage(dialogue: Dialogue, topic: string, expect: string | undefined): Promise<void> {
  const { where } = dialogue;
  dialogue.send(subscribePacket(topic));
  let said = "";
  const wanted = excerpt(expect ?? "");
  // A message may overtake the answer to the subscription (MQTT 3.1.1 §3.8.4).
  let isReceived = expect === undefined;
  for (let isGranted = false; ; ) {
    const packet = await readPacket(dialogue);
    if (packet.type === SUBACK) {
      const granted = packet.body[2];
      if (granted === REFUSED) {
        throw new DialogueError(msg("status.topic", { where, topic: excerpt(topic) }));
      }
      if (granted === undefined) throw new DialogueError(msg("protocol.broken", { where }));
      isGranted = true;
      if (expect !== undefined) {
        dialogue.ifLate((seconds) => noMessage({ seconds, where, said, wanted }));
      }
    }
    const message = packet.type === PUBLISH ? messageOf(packet) : null;
    if (message !== null) said = dialogue.quote(message);
    isReceived ||= expect !== undefined && message?.includes(expect) === true;
    if (isGranted && isReceived) return;
  }
}
