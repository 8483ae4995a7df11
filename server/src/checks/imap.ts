import { msg } from "../platform/i18n/message.ts";
import type { Dialogue } from "./dialogue.ts";
import { type LoginWish, loginKind, saslPlain } from "./login-kind.ts";
import { DialogueError } from "./reasons.ts";

/** A mailbox server that lets its users in (RFC 9051, and RFC 3501 before it). */
export const checkImap = loginKind({
  type: "imap",
  title: "IMAP",
  description:
    "Waits for a mailbox server's greeting and, if there is a user, logs in. No mailbox is opened.",
  port: 993,
  security: "tls",
  talk,
});

async function talk(dialogue: Dialogue, { isStarttls, login }: LoginWish): Promise<void> {
  if (isStarttls) await startImapTls(dialogue);
  else await readGreeting(dialogue);
  if (login !== null) {
    const { isOk, said } = await logIn(dialogue, login);
    if (!isOk)
      throw new DialogueError(msg("status.login", { where: dialogue.where, said: dialogue.quote(said) }));
  }
  dialogue.send("v3 LOGOUT\r\n");
}

/** By SASL, and where the server does not know that way, by the older command, unless it has hung up. */
async function logIn(
  dialogue: Dialogue,
  { user, password }: NonNullable<LoginWish["login"]>,
): Promise<Tagged> {
  dialogue.send("v2 AUTHENTICATE PLAIN\r\n");
  const reply = await readTagged(dialogue, "v2");
  if (reply.isPrompt) {
    dialogue.send(`${saslPlain(user, password)}\r\n`);
    return readTagged(dialogue, "v2");
  }
  const words = [user, password].map(quoted);
  if (reply.isGone || words.includes(null)) return reply;
  dialogue.send(`v4 LOGIN ${words.join(" ")}\r\n`);
  return readTagged(dialogue, "v4");
}

/** A text as a quoted string; null for one that needs more than ASCII (RFC 9051 §4.3). */
const quoted = (text: string): string | null =>
  /^[\x20-\x7e]*$/.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : null;

export async function startImapTls(dialogue: Dialogue): Promise<void> {
  await readGreeting(dialogue);
  dialogue.send("v1 STARTTLS\r\n");
  const { isOk } = await readTagged(dialogue, "v1");
  if (!isOk) throw new DialogueError(msg("protocol.no_tls", { where: dialogue.where }));
  await dialogue.secure();
}

async function readGreeting(dialogue: Dialogue): Promise<void> {
  const { where } = dialogue;
  const greeting = await dialogue.readLine();
  if (/^\* (OK|PREAUTH)\b/i.test(greeting)) return;
  const start = dialogue.quote(greeting);
  throw new DialogueError(
    /^\* BYE\b/i.test(greeting)
      ? msg("status.error", { where, said: start })
      : msg("protocol.other", { where, protocol: "IMAP", start }),
  );
}

interface Tagged {
  isOk: boolean;
  /** It waits for more. */
  isPrompt: boolean;
  /** It has said goodbye. */
  isGone: boolean;
  said: string;
}

/** How a command ended, or that the server waits for what belongs to it; what else it says meanwhile is passed over. */
async function readTagged(dialogue: Dialogue, tag: string): Promise<Tagged> {
  const nothing = { isOk: false, isPrompt: false, isGone: false };
  for (;;) {
    const line = await dialogue.readLine();
    if (/^\+( |$)/.test(line)) return { ...nothing, isPrompt: true, said: line };
    if (/^\* BYE\b/i.test(line)) return { ...nothing, isGone: true, said: line };
    if (line.startsWith(`${tag} `)) {
      const said = line.slice(tag.length + 1);
      return { ...nothing, isOk: /^OK\b/i.test(said), said };
    }
    if (!line.startsWith("* ")) throw new DialogueError(msg("protocol.broken", { where: dialogue.where }));
  }
}
