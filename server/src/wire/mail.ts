import { type Static, Type } from "typebox";
import type { MailAddress, SmtpServer } from "../config-smtp.ts";
import type { Fact as StoredFact } from "../texts/fact.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { nullable } from "./field.ts";

/** The mail settings of this installation, without credentials. */
export const MailSettings = Type.Object(
  {
    server: nullable(
      Type.String({ examples: ["smtp.example.org:587"] }),
      "The mail server of `SMTP_URL`; null: no mail is sent.",
    ),
    sender: nullable(
      Type.String({ examples: ["Vedette <vedette@example.org>"] }),
      "The sender of all mail; null: no mail is sent.",
    ),
    links: Type.Boolean({
      description:
        "Whether mail with links is sent, such as invitations: that takes `VEDETTE_PUBLIC_URL` as well.",
    }),
  },
  { title: "MailSettings" },
);

/** What became of a test mail. */
export const MailTest = Type.Object(
  {
    to: Type.String({ description: "Your own address.", examples: ["ada@example.org"] }),
    accepted: Type.Boolean({ description: "Whether the mail server took it." }),
    answer: Type.String({
      description: "What the mail server said, or why it did not.",
      examples: ["The mail server smtp.example.org:587 accepted it: 250 2.0.0 OK"],
    }),
    answerFact: Fact,
  },
  { title: "MailTest" },
);

/** The server's name and port, never what it is signed in to with. */
export function projectMailSettings(
  smtp: Pick<SmtpServer, "host" | "port"> | null,
  { sender: { name, address }, links }: { sender: MailAddress; links: boolean },
): Static<typeof MailSettings> {
  if (smtp === null) return { server: null, sender: null, links };
  return { server: `${smtp.host}:${smtp.port}`, sender: `${name} <${address}>`, links };
}

export const projectMailTest = (
  to: string,
  { accepted, fact }: { accepted: boolean; fact: StoredFact },
): Static<typeof MailTest> => ({ to, accepted, answer: sentenceOf(fact) ?? "", answerFact: fact });
