import { sendTestMail } from "../../account/send-test-mail.ts";
import type { DefineBoth } from "../both-families.ts";

/** The mail of this installation. */
export function describeMail(define: DefineBoth): void {
  define({
    verb: sendTestMail,
    method: "POST",
    url: "/api/mail/test",
    tag: "organization",
    limit: { group: "test-mail", perMinute: 5 },
    summary: "Send a test mail to your own address",
    description:
      "Only for owners. Answers once the mail server has, with what it said, or why it could not be asked: `accepted` says which. 403 where no mail server is configured (`SMTP_URL`).",
  });
}
