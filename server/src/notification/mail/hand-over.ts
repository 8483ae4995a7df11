import type { SmtpServer } from "../../config-smtp.ts";
import { fact } from "../../texts/fact.ts";
import type { Outcome } from "../transport.ts";
import { sendBySmtp } from "./smtp.ts";
import { smtpFailure } from "./smtp-failure.ts";

/** Hands a mail to the mail server, and says what became of it. */
export async function handOver(
  smtp: SmtpServer,
  letter: { from: string; to: string; message: Buffer },
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const said = await sendBySmtp(smtp, letter, signal);
    return { is: "sent", said: fact("mail.accepted", { where: `${smtp.host}:${smtp.port}`, said }) };
  } catch (error) {
    return smtpFailure(error, smtp);
  }
}
