import { dispatchNotices } from "../notification/channel/dispatch.ts";
import { shareThreads } from "../notification/channel/share-threads.ts";
import { mailingOf } from "../notification/person/known-address.ts";
import { findOutageNotice } from "../store/queries/notifications.ts";
import type { Running } from "../verb/verb.ts";

interface Separated {
  organizationId: number;
  monitorId: number;
  /** The outage, by its id in affected_services. */
  outageId: number;
  /** Milliseconds. */
  startedAt: number;
  /** The incident that it was told of in the app, and the one that it has now. */
  from: number;
  into: number;
  /** Monitors that shared it. */
  others: readonly number[];
  /** Somebody has said that they know of all of it. */
  isAcknowledged: boolean;
}

/**
 * Tells channels and browsers of an outage for which another one of its incident spoke until now: nobody speaks for it any
 * more, neither of its beginning nor of its end. Who was told of it among all of them hears of its end only; so
 * does who was told of any where somebody has acknowledged it.
 */
export async function tellSeparated(ctx: Running, separated: Separated): Promise<void> {
  const { organizationId, monitorId, startedAt: at, from, into: incidentId, others } = separated;
  const told = await findOutageNotice(ctx.db, { incidentId: from, monitorId });
  if (!told) return;
  const { uuid, type, fact } = told;
  const telling = { now: ctx.clock.now(), mailing: mailingOf(ctx.config) };
  const outage = separated.isAcknowledged ? null : separated.outageId;
  await shareThreads(ctx.db, { organizationId, monitorId, others, outage }, telling);

  // Some channels were told of it by itself, and have a thread about it.
  const news = {
    audience: null,
    monitorId,
    event: "monitor.down" as const,
    type,
    fact,
    otherwise: null,
    standing: { as: "member" as const, leadId: monitorId },
  };
  const notice = { uuid, organizationId, incidentId, at, reason: fact.because ?? null };
  const more = { outageMs: null, flappingSince: null, channels: [news] };
  await dispatchNotices(ctx.db, [{ ...notice, ...more }], { changed: [], incidents: [] }, telling);
}
