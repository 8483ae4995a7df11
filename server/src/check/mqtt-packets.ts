import { fact } from "../texts/fact.ts";
import type { Dialogue } from "./dialogue.ts";
import { MAX_DIALOGUE_BYTES } from "./dialogue-endings.ts";
import { DialogueError } from "./dialogue-error.ts";

/** Types of packets (MQTT 3.1.1 §2.2.1). */
const CONNECT = 1;
export const CONNACK = 2;
export const PUBLISH = 3;
const SUBSCRIBE = 8;
export const SUBACK = 9;

const PROTOCOL = "MQTT";
const LEVEL = 4;
const CLEAN_SESSION = 0x02;
const WITH_PASSWORD = 0x40;
const WITH_USER = 0x80;
/** Seconds; no check takes longer. */
const KEEP_ALIVE = 60;
const PACKET_ID = 1;

/** What a broker sent. */
interface Packet {
  type: number;
  flags: number;
  body: Buffer;
}

export const DISCONNECT = Buffer.from([0xe0, 0]);

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

/** Messages at most once: nobody acknowledges anything. */
export const subscribePacket = (topic: string): Buffer =>
  packet((SUBSCRIBE << 4) | 0x02, Buffer.concat([int16(PACKET_ID), text(topic), Buffer.from([0])]));

/** What a PUBLISH says, as text. */
export const messageOf = ({ flags, body }: Packet): string => {
  const topicLength = body.length < 2 ? 0 : body.readUInt16BE();
  const isAcknowledged = (flags & 0x06) !== 0;
  return body.toString("utf8", 2 + topicLength + (isAcknowledged ? 2 : 0));
};

/** The next packet. Throws DialogueError. */
export async function readPacket(dialogue: Dialogue): Promise<Packet> {
  const { where } = dialogue;
  // No packet is shorter.
  const [first = 0, second = 0] = await dialogue.readBytes(2);
  let byte = second;
  let length = byte & 0x7f;
  for (let shift = 7; (byte & 0x80) !== 0; shift += 7) {
    if (shift === 28) throw new DialogueError(fact("protocol.broken", { where }));
    [byte = 0] = await dialogue.readBytes(1);
    length += (byte & 0x7f) * 2 ** shift;
  }
  if (length > MAX_DIALOGUE_BYTES) {
    throw new DialogueError(fact("protocol.size", { where, size: MAX_DIALOGUE_BYTES / 1024 }));
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
