import type { Config } from "../../config.ts";
import type { MailAddress } from "../../config-smtp.ts";
import { fact } from "../../texts/fact.ts";
import type { Transport } from "../transport.ts";
import { bodiesOf } from "./compose.ts";
import { handOver } from "./hand-over.ts";
import { isMailable, type Mail, type WrittenMail } from "./mail.ts";
import { composeMessage } from "./message.ts";
import { wordsOf } from "./words.ts";

/** Sends by the mail server of the configuration. */
export const mailTransport: Transport = {
  async send({ config }, { uuid, recipient, createdAt, content }, signal) {
    const { smtp, publicUrl } = config;
    if (smtp === null) return { is: "postponed", why: fact("mail.off") };
    if (!isMailable(recipient)) return { is: "refused", why: fact("mail.recipient", { address: recipient }) };
    const from = senderOf(config);
    const mail = writtenOf(JSON.parse(content), publicUrl);
    const { words, link, list } = mail;
    const host = from.address.split("@")[1] ?? "localhost";
    const message = await composeMessage({
      from,
      to: recipient,
      uuid,
      date: new Date(createdAt),
      language: mail.language,
      subject: words.subject,
      ...bodiesOf(words, link),
      ...(list && {
        more: { "List-Id": `<${list.id}.${host}>`, "List-Unsubscribe": `<${list.unsubscribe}>` },
      }),
    });
    return handOver(smtp, { from: from.address, to: recipient, message }, signal);
  },
};

/** A mail in its reader's words. */
const writtenOf = (
  mail: Mail | WrittenMail,
  publicUrl: string | null,
): Pick<WrittenMail, "words" | "language" | "link"> & Partial<WrittenMail> =>
  mail.kind === "written"
    ? mail
    : { words: wordsOf(mail, publicUrl), language: mail.reader.language, link: mail.link };

/** The sender of all mail. */
export function senderOf({ mailFrom, publicUrl }: Config): MailAddress {
  const host = publicUrl === null ? "localhost" : new URL(publicUrl).hostname;
  return mailFrom ?? { name: "Vedette", address: `vedette@${host}` };
}
