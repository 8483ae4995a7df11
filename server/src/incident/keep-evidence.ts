import type { Context } from "../context.ts";
import type { ProbeResult } from "../probe/link.ts";
import type { ChangedMonitor } from "../status/apply-results.ts";
import {
  findEvidence,
  findOutages,
  forgetEvidence,
  insertEvidence,
  type NewEvidence,
  replaceEvidence,
} from "../store/queries/evidence.ts";
import { type Remembered, routeOf, withRoute } from "./evidence-memory.ts";

/** A monitor keeps what was seen of that many outages, its newest: at most 13 MB, however often it fails. */
const MAX_OUTAGES_WITH_EVIDENCE = 100;

/**
 * Keeps what the checks saw that began these outages and confirmed them, once their incidents are committed. Whatever
 * becomes of it, the incidents stand: it never throws.
 */
export async function keepEvidence(
  ctx: Pick<Context, "store" | "log" | "evidence">,
  changes: readonly ChangedMonitor[],
): Promise<void> {
  const { evidence: memory } = ctx;
  if (memory === undefined) return;
  const opened = changes
    .filter(({ events }) => events.some(({ type }) => type === "outage_opened"))
    .map(({ monitor }) => monitor.monitorId)
    .filter((monitorId) => memory.has(monitorId));
  if (opened.length === 0) return;
  try {
    const outages = await findOutages(ctx.store.db, opened);
    const evidence = outages.flatMap(({ monitorId, startedAt, ...outage }) =>
      telling(memory.take(monitorId), startedAt).map((one) => ({ ...outage, ...one })),
    );
    await insertEvidence(ctx.store.db, evidence);
    for (const { monitorId } of outages)
      await forgetEvidence(ctx.store.db, monitorId, MAX_OUTAGES_WITH_EVIDENCE);
  } catch (error) {
    ctx.log.warn({ err: error, monitorIds: opened }, "What was seen of an outage could not be kept");
  }
}

/** Adds the routes that came after their outages were told to what is kept of those. It never throws. */
export async function keepRoutes(
  { store, log }: Pick<Context, "store" | "log">,
  results: readonly ProbeResult[],
): Promise<void> {
  for (const result of results) {
    const route = routeOf(result);
    if (route === null) continue;
    const { monitorId, location, scheduledAt: at } = result;
    try {
      for (const { id, content } of await findEvidence(store.db, { monitorId, location, at })) {
        await replaceEvidence(store.db, id, withRoute(content, route));
      }
    } catch (error) {
      log.warn({ err: error, monitorId }, "The route to a failed target could not be kept");
    }
  }
}

/** Of what was seen since an outage began: its first failure, and the newest, which confirmed it. */
function telling(seen: readonly Remembered[], startedAt: number): NewEvidence[] {
  const since = seen.filter(({ at }) => at >= startedAt);
  const first = since.find(({ at }) => at === startedAt);
  const newest = since.at(-1);
  return [
    ...(first ? [{ ...first, moment: "first" as const }] : []),
    ...(newest && newest !== first ? [{ ...newest, moment: "confirmation" as const }] : []),
  ];
}
