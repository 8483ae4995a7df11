import { Socket } from "node:net";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Config } from "../../platform/config.ts";
import type { MailAddress, SmtpServer } from "../../platform/config-values.ts";
import { addressLiteral } from "../../platform/formats/host.ts";
import { de } from "../../platform/i18n/de.ts";
import { en } from "../../platform/i18n/en.ts";
import { excerpt, type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { mails as german } from "../../platform/i18n/notifications/de.ts";
import { mails as english } from "../../platform/i18n/notifications/en.ts";
import { mails as chinese } from "../../platform/i18n/notifications/zh.ts";
import { formatsOf, type Language, renderMessage } from "../../platform/i18n/render.ts";
import { zh } from "../../platform/i18n/zh.ts";
import { unlinkedName } from "../channels/message.ts";
import type { Outcome, Transport } from "../outbox.ts";
import { bodiesOf, type MailWords } from "./mail-body.ts";
import { composeMessage, isMailable, type Mail, type WrittenMail } from "./send-mail.ts";

/** A step that the server does not answer for so long has failed. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

interface Letter {
  from: string;
  to: string;
  /** With its headers. */
  message: Buffer;
}

/**
 * Hands a mail to a mail server over a connection of its own, and gives what it answered. Throws nodemailer's errors, and an
 * `ETIMEDOUT` when the signal ends it.
 */
async function sendBySmtp(
  server: SmtpServer,
  { from, to, message }: Letter,
  signal: AbortSignal,
): Promise<string> {
  // Most installations send nothing for days: it is loaded when it is needed.
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const socket = new Socket();
  const connection = new Connection({ ...optionsOf(server), socket });
  if (server.ehloName === undefined) {
    socket.once("connect", () => (connection.name = addressLiteral(socket.localAddress)));
  }
  const failed = new Promise<never>((_, reject) => {
    const stop = () => reject(Object.assign(new Error("given up"), { code: "ETIMEDOUT" }));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    connection.on("error", reject);
    // Once the promise has resolved or failed, this changes nothing.
    connection.once("end", () => reject(Object.assign(new Error("closed"), { code: "ECONNECTION" })));
  });
  try {
    return await Promise.race([failed, converse(connection, server, { from, to, message })]);
  } finally {
    connection.close();
  }
}

async function converse(
  connection: SMTPConnection,
  { auth }: SmtpServer,
  { from, to, message }: Letter,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  if (auth) {
    await new Promise<void>((resolve, reject) => {
      connection.login(auth, (error) => (error ? reject(error) : resolve()));
    });
  }
  const { response } = await new Promise<{ response: string }>((resolve, reject) => {
    connection.send({ from, to: [to] }, message, (error, info) => (error ? reject(error) : resolve(info)));
  });
  connection.quit();
  return response;
}

const optionsOf = ({
  host,
  port,
  secure,
  startTls,
  verify,
  ehloName,
}: SmtpServer): SMTPConnection.Options => ({
  host,
  port,
  secure,
  requireTLS: !secure && startTls === "required",
  ignoreTLS: startTls === "never",
  ...(ehloName !== undefined && { name: ehloName }),
  tls: { rejectUnauthorized: verify },
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  dnsTimeout: CONNECT_MS,
});

/** Hands a mail to the mail server, and says what became of it. */
export async function handOver(
  smtp: SmtpServer,
  letter: { from: string; to: string; message: Buffer },
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const said = await sendBySmtp(smtp, letter, signal);
    return { is: "sent", said: msg("mail.accepted", { where: `${smtp.host}:${smtp.port}`, said }) };
  } catch (error) {
    return smtpFailure(error, smtp);
  }
}

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
/** The server requires a sign-in first: that is about our configuration, not the mail. */
const SIGN_IN_FIRST = 530;

/** There is no such mailbox, or not here (RFC 5321, 4.2.3; 556: RFC 7504). */
const NO_MAILBOX = new Set([550, 551, 553, 556]);
/** Security and policy (RFC 3463, 3.8): it is the sender who is refused. */
const ABOUT_US = /^5\d\d[ -]5\.7\./;

/** What Node finds wrong with a certificate, whatever nodemailer makes of it. */
const CERTIFICATE = /certificate|self-signed|altnames/i;

