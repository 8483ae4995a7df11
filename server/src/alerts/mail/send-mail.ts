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
import { enqueue, type Writing } from "../outbox.ts";
import {
  countExternalMails,
  type ExternalMailCounts,
  recordExternalMail,
} from "../queries/notification-settings.ts";
import type { Said } from "./mail-body.ts";

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
