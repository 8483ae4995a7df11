import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { openConfig } from "../../platform/secrets/secret-box.ts";
import { type LastDelivery, listLastDeliveries } from "../queries/channel-deliveries.ts";
import { type Channel, listTurnedOff, type TurnedOff } from "../queries/channels.ts";

/** A channel with its configuration unsealed, and the delivery that shows best whether it works. */
export interface ShownChannel extends Channel {
  opened: object;
  lastDelivery: LastDelivery | null;
  /** Null: it is on, or the reason was not stored. */
  turnedOff: TurnedOff | null;
}

/** What people are shown of channels. Throws when the installation's key is not the one they were sealed with. */
export async function openChannels(
  { secrets, db }: Pick<Context, "secrets"> & { db: Db },
  channels: readonly Channel[],
): Promise<ShownChannel[]> {
  const ids = channels.map(({ id }) => id);
  const last = await listLastDeliveries(db, ids);
  const off = await listTurnedOff(db, ids);
  return channels.map((channel) => ({
    ...channel,
    opened: openConfig(secrets, channel),
    lastDelivery: last.get(channel.id) ?? null,
    turnedOff: off.get(channel.id) ?? null,
  }));
}
