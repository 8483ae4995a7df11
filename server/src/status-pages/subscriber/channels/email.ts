import { unlinkedName } from "../../../alerts/channels/message.ts";
import { bodiesOf } from "../../../alerts/mail/mail-body.ts";
import { handOver, senderOf } from "../../../alerts/mail/mail-transport.ts";
import { composeMessage, isMailable } from "../../../alerts/mail/send-mail.ts";
import type { Outcome } from "../../../alerts/outbox.ts";
import type { Context } from "../../../platform/context.ts";
import { isEmail, normalizeEmail } from "../../../platform/formats/name.ts";
import { excerpt, msg } from "../../../platform/i18n/message.ts";
import { wordsFor } from "../../render/view.ts";
import { type Sending, wordsOf } from "../subscriber-words.ts";
import type { SubscriberChannel } from "./channel.ts";

/** Lower case; everything else, such as dots, has a meaning that only the receiving server knows. */
export const emailChannel: SubscriberChannel = {
  isSigned: false,
  lack: ({ publicUrl, smtp }) => (publicUrl === null || smtp === null ? msg("mail.off") : null),
  read(typed) {
    const address = normalizeEmail(typed);
    if (!isEmail(address) || !isMailable(address)) return { problem: msg("subscriber.no_email") };
    return { address, place: address, destination: null };
  },
  // Most servers deliver `name+anything` to one inbox.
  canonicalAddress: (_, { address }) => address.replace(/^([^+@]+)\+[^@]*@/, "$1@"),
  send: sendMail,
};

/** With one-click unsubscription (RFC 8058). */
async function sendMail({ config }: Context, sending: Sending, signal: AbortSignal): Promise<Outcome> {
  const { smtp } = config;
  if (smtp === null) return { is: "postponed", why: msg("mail.off") };
  const { subscriber, page, notification, delivery, manageUrl, endUrl } = sending;
  const { title, texts, html, label, url, ending } = wordsOf(sending, unlinkedName);
  const { say } = wordsFor(subscriber.language, page.timeZone);
  const from = senderOf(config);
  const host = from.address.split("@")[1] ?? "localhost";
  const why = say("notification.why", {
    address: subscriber.address,
    page: unlinkedName(excerpt(page.name)),
  });
  const links = [say("notification.manage", { url: manageUrl }), say("notification.end", { url: endUrl })];
  const footer = sending.confirmUrl === null ? [why, ...links].join("\n") : null;
  const words = { subject: title, text: texts.join("\n\n"), html, action: label, ending, footer };
  const subject = (notification?.incident ?? notification?.maintenance)?.uuid;
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
