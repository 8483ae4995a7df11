import { type Static, Type } from "typebox";
import type { Context } from "../../platform/context.ts";
import type { FieldErrors } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import type { Reader } from "../../platform/i18n/reader.ts";
import { bodiesOf } from "../mail/mail-body.ts";
import { handOver, senderOf } from "../mail/mail-transport.ts";
import { composeMessage, isMailable } from "../mail/send-mail.ts";
import type { OpenDelivery, Outcome } from "../outbox.ts";
import type { Outgoing, OwnChannelKind } from "./kind.ts";
import { unlinkedName } from "./message.ts";
import { ownFooter } from "./message-words.ts";

interface NotificationMail {
  to: string;
  reader: Reader;
  delivery: Pick<OpenDelivery, "uuid" | "createdAt">;
  outgoing: Outgoing;
}

/** Sends an organization's notification as a mail, in a thread of its own for each outage. */
async function sendNotificationMail(
  { config }: Context,
  { to, reader, delivery, outgoing }: NotificationMail,
  signal: AbortSignal,
): Promise<Outcome> {
  const { smtp } = config;
  if (smtp === null) return { is: "postponed", why: msg("mail.off") };
  const { words, threadKey, organization, isOwn, message } = outgoing;
  const settings = isOwn && config.publicUrl !== null ? `${config.publicUrl}/settings/notifications` : null;
  const from = senderOf(config);
  const host = from.address.split("@")[1] ?? "localhost";
  const details = words.details.map(({ label, value }) => `${label}: ${value}`).join("\n");
  const mailed = {
    subject: words.title,
    // Readers of a client that shows no subject learn what is down, too.
    heading: words.title,
    text: words.text,
    links: words.links,
    action: words.link?.label ?? null,
    ending: details === "" ? null : details,
    // Before the address is confirmed, the mail contains nothing that users have named.
    footer:
      settings && message.event !== "confirmation"
        ? ownFooter(reader, unlinkedName(organization.name), settings)
        : null,
  };
  const thread = `<${threadKey}@${host}>`;
  const composed = await composeMessage({
    from,
    to,
    uuid: delivery.uuid,
    date: new Date(delivery.createdAt),
    language: reader.language,
    subject: words.title,
    ...bodiesOf(mailed, words.link?.url ?? null, words.acknowledge),
    // All mails about one outage reply to the same message, which need not exist (RFC 5322, 3.6.4).
    more: {
      "In-Reply-To": thread,
      References: thread,
      // Without a name: one with letters beyond ASCII would take the id into an encoded word, where no filter finds it.
      "List-Id": `<${organization.uuid}.${host}>`,
      ...(settings && { "List-Unsubscribe": `<${settings}>` }),
    },
  });
  return handOver(smtp, { from: from.address, to, message: composed }, signal);
}

const emailConfigSchema = Type.Object(
  {
    address: Type.String({
      format: "email",
      maxLength: 254,
      description: "Who is written to.",
      examples: ["oncall@example.com"],
    }),
  },
  {
    additionalProperties: false,
    title: "E-mail",
    description: "Writes to an address by the installation's own mail server.",
  },
);

type EmailConfig = Static<typeof emailConfigSchema>;

/** A mailbox, by the mail server of the installation. */
export const emailChannel: OwnChannelKind<EmailConfig> = {
  type: "email",
  configSchema: emailConfigSchema,
  target: ({ address }) => address,
  consentOf: ({ address }) => address,
  problems: ({ address }): FieldErrors =>
    isMailable(address) ? {} : { address: [msg("mail.recipient", { address })] },
  send: (ctx, { config, reader, delivery, outgoing }, signal) =>
    sendNotificationMail(ctx, { to: config.address, reader, delivery, outgoing }, signal),
};
