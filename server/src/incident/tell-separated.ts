import { dispatchNotices } from "../notification/channel/dispatch.ts";
import { noticeOfOutage } from "../notification/channel/notice-of-outage.ts";
import { shareThreads } from "../notification/channel/share-threads.ts";
import { mailingOf } from "../notification/person/known-address.ts";
import type { ShownService } from "../store/queries/affected-services.ts";
import type { Incident } from "../store/queries/incidents.ts";
import type { Running } from "../verb/verb.ts";
import { membersOf } from "./group-rules.ts";

export type Member = ShownService & { monitorId: number; outageStartedAt: number };

/** What is together now of an incident that was larger. */
export interface SeparatedPart {
  members: readonly Member[];
  /** The monitor that speaks for them. */
  leadId: number | null;
  /** The incident that they have now; null: none. */
  into: number | null;
}

/** All outages of one monitor. */
interface Separated {
  outages: readonly Member[];
  into: number | null;
}

/**
 * Tells channels and browsers of outages for which another one of their incident spoke until now: nobody else would tell of
 * their beginning or end. Those who were told of such an outage among all of them hear of its end only; so do those who were
 * told of any, where somebody has acknowledged it. What is up already is told as up to those who were told that it is down.
 */
export async function tellSeparated(
  ctx: Running,
  from: Incident,
  parts: readonly SeparatedPart[],
): Promise<void> {
  const speaking = parts.flatMap((part) => speakersOf(from, part));
  for (const one of speaking.toSorted((a, b) => orderOf(from, a) - orderOf(from, b))) {
    await tellOne(ctx, from, one);
  }
}

/** The same of all of an incident, which is deleted: each speaks for itself. */
export function tellDeleted(ctx: Running, from: Incident): Promise<void> {
  const members: Member[] = membersOf(from.affectedServices);
  const parts = [...Map.groupBy(members, ({ monitorId }) => monitorId)].map(([leadId, own]) => ({
    ...{ members: own, leadId, into: null },
  }));
  return tellSeparated(ctx, from, parts);
}

/** The same of the one that spoke for an incident and is up already, where another one speaks for all since a person merged it. */
export function tellMerged(ctx: Running, from: Incident, into: Incident): Promise<void> {
  const { monitorId: leadId } = from;
  const members: Member[] = membersOf(from.affectedServices).filter(({ monitorId }) => monitorId === leadId);
  const isSame = into.monitorId === null || into.monitorId === leadId;
  return tellSeparated(ctx, from, isSame ? [] : [{ members, leadId, into: into.id }]);
}

/** The one that is down and has not spoken before, or each where all of them are up. */
function speakersOf(from: Incident, { members, leadId, into }: SeparatedPart): Separated[] {
  const isOver = members.every(({ outageEndedAt }) => outageEndedAt !== null);
  const byMonitor = [...Map.groupBy(members, ({ monitorId }) => monitorId)];
  return byMonitor.flatMap(([monitorId, outages]) => {
    const isNew = monitorId === leadId && leadId !== from.monitorId;
    return isOver || (isNew && openOf(outages)) ? { outages, into } : [];
  });
}

const openOf = (outages: readonly Member[]) => outages.find(({ outageEndedAt }) => outageEndedAt === null);

/** The threads of the one that spoke last tell those who were told of the others: they end after these have theirs. */
function orderOf({ monitorId }: Incident, { outages }: Separated): number {
  if (openOf(outages)) return 0;
  return outages[0]?.monitorId === monitorId ? 2 : 1;
}

async function tellOne(ctx: Running, from: Incident, { outages, into }: Separated): Promise<void> {
  const outage = openOf(outages) ?? outages.at(-1);
  if (!outage) return;
  const { organizationId } = from;
  const { monitorId, outageStartedAt: startedAt, outageEndedAt: endedAt } = outage;
  const lone = { organizationId, monitorId, startedAt, endedAt, from: from.id, into };
  const notice = await noticeOfOutage(ctx.db, lone);
  if (!notice) return;
  const telling = { now: ctx.clock.now(), mailing: mailingOf(ctx.config) };
  const others = membersOf(from.affectedServices).flatMap((one) =>
    one.monitorId === monitorId ? [] : one.monitorId,
  );
  const known = endedAt === null ? [outage.id] : outages.map(({ id }) => id);
  const told = endedAt === null && outage.acknowledged ? null : known;
  await shareThreads(ctx.db, { organizationId, monitorId, others, outages: told }, telling);
  await dispatchNotices(ctx.db, [notice], { changed: [], incidents: [] }, telling);
}
