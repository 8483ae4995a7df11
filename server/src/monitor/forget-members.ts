import { checkKind } from "../check/registry.ts";
import type { Context } from "../context.ts";
import { appendEvents } from "../store/queries/events.ts";
import {
  groupsWithDeleted,
  lockGroups,
  removeDeletedMembers,
  saveGroupConfig,
} from "../store/queries/group-members.ts";
import { eventOf, projectMonitorChange } from "../wire/live.ts";

/**
 * Takes members that were deleted out of these groups. In a transaction of its own: whoever deletes a monitor holds locks
 * that this would have to wait for, and the other way round.
 */
export async function forgetDeletedMembers(ctx: Context, groupIds: readonly number[]): Promise<void> {
  const concerned = await groupsWithDeleted(ctx.store.db, groupIds);
  if (concerned.length === 0) return;
  const now = ctx.clock.now();
  await ctx.store.transaction(async (trx) => {
    for (const { id, organizationId, kind: of, type, config } of await lockGroups(trx, concerned)) {
      const remaining = await removeDeletedMembers(trx, id);
      const kind = checkKind(type);
      if (!kind || !("derived" in kind)) continue;
      const members = kind.derived.members(config as never).filter((uuid) => remaining.has(uuid));
      await saveGroupConfig(trx, id, kind.derived.withMembers(config as never, members));
      const payload = projectMonitorChange([id]);
      appendEvents(trx, [{ organizationId, type: eventOf(of, "monitor.changed"), payload }], now);
    }
  });
  ctx.live.wake();
}
