import type { MessageMonitor } from "../../notification/channel/message.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";

/** What a message says of monitors, by their ids. */
export async function listMessageMonitors(
  trx: Db,
  ids: readonly number[],
): Promise<Map<number, MessageMonitor>> {
  const rows = await trx
    .selectFrom("monitors")
    .select(["id", "uuid", "kind", "name", "type", "display_target", "severity", "tags"])
    .where(among(trx, "id", ids))
    .execute();
  return new Map(
    rows.map(({ display_target: target, tags, ...same }) => [
      same.id,
      { ...same, target, tags: JSON.parse(tags) as string[] },
    ]),
  );
}
