import type { Config } from "../../config.ts";
import type { MailAddress } from "../../config-smtp.ts";
import { fact } from "../../texts/fact.ts";
import type { Transport } from "../transport.ts";
import { bodiesOf } from "./compose.ts";
import { handOver } from "./hand-over.ts";
import { isMailable, type Mail } from "./mail.ts";
import { composeMessage } from "./message.ts";
import { wordsOf } from "./words.ts";

/** Sends by the mail server of the configuration. */
export const mailTransport: Transport = {
  async send({ config }, { uuid, recipient, createdAt, content }, signal) {
    const { smtp, publicUrl } = config;
    if (smtp === null) return { is: "postponed", why: fact("mail.off") };
    if (!isMailable(recipient)) return { is: "refused", why: fact("mail.recipient", { address: recipient }) };
    const mail = JSON.parse(content) as Mail;
    const words = wordsOf(mail, publicUrl);
    const from = senderOf(config);
    const message = await composeMessage({
      from,
      to: recipient,
      uuid,
      date: new Date(createdAt),
      language: mail.reader.language,
      subject: words.subject,
      ...bodiesOf(words, mail.link),
    });
    return handOver(smtp, { from: from.address, to: recipient, message }, signal);
  },
};

/** The sender of all mail. */
export function senderOf({ mailFrom, publicUrl }: Config): MailAddress {
  const host = publicUrl === null ? "localhost" : new URL(publicUrl).hostname;
  return mailFrom ?? { name: "Vedette", address: `vedette@${host}` };
}
