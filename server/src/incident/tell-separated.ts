import { beginOutages } from "../notification/channel/begin-outages.ts";
import { listBeginnings } from "../notification/channel/beginning.ts";
import { settleThreads } from "../notification/channel/settle-threads.ts";
import { mailingOf } from "../notification/person/known-address.ts";
import type { ShownService } from "../store/queries/affected-services.ts";
import { listChannelsToTell } from "../store/queries/channels.ts";
import type { Incident } from "../store/queries/incidents.ts";
import { lockThreads } from "../store/queries/thread-outages.ts";
import { inSlices } from "../turns.ts";
import type { Running } from "../verb/verb.ts";

export type Member = ShownService & { monitorId: number; outageStartedAt: number };

/** An outage that another one of its incident spoke for until now, and the incident that has it; null: none. */
export interface Separated {
  member: Member;
  into: number | null;
}

/** So many are told of in one go. */
const SLICE = 50;

/**
 * Tells channels of these monitors' outages as they are together by now: of what they knew of only by others, or heard nothing. Their
 * incident was changed by people, who separated it, or deleted it. `separated`: those that speak for themselves from now on.
 */
export async function tellSeparated(
  ctx: Running,
  from: Pick<Incident, "organizationId">,
  members: readonly Member[],
  separated: readonly Separated[],
): Promise<void> {
  const { db } = ctx;
  const { organizationId } = from;
  const telling = {
    channels: await listChannelsToTell(db, [organizationId], mailingOf(ctx.config)),
    now: ctx.clock.now(),
  };
  const ids = [...new Set(members.map(({ monitorId }) => monitorId))];
  await lockThreads(db, ids);
  await settleThreads(db, { monitorIds: ids }, telling);
  const going = separated.filter(({ member }) => {
    return member.outageEndedAt === null && member.maintenanceUntil === null;
  });
  await inSlices(going, SLICE, async (some) => {
    const outages = some.map(({ member: { monitorId, outageStartedAt: startedAt }, into: incidentId }) => {
      return { monitorId, startedAt, incidentId };
    });
    const beginnings = await listBeginnings(db, outages);
    const begun = outages.flatMap(({ incidentId, startedAt }, at) => {
      const { message, isNoted } = beginnings[at] ?? {};
      if (!message || !isNoted) return [];
      return [{ organizationId, incidentId, startedAt, monitor: message.monitor, message, graver: null }];
    });
    await beginOutages(db, begun, telling);
  });
}
