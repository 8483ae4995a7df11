import { msg } from "../platform/i18n/message.ts";
import type { Dialogue } from "./dialogue.ts";
import { type LoginWish, loginKind, type Reply, readReply, replyError } from "./login-kind.ts";
import { DialogueError } from "./reasons.ts";

/** A file server that lets its users in (RFC 959, 4217). */
export const checkFtp = loginKind({
  type: "ftp",
  title: "FTP",
  description:
    "Waits for a file server's greeting and, if there is a user, logs in. Without one, any greeting with code 220 will do, and mail servers send that too. No file is listed or transferred. Not for SFTP, which is SSH.",
  port: 21,
  security: "none",
  talk,
});

async function talk(dialogue: Dialogue, { isStarttls, login }: LoginWish): Promise<void> {
  if (isStarttls) await startFtpTls(dialogue);
  else await readGreeting(dialogue);
  if (login !== null) {
    let reply = await sendCommand(dialogue, `USER ${login.user}`);
    if (reply.code === 331) reply = await sendCommand(dialogue, `PASS ${login.password}`);
    if (reply.code !== 230 && reply.code !== 232) {
      throw replyError(reply, dialogue, { isLogin: true });
    }
  }
  dialogue.send("QUIT\r\n");
}

/** From the greeting to TLS. Throws DialogueError. */
export async function startFtpTls(dialogue: Dialogue): Promise<void> {
  await readGreeting(dialogue);
  const { code } = await sendCommand(dialogue, "AUTH TLS");
  if (code !== 234) throw new DialogueError(msg("protocol.no_tls", { where: dialogue.where }));
  await dialogue.secure();
}

async function readGreeting(dialogue: Dialogue): Promise<void> {
  const greeting = await readFinal(dialogue);
  if (greeting.code !== 220) throw replyError(greeting, dialogue);
}

function sendCommand(dialogue: Dialogue, command: string): Promise<Reply> {
  dialogue.send(`${command}\r\n`);
  return readFinal(dialogue);
}

/** The next reply that is not only "wait" (1yz). */
async function readFinal(dialogue: Dialogue): Promise<Reply> {
  for (;;) {
    const reply = await readReply(dialogue, "FTP");
    if (reply.code >= 200) return reply;
  }
}
