import { Type } from "typebox";
import { senderOf } from "../notification/mail/mail-transport.ts";
import { sendsMail } from "../notification/mail/send-mail.ts";
import { verb } from "../verb/verb.ts";
import { MailSettings, projectMailSettings } from "../wire/mail.ts";

/** The mail settings of this installation, for those who may test them (sendTestMail). */
export const getMailSettings = verb({
  resource: "organization",
  role: "owner",
  action: "read",
  input: Type.Object({}),
  output: MailSettings,
  async run({ config }) {
    return projectMailSettings(config.smtp, { sender: senderOf(config), links: sendsMail(config) });
  },
});
