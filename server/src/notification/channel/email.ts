import { type Static, Type } from "typebox";
import type { FieldErrors } from "../../errors.ts";
import { fact } from "../../texts/fact.ts";
import { isMailable } from "../mail/mail.ts";
import { sendNoticeMail } from "../mail/notice-mail.ts";
import type { OwnChannelKind } from "./kind.ts";

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
    isMailable(address) ? {} : { address: [fact("mail.recipient", { address })] },
  send: (ctx, { config, reader, delivery, outgoing }, signal) =>
    sendNoticeMail(ctx, { to: config.address, reader, delivery, outgoing }, signal),
};
