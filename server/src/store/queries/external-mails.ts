import type { Db } from "../db.ts";
import { lockAddress } from "./outbox.ts";

/** A mail that somebody has sent to an address that is not known to be theirs. */
export interface ExternalMail {
  userId: number;
  organizationId: number;
  recipientHash: string;
}

/** How many were sent since then: by the person and the organization to others, and to the recipient by anybody. */
export interface ExternalMailCounts {
  person: number;
  organization: number;
  recipient: number;
}

/** Counts after everybody who counts the same at this moment, until the end of the transaction. */
export async function countExternalMails(
  trx: Db,
  { userId, organizationId, recipientHash, ownHash }: ExternalMail & { ownHash: string },
  since: number,
): Promise<ExternalMailCounts> {
  const columns = {
    person: "user_id",
    organization: "organization_id",
    recipient: "recipient_hash",
  } as const;
  const values = { person: userId, organization: organizationId, recipient: recipientHash };
  const counts: ExternalMailCounts = { person: 0, organization: 0, recipient: 0 };
  for (const whose of ["recipient", "person", "organization"] as const) {
    await lockAddress(trx, `${whose} ${values[whose]}`);
    const { count } = await trx
      .selectFrom("external_mails")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where(columns[whose], "=", values[whose])
      .where("at", ">", since)
      .$if(whose !== "recipient", (query) => query.where("recipient_hash", "!=", ownHash))
      .executeTakeFirstOrThrow();
    counts[whose] = Number(count);
  }
  return counts;
}

/** Notes that one is sent. */
export async function recordExternalMail(
  trx: Db,
  { userId, organizationId, recipientHash }: ExternalMail,
  at: number,
): Promise<void> {
  const row = { user_id: userId, organization_id: organizationId, recipient_hash: recipientHash, at };
  await trx.insertInto("external_mails").values(row).execute();
}
