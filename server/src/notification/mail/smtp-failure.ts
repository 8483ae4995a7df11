import type { SmtpServer } from "../../config-smtp.ts";
import { excerpt, fact } from "../../texts/fact.ts";
import type { Outcome } from "../transport.ts";

/** What nodemailer puts on its errors. */
interface SmtpError {
  code?: string;
  /** What the server answered to. */
  command?: string;
  /** The server's, e.g. 550. */
  responseCode?: number;
  /** The whole answer. */
  response?: string;
  message?: string;
}

/** At the recipient, the sender or the mail itself: sending it again changes nothing. */
const ABOUT_THE_MAIL = new Set(["EENVELOPE", "EMESSAGE"]);
/** It asks us to sign in first: that is about us, not the mail. */
const SIGN_IN_FIRST = 530;

/** There is no such mailbox, or not here (RFC 5321, 4.2.3; 556: RFC 7504). */
const NO_MAILBOX = new Set([550, 551, 553, 556]);
/** Security and policy (RFC 3463, 3.8): it is the sender who is refused. */
const ABOUT_US = /^5\d\d[ -]5\.7\./;

/** What Node finds wrong with a certificate, whatever nodemailer makes of it. */
const CERTIFICATE = /certificate|self-signed|altnames/i;

/** Why a mail server did not take a mail, and whether it ever will. */
export function smtpFailure(
  error: unknown,
  { host, port, auth }: SmtpServer,
): Exclude<Outcome, { is: "sent" }> {
  const { code = "", command = "", responseCode = 0, response, message = "" } = error as SmtpError;
  const where = `${host}:${port}`;
  const secrets = auth ? [auth.pass] : [];
  const said = excerpt(response ?? message, secrets);
  if (code === "EAUTH") return { is: "postponed", why: fact("mail.sign_in", { where, said }) };
  if (ABOUT_THE_MAIL.has(code) && responseCode >= 500 && responseCode !== SIGN_IN_FIRST) {
    const isNobody = command === "RCPT TO" && NO_MAILBOX.has(responseCode) && !ABOUT_US.test(response ?? "");
    return {
      is: "refused",
      why: fact("mail.refused", { where, said }),
      ...(isNobody && { noMailbox: true }),
    };
  }
  if (code === "ETLS" || (responseCode === 0 && CERTIFICATE.test(message))) {
    return { is: "postponed", why: fact("mail.tls", { where, error: said }) };
  }
  if (responseCode > 0) return { is: "postponed", why: fact("mail.deferred", { where, said }) };
  if (code === "ETIMEDOUT") return { is: "postponed", why: fact("mail.silent", { where }) };
  return { is: "postponed", why: fact("mail.unreachable", { where, error: said }) };
}
