import { notifyOfCertificates } from "../alerts/certificates/notify-of-certificates.ts";
import { channelTransport } from "../alerts/channels/channel-transport.ts";
import { deliverOutbox, type Transports } from "../alerts/deliver.ts";
import { mailTransport } from "../alerts/mail/mail-transport.ts";
import { notifyOfObjectives } from "../alerts/notify-of-objectives.ts";
import { endLeases } from "../alerts/queries/outbox.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import { HEARTBEAT_MS } from "../engine/probe/location-probe.ts";
import { SILENT_MS } from "../engine/probe/membership.ts";
import type { ClockWatch } from "../engine/results/clock-watch.ts";
import type { runPacking } from "../engine/results/pack-results.ts";
import { forgetEvents, type runRetention } from "../engine/results/retention.ts";
import type { PrepareResults } from "../engine/results/store-results.ts";
import type { Listening } from "../engine/status/late-signals.ts";
import { followIntegrations } from "../integrations/sync.ts";
import type { packMetrics } from "../monitors/devices/metrics/pack-metrics.ts";
import { missSignals } from "../monitors/miss-signals.ts";
import { planOf } from "../platform/access/plans.ts";
import type { Context } from "../platform/context.ts";
import type { Job } from "../platform/jobs.ts";
import { mailReports } from "../reports/mails/mail-reports.ts";
import { followDomains } from "../status-pages/domain/custom-domain.ts";
import { followPages } from "../status-pages/subscriber/follow-pages.ts";
import { subscriberTransport } from "../status-pages/subscriber/subscriber-transport.ts";
import type { sweepStale } from "./pipeline.ts";

export const TRANSPORTS: Transports = {
  mail: mailTransport,
  channel: channelTransport,
  person: channelTransport,
  subscriber: subscriberTransport,
};

/** The stages that only time sets off; tests may record them. */
export interface TimedStages {
  sweepStale: typeof sweepStale;
  runPacking: typeof runPacking;
  packMetrics: typeof packMetrics;
  runRetention: typeof runRetention;
}

export interface PassingTimeOptions {
  /** How often expired history is removed, milliseconds; default: every hour, and five minutes after the start. */
  retention?: { firstMs: number; everyMs: number };
  /** How often old live events are removed, milliseconds; default: every minute. */
  forgetEventsMs?: number;
}

/** From a probe's death to the first check by the one that takes over, beside waiting for the grid. */
const TAKEOVER_MS = SILENT_MS + HEARTBEAT_MS;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const RETENTION = { firstMs: 5 * MINUTE_MS, everyMs: HOUR_MS };

interface Running {
  listening: Listening;
  watch: ClockWatch;
  options: PassingTimeOptions;
  /** Stores results and applies them; throws the store's error. */
  accept(results: readonly ProbeResult[], prepareResults: PrepareResults): Promise<void>;
}

/** What happens because time passes: votes go stale, messages are sent, results are packed, history expires. */
export function timedJobs(
  ctx: Context,
  stages: TimedStages,
  running: Running,
  signal: AbortSignal,
): readonly Job[] {
  const { listening, watch, accept } = running;
  const { clock, store } = ctx;
  const graceMs = store.engine === "postgres" ? TAKEOVER_MS : 0;
  // No other process has the file: what was being sent is not any more.
  let areLeasesOver = store.engine !== "sqlite";
  const watched = (run: () => Promise<unknown>) => async () => {
    await watch.look();
    await run();
  };
  const sweep = async () => {
    const watchingSince = listening.since(clock.now());
    await stages.sweepStale(ctx, { watchingSince, graceMs });
    await listening.markActive(clock.now());
  };
  const deliver = async () => {
    if (!areLeasesOver) await endLeases(store.db, clock.now());
    areLeasesOver = true;
    await deliverOutbox(ctx, TRANSPORTS, signal, watch);
  };
  return [
    { name: "sweep-stale-monitors", everyMs: SECOND_MS, run: watched(sweep) },
    {
      name: "miss-signals",
      everyMs: SECOND_MS,
      run: () => missSignals(ctx, listening.breaks(clock.now()), accept),
    },
    { name: "deliver-messages", everyMs: SECOND_MS, run: watched(deliver) },
    {
      name: "notify-of-certificates",
      everyMs: MINUTE_MS,
      run: watched(() => notifyOfCertificates(ctx, watch)),
    },
    {
      name: "notify-of-objectives",
      everyMs: 10 * SECOND_MS,
      run: watched(() => notifyOfObjectives(ctx, watch)),
    },
    { name: "mail-reports", everyMs: 30 * SECOND_MS, run: watched(() => mailReports(ctx, watch)) },
    { name: "check-page-domains", everyMs: 10 * SECOND_MS, run: () => followDomains(ctx) },
    { name: "sync-integrations", everyMs: 2 * SECOND_MS, run: () => followIntegrations(ctx, signal) },
    { name: "notify-subscribers", everyMs: SECOND_MS, run: followPages(ctx).look },
    ...historyJobs(ctx, stages, running, signal),
  ];
}

/** Packs what was measured, and removes it when its time is over. */
function historyJobs(
  ctx: Context,
  stages: TimedStages,
  {
    watch,
    options: { retention = RETENTION, forgetEventsMs = MINUTE_MS },
  }: Pick<Running, "watch" | "options">,
  signal: AbortSignal,
): readonly Job[] {
  /** Nothing is removed by age on the word of a clock that cannot be right. */
  const whenClockIsTrusted = (remove: () => Promise<unknown>) => async () => {
    await watch.look();
    if (!watch.isSkewSuspected) await remove();
  };
  const rawDaysOf = (plan: string) => planOf(plan).rawResultDays;
  return [
    {
      name: "pack-results",
      everyMs: HOUR_MS,
      firstMs: 3 * MINUTE_MS,
      isLeased: true,
      run: () => stages.runPacking(ctx, { signal }),
    },
    {
      name: "pack-metrics",
      everyMs: 5 * MINUTE_MS,
      isLeased: true,
      run: () => stages.packMetrics(ctx, { signal }),
    },
    {
      name: "remove-expired-history",
      ...retention,
      isLeased: true,
      run: whenClockIsTrusted(() => stages.runRetention(ctx, { rawDaysOf, signal })),
    },
    {
      name: "remove-live-events",
      everyMs: forgetEventsMs,
      run: whenClockIsTrusted(() => forgetEvents(ctx)),
    },
  ];
}
