import { getMailSettings } from "../../account/get-mail-settings.ts";
import { sendTestMail } from "../../account/send-test-mail.ts";
import type { DefineBoth } from "../both-families.ts";
import { limitMails } from "../mail-limit.ts";

const TEST_MAILS_AN_HOUR = 20;

/** The mail of this installation. */
export function describeMail(define: DefineBoth): void {
  define({
    verb: getMailSettings,
    method: "GET",
    url: "/api/mail",
    tag: "organization",
    summary: "Get the mail settings",
    description:
      "Only for owners. Whoever runs the installation sets it in the environment of the server: `SMTP_URL` (`smtp://user:password@smtp.example.org:587`, or `smtps://…:465`), `VEDETTE_MAIL_FROM` (`Vedette <vedette@example.org>`) and, for mail with links, `VEDETTE_PUBLIC_URL`; then the server is restarted. Without `SMTP_URL` no mail is sent.",
  });
  define({
    verb: sendTestMail,
    method: "POST",
    url: "/api/mail/test",
    tag: "organization",
    limit: { group: "test-mail", perMinute: 5 },
    before: async (_, http) => {
      // Nobody has shown that the address which they signed up with is theirs.
      const to = `user:${http.ctx.caller?.userId}`;
      await limitMails(http, { group: "test-mails", to, anHour: TEST_MAILS_AN_HOUR });
    },
    summary: "Send a test mail to your own address",
    description:
      "Only for owners. Answers once the mail server has, with what it said, or why it could not be asked: `accepted` says which. Twenty an hour at most. 403 where no mail server is configured (`SMTP_URL`).",
  });
}
