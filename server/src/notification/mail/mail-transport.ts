import type { Config } from "../../config.ts";
import type { MailAddress } from "../../config-smtp.ts";
import { de } from "../../texts/de.ts";
import { en } from "../../texts/en.ts";
import { excerpt, type Fact, fact } from "../../texts/fact.ts";
import { formatsOf } from "../../texts/formats.ts";
import type { Language } from "../../texts/languages.ts";
import { mails as german } from "../../texts/mails/de.ts";
import { mails as english } from "../../texts/mails/en.ts";
import { mails as chinese } from "../../texts/mails/zh.ts";
import { renderFact } from "../../texts/render.ts";
import { zh } from "../../texts/zh.ts";
import { unlinkedName } from "../channel/text-formats.ts";
import type { Transport } from "../transport.ts";
import { bodiesOf } from "./compose.ts";
import { handOver } from "./hand-over.ts";
import { isMailable, type Mail, type WrittenMail } from "./mail.ts";
import { composeMessage } from "./message.ts";
import type { MailWords } from "./said.ts";

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

/** Those of facts besides: a text may have words of theirs in it. */
const TEXTS: Record<Language, Readonly<Partial<Record<string, string>>>> = {
  en: { ...en, ...english },
  de: { ...de, ...german },
  zh: { ...zh, ...chinese },
};

/** What people choose themselves, in mails to others. */
const NAMES: ReadonlySet<string> = new Set(["name", "organization"]);

/** What a mail says. `publicUrl`: where this installation is reached, for the footer. */
function wordsOf({ kind, reader, params }: Mail, publicUrl: string | null): MailWords {
  const texts = TEXTS[reader.language];
  const formats = formatsOf(reader.language, reader.timeZone);
  const clean = Object.entries<string | Fact>(params).map(([name, value]) => [
    name,
    // Names are other people's: whatever they hold, they stay one short line.
    typeof value === "string" ? excerpt(value) : renderFact(texts, value, formats),
  ]);
  const plain: Record<string, string> = { ...Object.fromEntries(clean), address: publicUrl ?? "" };
  // In subjects, too: some programs that show them make links of what looks like one.
  const unlinkedNames = Object.fromEntries(
    Object.entries(plain).map(([name, text]) => [name, NAMES.has(name) ? unlinkedName(text) : text]),
  );
  const say = (part: string): string | null =>
    Object.hasOwn(texts, part) ? renderFact(texts, { code: part, params: unlinkedNames }, formats) : null;
  return {
    subject: say(`${kind}.subject`) ?? "",
    text: say(`${kind}.text`) ?? "",
    action: say(`${kind}.action`),
    ending: say(`${kind}.ending`),
    footer: publicUrl === null ? null : say("footer.text"),
  };
}
