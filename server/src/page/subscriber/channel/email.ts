import { isEmail, normalizeEmail } from "../../../account/email.ts";
import type { Context } from "../../../context.ts";
import { unlinkedName } from "../../../notification/channel/text-formats.ts";
import { bodiesOf } from "../../../notification/mail/compose.ts";
import { handOver } from "../../../notification/mail/hand-over.ts";
import { isMailable } from "../../../notification/mail/mail.ts";
import { senderOf } from "../../../notification/mail/mail-transport.ts";
import { composeMessage } from "../../../notification/mail/message.ts";
import type { Outcome } from "../../../notification/transport.ts";
import { excerpt, fact } from "../../../texts/fact.ts";
import { wordsFor } from "../../render/words.ts";
import type { SubscriberChannel } from "./channel.ts";
import { type Sending, wordsOf } from "./sending.ts";

/** Mailboxes in lower case, dots and all else as they are, since only their own server knows whether that means the same. */
export const emailChannel: SubscriberChannel = {
  isSigned: false,
  lack: ({ publicUrl, smtp }) => (publicUrl === null || smtp === null ? fact("mail.off") : null),
  read(typed) {
    const address = normalizeEmail(typed);
    if (!isEmail(address) || !isMailable(address)) return { problem: fact("subscriber.no_email") };
    return { address, place: address, destination: null };
  },
  // Most servers deliver whatever follows a plus sign in a mailbox's name into one inbox.
  askedPlace: (_, { address }) => address.replace(/^([^+@]+)\+[^@]*@/, "$1@"),
  send: sendMail,
};

/** Sends a mail that its reader's program can end the subscription by (RFC 8058). */
async function sendMail({ config }: Context, sending: Sending, signal: AbortSignal): Promise<Outcome> {
  const { smtp } = config;
  if (smtp === null) return { is: "postponed", why: fact("mail.off") };
  const { subscriber, page, news, delivery, manageUrl, endUrl } = sending;
  const { title, texts, html, label, url, ending } = wordsOf(sending, unlinkedName);
  const { say } = wordsFor(subscriber.language, page.timeZone);
  const from = senderOf(config);
  const host = from.address.split("@")[1] ?? "localhost";
  const why = say("told.why", { address: subscriber.address, page: unlinkedName(excerpt(page.name)) });
  const links = [say("told.manage", { url: manageUrl }), say("told.end", { url: endUrl })];
  const footer = sending.confirmUrl === null ? [why, ...links].join("\n") : null;
  const words = { subject: title, text: texts.join("\n\n"), html, action: label, ending, footer };
  const subject = (news?.incident ?? news?.maintenance)?.uuid;
  const thread = subject && `<page-${subject}.${subscriber.uuid}@${host}>`;
  const message = await composeMessage({
    from,
    to: subscriber.address,
    uuid: delivery.uuid,
    date: new Date(delivery.createdAt),
    language: subscriber.language,
    subject: title,
    ...bodiesOf(words, url),
    more: {
      ...(thread && { "In-Reply-To": thread, References: thread }),
      "List-Id": `<${page.uuid}.${host}>`,
      "List-Unsubscribe": `<${endUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
  return handOver(smtp, { from: from.address, to: subscriber.address, message }, signal);
}
