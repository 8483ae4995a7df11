import { mayRead } from "../platform/access/access.ts";
import type { Context } from "../platform/context.ts";
import type { FieldErrors } from "../platform/errors.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { Running } from "../platform/operations/operation.ts";
import { inSlices } from "../platform/turns.ts";
import { leadingTo, listReleasable } from "./queries/monitor-changes.ts";
import { findMonitors } from "./queries/monitors.ts";

/**
 * The monitors of the caller's organization that another is to depend on, by their uuids; null where none were sent. Notes
 * under `problems` what cannot be. Call it with the organization locked: two changes could make a circle together.
 * `monitorId` null: it is new.
 */
export async function findParents(
  ctx: Running,
  monitorId: number | null,
  uuids: readonly string[] | undefined,
  problems: FieldErrors,
): Promise<number[] | null> {
  if (uuids === undefined) return null;
  const report = (what: MessageDescriptor) => void (problems["parents"] ??= []).push(what);
  const { organizationId } = ctx.caller;
  const refs = uuids.map((uuid) => ({ uuid }));
  const found = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const known = new Set(found.map(({ uuid }) => uuid));
  for (const uuid of uuids) if (!known.has(uuid)) report(msg("parent.unknown", { uuid }));
  const ids = found.map(({ id }) => id);
  if (monitorId === null || ids.length === 0) return ids;
  if (ids.includes(monitorId)) report(msg("parent.itself"));
  const circular = await leadingTo(ctx.db, ids, monitorId);
  for (const { id, name } of found) {
    if (id !== monitorId && circular.includes(id)) report(msg("parent.cycle", { name }));
  }
  return ids;
}

/** Locked together, for as long as their histories are written. */
const SLICE = 200;

/**
 * Lets monitors that are held back go on once their parents are up again, were paused or deleted, or are no longer their
 * parents, and ends waiting for a parent. Every process does it, and finds under the monitors' locks whether another has done
 * it already; what happened while none ran is found by the first look.
 */
export async function followParents(ctx: Context): Promise<void> {
  await inSlices(await listReleasable(ctx.store.db), SLICE, (part) => ctx.dataPath.crossParents(ctx, part));
}
