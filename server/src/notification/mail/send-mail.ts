import type { Config } from "../../config.ts";
import { PublicError } from "../../errors.ts";
import { fact } from "../../texts/fact.ts";
import { enqueue, type Writing } from "../outbox.ts";
import type { Mail, WrittenMail } from "./mail.ts";

/** Whether this installation sends mail with links. */
export const sendsMail = ({ smtp, publicUrl }: Config): boolean => smtp !== null && publicUrl !== null;

/** Throws 403 where no mail is sent. */
export function assertSmtp({ smtp }: Config): void {
  if (smtp === null) throw new PublicError("forbidden", fact("mail.off"));
}

/** An address of the app for a mail's link: never from a request, whose Host header anybody may choose. Throws 403 where no mail with links is sent. */
export function mailedLink(config: Config, path: string): string {
  assertSmtp(config);
  if (config.publicUrl === null) throw new PublicError("forbidden", fact("mail.no_address"));
  return config.publicUrl + path;
}

interface Addressed {
  to: string;
  mail: Mail | WrittenMail;
  /** Whose affair it is; default: the recipient's own. */
  organizationId?: number;
  /** How long it is worth sending, milliseconds. */
  worthMs: number;
}

/** Sends a mail once the transaction is committed. */
export async function sendMail(
  ctx: Writing,
  { to, mail, organizationId, worthMs }: Addressed,
): Promise<void> {
  await enqueue(ctx, {
    transport: "mail",
    recipient: to,
    organizationId: organizationId ?? null,
    content: mail,
    worthMs,
  });
}
