import { fact } from "../texts/fact.ts";
import type { Dialogue } from "./dialogue.ts";
import { DialogueError } from "./dialogue-error.ts";

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
    throw new DialogueError(fact("protocol.other", { where: dialogue.where, protocol, start }));
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
    fact(isLogin ? "status.login" : "status.error", {
      where,
      said: quote(`${code} ${lines.join(" ")}`),
    }),
  );
