import { createHash } from "node:crypto";
import { normalizeEmail } from "../../account/name.ts";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { PublicError } from "../../errors.ts";
import type { Db } from "../../store/db.ts";
import {
  countExternalMails,
  type ExternalMailCounts,
  recordExternalMail,
} from "../../store/queries/report-mails.ts";
import { findUser, isEmailConfirmed } from "../../store/queries/users.ts";
import { msg } from "../../texts/message.ts";
import { enqueue, type Writing } from "../outbox.ts";
import type { Mail, WrittenMail } from "./compose.ts";

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
 * Counts a mail that somebody has sent to an address that is not known to be theirs. Returns whose quota of the day is used up, in which case
 * it is not counted and must not be sent. `share`: how much of the sender's quotas such a mail may fill.
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
  // Questions whether the own address is theirs take nothing from what a person may send to others.
  const whose = mail.recipientHash === ownHash ? OF_OWN_ADDRESS : OF_OTHERS;
  const full = whose.find((one) => sent[one] >= most[one]);
  if (full !== undefined) return full;
  await recordExternalMail(db, mail, now);
  return null;
}

/** The mailbox behind an address: what stands behind a plus leads to the same one. */
const mailboxOf = (address: string): string => normalizeEmail(address).replace(/\+[^@]*@/, "@");

const hashOf = (mailbox: string): string => createHash("sha256").update(mailbox).digest("hex");
