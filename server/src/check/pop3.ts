import { excerpt, fact } from "../texts/fact.ts";
import type { Dialogue } from "./dialogue.ts";
import { DialogueError } from "./dialogue-error.ts";
import { type LoginWish, loginKind } from "./login-kind.ts";

/** A mailbox server that lets its users in (RFC 1939, 2595). */
export const checkPop3 = loginKind({
  type: "pop3",
  title: "POP3",
  description:
    "Asks a mailbox server for its greeting and, if there is a user, logs in. No message is read or deleted.",
  port: 995,
  security: "tls",
  talk,
});

async function talk(dialogue: Dialogue, { isStarttls, login, secrets }: LoginWish): Promise<void> {
  const refused = (said: string, isLogin: boolean) =>
    new DialogueError(
      fact(isLogin ? "status.login" : "status.error", {
        where: dialogue.where,
        said: excerpt(said, secrets),
      }),
    );
  const greeting = await readStatus(dialogue);
  if (!greeting.isOk) throw refused(greeting.said, false);
  if (isStarttls) {
    const agreed = await ask(dialogue, "STLS");
    if (!agreed.isOk) throw new DialogueError(fact("protocol.no_tls", { where: dialogue.where }));
    await dialogue.secure();
  }
  if (login !== null) {
    for (const command of [`USER ${login.user}`, `PASS ${login.password}`]) {
      const { isOk, said } = await ask(dialogue, command);
      if (!isOk) throw refused(said, true);
    }
  }
  dialogue.send("QUIT\r\n");
}

function ask(dialogue: Dialogue, command: string) {
  dialogue.send(`${command}\r\n`);
  return readStatus(dialogue);
}

/** A line that begins with +OK or -ERR. */
async function readStatus(dialogue: Dialogue): Promise<{ isOk: boolean; said: string }> {
  const said = await dialogue.readLine();
  const isOk = /^\+OK\b/.test(said);
  if (isOk || /^-ERR\b/.test(said)) return { isOk, said };
  const start = excerpt(said.slice(0, 80));
  throw new DialogueError(fact("protocol.other", { where: dialogue.where, protocol: "POP3", start }));
}
