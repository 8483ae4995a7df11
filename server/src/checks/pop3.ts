import { msg } from "../platform/i18n/message.ts";
import type { Dialogue } from "./dialogue.ts";
import { type LoginWish, loginKind } from "./login-kind.ts";
import { DialogueError } from "./reasons.ts";

/** A mailbox server that lets its users in (RFC 1939, 2595). */
export const checkPop3 = loginKind({
  type: "pop3",
  title: "POP3",
  description:
    "Waits for a mailbox server's greeting and, if there is a user, logs in. No message is read or deleted.",
  port: 995,
  security: "tls",
  talk,
});

async function talk(dialogue: Dialogue, { isStarttls, login }: LoginWish): Promise<void> {
  if (isStarttls) await startPop3Tls(dialogue);
  else await readGreeting(dialogue);
  if (login !== null) {
    for (const command of [`USER ${login.user}`, `PASS ${login.password}`]) {
      const { isOk, said } = await sendCommand(dialogue, command);
      // The login was right, and the mailbox is open elsewhere (RFC 2449 §8.1.2).
      if (isOk || /^-ERR \[IN-USE\]/i.test(said)) continue;
      throw new DialogueError(msg("status.login", { where: dialogue.where, said: dialogue.quote(said) }));
    }
  }
  dialogue.send("QUIT\r\n");
}

export async function startPop3Tls(dialogue: Dialogue): Promise<void> {
  await readGreeting(dialogue);
  const { isOk } = await sendCommand(dialogue, "STLS");
  if (!isOk) throw new DialogueError(msg("protocol.no_tls", { where: dialogue.where }));
  await dialogue.secure();
}

async function readGreeting(dialogue: Dialogue): Promise<void> {
  const { isOk, said } = await readStatus(dialogue);
  if (!isOk)
    throw new DialogueError(msg("status.error", { where: dialogue.where, said: dialogue.quote(said) }));
}

function sendCommand(dialogue: Dialogue, command: string) {
  dialogue.send(`${command}\r\n`);
  return readStatus(dialogue);
}

/** A line that begins with +OK or -ERR. */
async function readStatus(dialogue: Dialogue): Promise<{ isOk: boolean; said: string }> {
  const said = await dialogue.readLine();
  const isOk = /^\+OK\b/.test(said);
  if (isOk || /^-ERR\b/.test(said)) return { isOk, said };
  const start = dialogue.quote(said);
  throw new DialogueError(msg("protocol.other", { where: dialogue.where, protocol: "POP3", start }));
}
