import { normalizeEmail } from "../../account/email.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import { type Channel, listChannels } from "./channels.ts";

/**
 * Whoever reads this address (lower case) wants the organization's messages. Returns its channels that waited for it, without
 * any that leads elsewhere by now.
 */
export async function confirmChannels(
  trx: Db,
  organizationId: number,
  email: string,
  now: number,
): Promise<Channel[]> {
  const confirmed: Channel[] = [];
  for (const channel of await listChannels(trx, organizationId)) {
    if (channel.confirmedAt !== null || normalizeEmail(channel.target) !== email) continue;
    if (await confirmChannel(trx, channel, now)) confirmed.push(channel);
  }
  return confirmed;
}

async function confirmChannel(trx: Db, { id, target }: Channel, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("channels")
    .set({ confirmed_at: now })
    .where("id", "=", id)
    .where("target", "=", target)
    .where("confirmed_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * The organization's channels that write to this address (lower case) because it is a member's wait to be confirmed from now
 * on. Returns these as they were.
 */
export async function forgetMembersConsent(
  trx: Db,
  organizationId: number,
  email: string,
): Promise<Channel[]> {
  const channels = await listChannels(trx, organizationId);
  const own = channels.filter(
    ({ confirmedAsMember, target }) => confirmedAsMember && normalizeEmail(target) === email,
  );
  const ids = own.map(({ id }) => id);
  await trx
    .updateTable("channels")
    .set({ confirmed_at: null, confirmed_as_member: 0 })
    .where(among(trx, "id", ids))
    .execute();
  return own;
}
