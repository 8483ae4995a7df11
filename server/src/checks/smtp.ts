import { msg } from "../platform/i18n/message.ts";
import type { Dialogue } from "./dialogue.ts";
import {
  base64,
  type LoginWish,
  loginKind,
  type Reply,
  readReply,
  replyError,
  saslPlain,
} from "./login-kind.ts";
import { DialogueError } from "./reasons.ts";

/** A mail server that is ready to take mail (RFC 5321, 3207, 4954). */
export const checkSmtp = loginKind({
  type: "smtp",
  title: "SMTP",
  description:
    "Checks whether a mail server is ready to take mail: greeting, EHLO, TLS and, if there is a user, login. No mail is sent.",
  port: 25,
  security: "starttls",
  talk,
});

async function talk(dialogue: Dialogue, { isStarttls, login }: LoginWish): Promise<void> {
  if (isStarttls) await startSmtpTls(dialogue);
  else demand(await readReply(dialogue, "SMTP"), 220, dialogue);
  const offers = await greet(dialogue);
  if (login !== null) await logIn(dialogue, login, offers);
  dialogue.send("QUIT\r\n");
}

export async function startSmtpTls(dialogue: Dialogue): Promise<void> {
  demand(await readReply(dialogue, "SMTP"), 220, dialogue);
  const offers = await greet(dialogue);
  if (!offers.has("STARTTLS")) throw new DialogueError(msg("protocol.no_tls", { where: dialogue.where }));
  demand(await sendCommand(dialogue, "STARTTLS"), 220, dialogue);
  await dialogue.secure();
}

function sendCommand(dialogue: Dialogue, command: string): Promise<Reply> {
  dialogue.send(`${command}\r\n`);
  return readReply(dialogue, "SMTP");
}

function demand(reply: Reply, code: number, dialogue: Dialogue): Reply {
  if (reply.code !== code) throw replyError(reply, dialogue);
  return reply;
}

/**
 * By keyword (RFC 5321 §4.1.1.1): none where the server knows HELO only, the fallback when EHLO is refused
 * for good (§3.2).
 */
async function greet(dialogue: Dialogue): Promise<Map<string, string[]>> {
  const extended = await sendCommand(dialogue, `EHLO ${dialogue.ehloName}`);
  if (extended.code >= 500) {
    demand(await sendCommand(dialogue, `HELO ${dialogue.ehloName}`), 250, dialogue);
    return new Map();
  }
  const { lines } = demand(extended, 250, dialogue);
  return new Map(
    lines.slice(1).map((line) => {
      const [keyword = "", ...given] = line.toUpperCase().split(/[ =]+/);
      return [keyword, given];
    }),
  );
}

/** PLAIN where it is offered, else LOGIN, which Microsoft's servers prefer. */
async function logIn(
  dialogue: Dialogue,
  { user, password }: NonNullable<LoginWish["login"]>,
  offers: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const ways = offers.get("AUTH") ?? [];
  if (!ways.includes("PLAIN") && !ways.includes("LOGIN")) {
    throw new DialogueError(msg("status.no_login", { where: dialogue.where }));
  }
  let reply: Reply;
  if (ways.includes("PLAIN")) reply = await sendCommand(dialogue, `AUTH PLAIN ${saslPlain(user, password)}`);
  else {
    reply = await sendCommand(dialogue, "AUTH LOGIN");
    for (const said of [user, password]) {
      if (reply.code === 334) reply = await sendCommand(dialogue, base64(said));
    }
  }
  if (reply.code !== 235) throw replyError(reply, dialogue, { isLogin: true });
}
