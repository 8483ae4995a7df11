import { excerpt, fact } from "../texts/fact.ts";
import type { Dialogue } from "./dialogue.ts";
import { DialogueError } from "./dialogue-error.ts";

/** SSLRequest (PostgreSQL protocol, message formats): its length, and the code 1234.5679. */
export const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** What the one byte says with which a server answers it. Throws DialogueError where it is no yes. */
export function demandOffer(answer: Buffer, where: string): void {
  const said = answer.toString("latin1");
  if (said === "S") return;
  const start = excerpt(answer.toString("utf8", 0, 80));
  const other = fact("protocol.other", { where, protocol: "PostgreSQL", start });
  throw new DialogueError(said === "N" ? fact("protocol.no_tls", { where }) : other);
}

/** From the first byte to TLS, as PostgreSQL's clients do it. Throws DialogueError. */
export async function startPostgresTls(dialogue: Dialogue): Promise<void> {
  dialogue.send(SSL_REQUEST);
  demandOffer(await dialogue.readBytes(1), dialogue.where);
  await dialogue.secure();
}
