import { createHash } from "node:crypto";
import { findUser, isEmailConfirmed } from "../../platform/access/queries/users.ts";
import type { Config } from "../../platform/config.ts";
import type { MailAddress } from "../../platform/config-values.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { PublicError } from "../../platform/errors.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import type { MailKind, MailParams } from "../../platform/i18n/mails/mail-texts.ts";
import { msg } from "../../platform/i18n/message.ts";
import type { Reader } from "../../platform/i18n/reader.ts";
import type { Language } from "../../platform/i18n/render.ts";
import { unlinkedName } from "../channels/message.ts";
import { enqueue, type Writing } from "../outbox.ts";
import {
  countExternalMails,
  type ExternalMailCounts,
  recordExternalMail,
} from "../queries/notification-settings.ts";

/** Whether this installation sends mail with links. */
export const sendsMail = ({ smtp, publicUrl }: Config): boolean => smtp !== null && publicUrl !== null;

/** Throws 403 where no mail is sent. */
export function assertSmtp({ smtp }: Config): void {
  if (smtp === null) throw new PublicError("forbidden", msg("mail.off"));
}

/** An address of the app for a mail's link: never from a request, whose Host header anybody may choose. Throws 403 where no mail with links is sent. */
export function mailedLink(config: Config, path: string): string {
  assertSmtp(config);
  if (config.publicUrl === null) throw new PublicError("forbidden", msg("mail.no_address"));
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

const DAY_MS = 86_400_000;

/** Mails a day to addresses of others: of one person, of one organization, and to one address by any sender. */
const MAX_A_DAY = {
  open: { person: 20, organization: 50, recipient: 10 },
  closed: { person: 200, organization: 200, recipient: 20 },
} as const;
/** Of a person whose own address is not confirmed where anybody may sign up: enough to correct one that was mistyped. */
const MAX_UNCONFIRMED_A_DAY = 3;

const OF_OTHERS = ["recipient", "person", "organization"] as const;
const OF_OWN_ADDRESS = ["recipient"] as const;

/**
 * Counts a mail that a user sent to an address not known to be theirs. Returns whose daily quota is used up, in which case it
 * is not counted and must not be sent. `share`: how much of the sender's quotas such a mail may fill.
 */
export async function countExternalMail(
  { db, clock, config }: Pick<Context, "clock" | "config"> & { db: Db },
  { userId, organizationId }: { userId: number; organizationId: number },
  recipient: string,
  share = 1,
): Promise<keyof ExternalMailCounts | null> {
  const now = clock.now();
  const mail = { userId, organizationId, recipientHash: hashOf(mailboxOf(recipient)) };
  const ownHash = hashOf(mailboxOf((await findUser(db, userId))?.email ?? ""));
  const sent = await countExternalMails(db, { ...mail, ownHash }, now - DAY_MS);
  const { person, organization, recipient: toRecipient } = MAX_A_DAY[config.signup];
  const isUnknown = config.signup === "open" && !(await isEmailConfirmed(db, userId));
  const most = {
    recipient: toRecipient,
    person: isUnknown ? MAX_UNCONFIRMED_A_DAY : person * share,
    organization: organization * share,
  };
  // Requests to confirm one's own address do not count against mails to others.
  const whose = mail.recipientHash === ownHash ? OF_OWN_ADDRESS : OF_OTHERS;
  const full = whose.find((one) => sent[one] >= most[one]);
  if (full !== undefined) return full;
  await recordExternalMail(db, mail, now);
  return null;
}

/** The mailbox behind an address: a plus suffix leads to the same one. */
const mailboxOf = (address: string): string => normalizeEmail(address).replace(/\+[^@]*@/, "@");

const hashOf = (mailbox: string): string => createHash("sha256").update(mailbox).digest("hex");

/** What else can be done from a mail. */
interface Second {
  label: string;
  url: string;
}

/** A mail's two forms, of the same words: text, and HTML that loads nothing from anywhere. `second`: a button beside the link's. */
export function bodiesOf(
  words: Said,
  link: string | null,
  second: Second | null = null,
): { text: string; html: string } {
  return { text: textOf(words, link, second), html: htmlOf(words, link, second) };
}

function textOf(
  { heading, text, links = [], ending, footer }: Said,
  link: string | null,
  second: Second | null,
): string {
  const action = second && `${second.label}: ${second.url}`;
  const listed = links.map(({ label, url }) => `${label}: ${url}`).join("\n");
  const parts = [heading, text, listed, link, action, ending, footer && `-- \n${footer}`];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

const PARAGRAPH = "margin:0 0 20px;line-height:1.5";
const HEADING = "margin:0 0 12px;line-height:1.3;font-size:20px;font-weight:600;overflow-wrap:anywhere";
const WRITTEN = `${PARAGRAPH};overflow-wrap:anywhere`;
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5fd6;color:#ffffff;text-decoration:none;font-weight:600";
const SECOND = `${BUTTON};background:#ffffff;color:#1f5fd6;box-shadow:inset 0 0 0 1px #1f5fd6`;
const SMALL = "margin:0 0 20px;line-height:1.5;font-size:13px;color:#5b6472;overflow-wrap:anywhere";

function htmlOf(
  { subject, heading, text, html, links = [], action, ending, footer }: Said,
  link: string | null,
  second: Second | null,
): string {
  const paragraph = (style: string, inner: string) => `<p style="${style}">${inner}</p>`;
  const button = (style: string, label: string, url: string) =>
    `<a href="${escaped(url)}" style="${style}">${escaped(label)}</a>`;
  const buttons = [
    link && button(BUTTON, action ?? link, link),
    second && button(link ? SECOND : BUTTON, second.label, second.url),
  ].filter(Boolean);
  const listed = links.map(({ label, url }) => `<a href="${escaped(url)}">${escaped(label)}</a>`);
  const parts = [
    heading && `<h1 style="${HEADING}">${escaped(heading)}</h1>`,
    html
      ? `<div style="${WRITTEN}">${html}</div>`
      : paragraph(PARAGRAPH, escaped(text).replaceAll("\n", "<br>")),
    listed.length > 0 && paragraph(WRITTEN, listed.join("<br>")),
    buttons.length > 0 && paragraph(PARAGRAPH, buttons.join("&nbsp; ")),
    // For those whose mail program shows no buttons, or who want to see where they are led.
    link && paragraph(`${SMALL};word-break:break-all`, escaped(link)),
    ending && paragraph(SMALL, escaped(ending).replaceAll("\n", "<br>")),
    footer && paragraph(SMALL, linked(escaped(footer))),
  ];
  const body = parts.filter(Boolean).join("\n");
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(unlinkedName(subject))}</title></head>
<body style="margin:0;padding:24px 16px;font:16px system-ui,sans-serif;color:#1a1f27;background:#ffffff">
<div style="max-width:520px;margin:0 auto">
${body}
</div></body></html>
`;
}

/** Addresses of the web in a footer that is escaped already: its words are our own, names in it are unlinked. */
const linked = (html: string): string =>
  html.replaceAll("\n", "<br>").replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML has it. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

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
    // Suppresses automatic replies.
    headers: { "Auto-Submitted": "auto-generated", "Content-Language": language, ...more },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** A mail in its reader's words, each on one line. */
export interface MailWords {
  subject: string;
  text: string;
  /** What its link is called. */
  action: string | null;
  ending: string | null;
  footer: string | null;
}

/** What a mail says. `html`: its text as HTML that is safe already, where it is more than lines. */
interface Said extends MailWords {
  /** Above the text. Absent: the text says by itself what it is about. */
  heading?: string;
  /** Below the text, a line each: names, and where each leads. */
  links?: readonly { label: string; url: string }[];
  html?: string | null;
}

/** One mail, in no words yet: they are found when it is sent. */
export type Mail = { [Kind in MailKind]: MailOf<Kind> }[MailKind];

interface MailOf<Kind extends MailKind> {
  kind: Kind;
  reader: Reader;
  params: MailParams<Kind>;
  /** Where its link leads; null: it has none. */
  link: string | null;
}

/** A mail that was worded when it was caused, because it holds more than a few slots. */
export interface WrittenMail {
  kind: "written";
  language: Language;
  words: Said;
  link: string | null;
  /** Whose mails these are, and where its reader says that they want no more. */
  list: { id: string; unsubscribe: string };
}

/** An address that mail can be sent to: nothing in it that a mail header, or a list of addresses, reads otherwise. */
export const isMailable = (address: string): boolean =>
  /^[^\s@<>(),;:"\\[\]\0-\x1f\x7f]+@[^\s@<>(),;:"\\[\]\0-\x1f\x7f]+$/.test(address) && address.length <= 254;
