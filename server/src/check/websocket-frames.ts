import { fact } from "../texts/fact.ts";
import type { Dialogue } from "./dialogue.ts";
import { MAX_DIALOGUE_BYTES } from "./dialogue-endings.ts";
import { DialogueError } from "./dialogue-error.ts";
import { randomBytes } from "./random-bytes.ts";

const FINAL = 0x80;
const MASKED = 0x80;
const CONTINUATION = 0x0;
const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

/** A text as one frame of a client: those are masked (RFC 6455 §5.2). */
export const textFrame = (text: string): Buffer => clientFrame(TEXT, Buffer.from(text));

/** The end of it, in an orderly way (RFC 6455 §7.4.1). */
export const goodbye = (): Buffer => clientFrame(CLOSE, Buffer.from([0x03, 0xe8]));

function clientFrame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const isLong = payload.length > 125;
  const start = isLong ? 8 : 6;
  const frame = Buffer.alloc(start + payload.length);
  frame[0] = FINAL | opcode;
  frame[1] = MASKED | (isLong ? 126 : payload.length);
  if (isLong) frame.writeUInt16BE(payload.length, 2);
  mask.copy(frame, start - 4);
  for (let at = 0; at < payload.length; at += 1) {
    frame[start + at] = (payload[at] as number) ^ (mask[at % 4] as number);
  }
  return frame;
}

/**
 * The server's next message, of one frame or several, as text; null when it says goodbye. Pings are answered. Throws
 * DialogueError for what is no frame of a server.
 */
export async function readText(dialogue: Dialogue): Promise<string | null> {
  const pieces: Buffer[] = [];
  for (;;) {
    const { isFinal, opcode, payload } = await readFrame(dialogue);
    if (opcode === CLOSE) return null;
    if (opcode === PING) dialogue.send(clientFrame(PONG, payload));
    if (opcode === PING || opcode === PONG) continue;
    if ((opcode === CONTINUATION) !== pieces.length > 0) throw broken(dialogue);
    pieces.push(payload);
    if (isFinal) return Buffer.concat(pieces).toString("utf8");
  }
}

const KNOWN: ReadonlySet<number> = new Set([CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG]);

async function readFrame(dialogue: Dialogue) {
  const [first = 0, second = 0] = await dialogue.readBytes(2);
  const opcode = first & 0x0f;
  const isFinal = (first & FINAL) !== 0;
  const isControl = opcode >= CLOSE;
  // Reserved bits belong to extensions, which nobody has agreed on; servers do not mask.
  if ((first & 0x70) !== 0 || (second & MASKED) !== 0 || !KNOWN.has(opcode)) throw broken(dialogue);
  if (isControl && (!isFinal || second > 125)) throw broken(dialogue);
  const length = await readLength(dialogue, second);
  return { isFinal, opcode, payload: await dialogue.readBytes(length) };
}

async function readLength(dialogue: Dialogue, short: number): Promise<number> {
  if (short < 126) return short;
  const long = await dialogue.readBytes(short === 126 ? 2 : 8);
  const length = short === 126 ? long.readUInt16BE() : Number(long.readBigUInt64BE());
  if (length <= MAX_DIALOGUE_BYTES) return length;
  const size = MAX_DIALOGUE_BYTES / 1024;
  throw new DialogueError(fact("protocol.size", { where: dialogue.where, size }));
}

const broken = ({ where }: Dialogue) => new DialogueError(fact("protocol.broken", { where }));
