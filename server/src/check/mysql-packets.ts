import { msg } from "../texts/message.ts";
import { type Dialogue, MAX_DIALOGUE_BYTES } from "./dialogue.ts";
import { DialogueError } from "./dialogue-error.ts";

/** What a packet begins with (MySQL client/server protocol). */
export const OK = 0x00;
export const MORE_DATA = 0x01;
export const EOF = 0xfe;
const ERROR = 0xff;
const NULL = 0xfb;

/** Packets are numbered from 0 in each exchange. */
export interface Numbered {
  dialogue: Dialogue;
  next: number;
}

export function sendPacket(to: Numbered, payload: Buffer): void {
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  head[3] = to.next++ & 0xff;
  to.dialogue.send(Buffer.concat([head, payload]));
}

/** The next packet's payload. Throws DialogueError, also for one that is not the next. */
export async function readPacket(from: Numbered): Promise<Buffer> {
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
export function errorOf(payload: Buffer): { code: number; said: string } | null {
  if (payload[0] !== ERROR || payload.length < 3) return null;
  const text = payload.toString("utf8", 3);
  return { code: payload.readUInt16LE(1), said: text.replace(/^#[0-9A-Za-z]{5}/, "") };
}

/** A text of length and bytes, and where the next one begins; null for NULL, `undefined` where the packet ends before. */
export function readText(payload: Buffer, at: number): { text: string | null; end: number } | undefined {
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

/** What a server of SMTP or FTP answers (RFC 5321 §4.2, RFC 959 §4.2): three digits, and lines of text. */
export interface Reply {
  code: number;
  /** Without the digits. */
  lines: string[];
}

const FIRST_LINE = /^([1-5]\d\d)(?:([ -])(.*))?$/s;

/** The next reply, of one line or several. Throws DialogueError for what is none. */
export async function readReply(dialogue: Dialogue, protocol: string): Promise<Reply> {
  const first = await dialogue.readLine();
  const [, code, mark, text = ""] = FIRST_LINE.exec(first) ?? [];
  if (code === undefined) {
    const start = dialogue.quote(first);
    throw new DialogueError(msg("protocol.other", { where: dialogue.where, protocol, start }));
  }
  const lines = [text];
  for (let isMore = mark === "-"; isMore; ) {
    const line = await dialogue.readLine();
    isMore = !(line === code || line.startsWith(`${code} `));
    lines.push(line.startsWith(code) ? line.slice(code.length + 1) : line);
  }
  return { code: Number(code), lines };
}

/** A reply that was not hoped for, in the server's words but for these. */
export const replyError = (
  { code, lines }: Reply,
  { where, quote }: Dialogue,
  { isLogin = false }: { isLogin?: boolean } = {},
): DialogueError =>
  new DialogueError(
    msg(isLogin ? "status.login" : "status.error", {
      where,
      said: quote(`${code} ${lines.join(" ")}`),
    }),
  );
