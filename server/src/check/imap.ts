import { excerpt, fact } from "../texts/fact.ts";
import type { Dialogue } from "./dialogue.ts";
import { DialogueError } from "./dialogue-error.ts";
import { type LoginWish, loginKind, saslPlain } from "./login-kind.ts";

/** A mailbox server that lets its users in (RFC 9051, and RFC 3501 before it). */
export const checkImap = loginKind({
  type: "imap",
  title: "IMAP",
  description:
    "Asks a mailbox server for its greeting and, if there is a user, logs in. No mailbox is opened.",
  port: 993,
  security: "tls",
  talk,
});

async function talk(dialogue: Dialogue, { isStarttls, login, secrets }: LoginWish): Promise<void> {
  const { where } = dialogue;
  if (isStarttls) await startImapTls(dialogue);
  else await readGreeting(dialogue);
  if (login !== null) {
    dialogue.send("v2 AUTHENTICATE PLAIN\r\n");
    const asked = await readTagged(dialogue, "v2");
    if (!asked.isPrompt) throw loginRefused(asked.said, where, secrets);
    dialogue.send(`${saslPlain(login.user, login.password)}\r\n`);
    const { isOk, said } = await readTagged(dialogue, "v2");
    if (!isOk) throw loginRefused(said, where, secrets);
  }
  dialogue.send("v3 LOGOUT\r\n");
}

/** From the greeting to TLS. Throws DialogueError. */
export async function startImapTls(dialogue: Dialogue): Promise<void> {
  await readGreeting(dialogue);
  dialogue.send("v1 STARTTLS\r\n");
  const { isOk } = await readTagged(dialogue, "v1");
  if (!isOk) throw new DialogueError(fact("protocol.no_tls", { where: dialogue.where }));
  await dialogue.secure();
}

async function readGreeting(dialogue: Dialogue): Promise<void> {
  const { where } = dialogue;
  const greeting = await dialogue.readLine();
  if (/^\* (OK|PREAUTH)\b/i.test(greeting)) return;
  const start = excerpt(greeting.slice(0, 80));
  throw new DialogueError(
    /^\* BYE\b/i.test(greeting)
      ? fact("status.error", { where, said: excerpt(greeting) })
      : fact("protocol.other", { where, protocol: "IMAP", start }),
  );
}

/** How a command ended, or that the server waits for what belongs to it; what else it says meanwhile is passed over. */
async function readTagged(dialogue: Dialogue, tag: string) {
  for (;;) {
    const line = await dialogue.readLine();
    if (/^\+( |$)/.test(line)) return { isPrompt: true, isOk: false, said: line };
    if (/^\* BYE\b/i.test(line)) return { isPrompt: false, isOk: false, said: line };
    if (line.startsWith(`${tag} `)) {
      const said = line.slice(tag.length + 1);
      return { isPrompt: false, isOk: /^OK\b/i.test(said), said };
    }
    if (!line.startsWith("* ")) throw new DialogueError(fact("protocol.broken", { where: dialogue.where }));
  }
}

const loginRefused = (said: string, where: string, secrets: readonly string[]) =>
  new DialogueError(fact("status.login", { where, said: excerpt(said, secrets) }));
