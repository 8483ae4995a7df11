import { type Static, Type } from "typebox";
import { harmless, type SecretHint } from "../secret/config-secrets.ts";
import { excerpt, fact } from "../texts/fact.ts";
import { type AskingKind, PHASES } from "./check.ts";
import { converse } from "./converse.ts";
import type { Dialogue } from "./dialogue.ts";
import { noMessage } from "./dialogue-endings.ts";
import { DialogueError } from "./dialogue-error.ts";
import {
  CONNACK,
  connectPacket,
  DISCONNECT,
  messageOf,
  PUBLISH,
  readPacket,
  SUBACK,
  subscribePacket,
} from "./mqtt-packets.ts";
import { hostAndPort, hostField, peerOf, usualPort } from "./peer-config.ts";
import { randomBytes } from "./random-bytes.ts";
import { switchedTlsFields } from "./tls-config.ts";

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
export const checkMqtt: AskingKind<MqttConfig, typeof PHASES> = {
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
  if (type !== CONNACK) throw new DialogueError(fact("protocol.broken", { where }));
  const code = body[1];
  if (code === undefined) throw new DialogueError(fact("protocol.broken", { where }));
  if (code !== 0) throw new DialogueError(fact("status.login", { where, said: refusalOf(code) }));
  if (topic !== undefined) await hear(dialogue, topic, expect);
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

async function hear(dialogue: Dialogue, topic: string, expect: string | undefined): Promise<void> {
  const { where } = dialogue;
  dialogue.send(subscribePacket(topic));
  let said = "";
  const wanted = excerpt(expect ?? "");
  // A message may overtake the answer to the subscription (MQTT 3.1.1 §3.8.4).
  let isHeard = expect === undefined;
  for (let isGranted = false; ; ) {
    const packet = await readPacket(dialogue);
    if (packet.type === SUBACK) {
      const granted = packet.body[2];
      if (granted === REFUSED) {
        throw new DialogueError(fact("status.topic", { where, topic: excerpt(topic) }));
      }
      if (granted === undefined) throw new DialogueError(fact("protocol.broken", { where }));
      isGranted = true;
      if (expect !== undefined) {
        dialogue.ifLate((seconds) => noMessage({ seconds, where, said, wanted }));
      }
    }
    const message = packet.type === PUBLISH ? messageOf(packet) : null;
    if (message !== null) said = dialogue.quote(message);
    isHeard ||= expect !== undefined && message?.includes(expect) === true;
    if (isGranted && isHeard) return;
  }
}
