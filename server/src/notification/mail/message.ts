import type { MailAddress } from "../../config-smtp.ts";

interface Parts {
  from: MailAddress;
  to: string;
  uuid: string;
  date: Date;
  language: string;
  subject: string;
  text: string;
  html: string;
  /** Further headers. */
  more?: Record<string, string>;
}

/** A mail as it travels (RFC 5322), the text first. The same uuid gives the same Message-ID. */
export async function composeMessage({
  from,
  to,
  uuid,
  date,
  language,
  more,
  ...words
}: Parts): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const composer = new MailComposer({
    from,
    // Taken apart already, so that nothing in it is read as a second one.
    to: { name: "", address: to },
    messageId: `<${uuid}@${from.address.split("@")[1]}>`,
    date,
    ...words,
    // Nobody's absence is to be announced to us.
    headers: { "Auto-Submitted": "auto-generated", "Content-Language": language, ...more },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