/** Why a mail server did not take a mail, and whether it ever will. */
function smtpFailure(error: unknown, { host, port, auth }: SmtpServer): Exclude<Outcome, { is: "sent" }> {
  const { code = "", command = "", responseCode = 0, response, message = "" } = error as SmtpError;
  const where = `${host}:${port}`;
  const secrets = auth ? [auth.pass] : [];
  const said = excerpt(response ?? message, secrets);
  if (code === "EAUTH") return { is: "postponed", why: msg("mail.sign_in", { where, said }) };
  if (ABOUT_THE_MAIL.has(code) && responseCode >= 500 && responseCode !== SIGN_IN_FIRST) {
    const isUnknownMailbox =
      command === "RCPT TO" && NO_MAILBOX.has(responseCode) && !ABOUT_US.test(response ?? "");
    return {
      is: "refused",
      why: msg("mail.refused", { where, said }),
      ...(isUnknownMailbox && { noMailbox: true }),
    };
  }
  if (code === "ETLS" || (responseCode === 0 && CERTIFICATE.test(message))) {
    return { is: "postponed", why: msg("mail.tls", { where, error: said }) };
  }
  if (responseCode > 0) return { is: "postponed", why: msg("mail.deferred", { where, said }) };
  if (code === "ETIMEDOUT") return { is: "postponed", why: msg("mail.silent", { where }) };
  return { is: "postponed", why: msg("mail.unreachable", { where, error: said }) };
}

/** Sends by the mail server of the configuration. */
export const mailTransport: Transport = {
  async send({ config }, { uuid, recipient, createdAt, content }, signal) {
    const { smtp, publicUrl } = config;
    if (smtp === null) return { is: "postponed", why: msg("mail.off") };
    if (!isMailable(recipient)) return { is: "refused", why: msg("mail.recipient", { address: recipient }) };
    const from = senderOf(config);
    const mail = writtenOf(JSON.parse(content), publicUrl);
    const { words, link, list } = mail;
    const host = from.address.split("@")[1] ?? "localhost";
    const message = await composeMessage({
      from,
      to: recipient,
      uuid,
      date: new Date(createdAt),
      language: mail.language,
      subject: words.subject,
      ...bodiesOf(words, link),
      ...(list && {
        more: { "List-Id": `<${list.id}.${host}>`, "List-Unsubscribe": `<${list.unsubscribe}>` },
      }),
    });
    return handOver(smtp, { from: from.address, to: recipient, message }, signal);
  },
};

/** A mail in its reader's words. */
const writtenOf = (
  mail: Mail | WrittenMail,
  publicUrl: string | null,
): Pick<WrittenMail, "words" | "language" | "link"> & Partial<WrittenMail> =>
  mail.kind === "written"
    ? mail
    : { words: wordsOf(mail, publicUrl), language: mail.reader.language, link: mail.link };

/** The sender of all mail. */
export function senderOf({ mailFrom, publicUrl }: Config): MailAddress {
  const host = publicUrl === null ? "localhost" : new URL(publicUrl).hostname;
  return mailFrom ?? { name: "Vedette", address: `vedette@${host}` };
}

/** Words of stored messages are added: a text may contain them. */
const TEXTS: Record<Language, Readonly<Partial<Record<string, string>>>> = {
  en: { ...en, ...english },
  de: { ...de, ...german },
  zh: { ...zh, ...chinese },
};

/** What people choose themselves, in mails to others. */
const NAMES: ReadonlySet<string> = new Set(["name", "organization"]);

/** What a mail says. `publicUrl`: where this installation is reached, for the footer. */
function wordsOf({ kind, reader, params }: Mail, publicUrl: string | null): MailWords {
  const texts = TEXTS[reader.language];
  const formats = formatsOf(reader.language, reader.timeZone);
  const clean = Object.entries<string | MessageDescriptor>(params).map(([name, value]) => [
    name,
    // Names are other people's: whatever they hold, they stay one short line.
    typeof value === "string" ? excerpt(value) : renderMessage(texts, value, formats),
  ]);
  const plain: Record<string, string> = { ...Object.fromEntries(clean), address: publicUrl ?? "" };
  // In subjects, too: some programs that show them make links of what looks like one.
  const unlinkedNames = Object.fromEntries(
    Object.entries(plain).map(([name, text]) => [name, NAMES.has(name) ? unlinkedName(text) : text]),
  );
  const say = (part: string): string | null =>
    Object.hasOwn(texts, part) ? renderMessage(texts, { code: part, params: unlinkedNames }, formats) : null;
  return {
    subject: say(`${kind}.subject`) ?? "",
    text: say(`${kind}.text`) ?? "",
    action: say(`${kind}.action`),
    ending: say(`${kind}.ending`),
    footer: publicUrl === null ? null : say("footer.text"),
  };
}
