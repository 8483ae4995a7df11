import type { Document, deserialize, serialize } from "bson";
import { fact } from "../texts/fact.ts";
import type { Dialogue } from "./dialogue.ts";
import { MAX_DIALOGUE_BYTES } from "./dialogue-endings.ts";
import { DialogueError } from "./dialogue-error.ts";

/** MongoDB's wire protocol: the only message that servers since 3.6 take. */
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** Flags, and the sort of the one section there is: a document. */
const BODY_AT = HEADER_BYTES + 5;

/** The library that reads and writes documents; loaded only where such monitors are. */
export interface Bson {
  serialize: typeof serialize;
  deserialize: typeof deserialize;
}

/** What a command came to: `ok` is 1, or there is an `errmsg`. */
export interface CommandReply extends Document {
  ok: number;
}

/** Sends a command and reads its reply. Throws DialogueError for what is none. */
export async function command(dialogue: Dialogue, bson: Bson, document: Document): Promise<CommandReply> {
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
    throw new DialogueError(fact("protocol.broken", { where }));
  }
  if (size > MAX_DIALOGUE_BYTES) {
    throw new DialogueError(fact("protocol.size", { where, size: MAX_DIALOGUE_BYTES / 1024 }));
  }
  return replyOf(await dialogue.readBytes(size - HEADER_BYTES), bson, where);
}

function replyOf(payload: Buffer, bson: Bson, where: string): CommandReply {
  try {
    const document = bson.deserialize(payload.subarray(BODY_AT - HEADER_BYTES));
    if (typeof document["ok"] === "number") return document as CommandReply;
  } catch {
    // Hostile bytes; told below.
  }
  throw new DialogueError(fact("protocol.broken", { where }));
}
