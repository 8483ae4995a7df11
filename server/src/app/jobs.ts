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
import type { runPacking } from "../engine/results/packing.ts";
import { forgetEvents, type runRetention } from "../engine/results/retention.ts";
import type { PrepareResults } from "../engine/results/store-results.ts";
import { type Repeated, repeat } from "../engine/schedule/lost-time.ts";
import type { Listening } from "../engine/status/late-signals.ts";
import { followIntegrations } from "../integrations/sync.ts";
import type { packMetrics } from "../monitors/devices/metrics/pack-metrics.ts";
import { missSignals } from "../monitors/miss-signals.ts";
import { planOf } from "../platform/access/plans.ts";
import type { Context } from "../platform/context.ts";
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
const SWEEP_MS = 1_000;
const OUTBOX_MS = 1_000;
const DOMAINS_MS = 10_000;
const INTEGRATIONS_MS = 2_000;
const CERTIFICATES_MS = 60_000;
const REPORTS_MS = 30_000;
const OBJECTIVES_MS = 10_000;
const PACKING_FIRST_MS = 180_000;
const PACKING_MS = 3_600_000;
const METRICS_MS = 300_000;
const FORGET_EVENTS_MS = 60_000;
const RETENTION = { firstMs: 300_000, everyMs: 3_600_000 };

interface Passing {
  listening: Listening;
  watch: ClockWatch;
  options: PassingTimeOptions;
  /** Stores results and applies them; throws the store's error. */
  accept(results: readonly ProbeResult[], prepareResults: PrepareResults): Promise<void>;
}

/** Starts what happens because time passes: votes go stale, results are packed, history expires. */
export function passTime(
  ctx: Context,
  stages: TimedStages,
  { listening, watch, accept, options }: Passing,
  signal: AbortSignal,
): Repeated[] {
  const { log, clock, store } = ctx;
  const graceMs = store.engine === "postgres" ? TAKEOVER_MS : 0;
  const sweep = async () => {
    await watch.look();
    const watchingSince = listening.since(clock.now());
    await stages.sweepStale(ctx, { watchingSince, graceMs });
    await listening.markActive(clock.now());
  };
  const pages = followPages(ctx);
  // No other process has the file: what was being sent is not any more.
  let areLeasesOver = store.engine !== "sqlite";
  return [
    repeat({
      name: "The sweep for stale monitors",
      everyMs: SWEEP_MS,
      log,
      work: sweep,
    }),
    repeat({
      name: "The look for missed signals",
      everyMs: SWEEP_MS,
      log,
      work: () => missSignals(ctx, listening.breaks(clock.now()), accept),
    }),
    repeat({
      name: "Sending what is in the outbox",
      everyMs: OUTBOX_MS,
      log,
      work: async () => {
        await watch.look();
        if (!areLeasesOver) await endLeases(store.db, clock.now());
        areLeasesOver = true;
        await deliverOutbox(ctx, TRANSPORTS, signal, watch);
      },
    }),
    repeat({
      name: "The look at certificates",
      everyMs: CERTIFICATES_MS,
      log,
      work: async () => {
        await watch.look();
        await notifyOfCertificates(ctx, watch);
      },
    }),
    repeat({
      name: "The look at error budgets",
      everyMs: OBJECTIVES_MS,
      log,
      work: async () => {
        await watch.look();
        await notifyOfObjectives(ctx, watch);
      },
    }),
    repeat({
      name: "The look for reports to be mailed",
      everyMs: REPORTS_MS,
      log,
      work: async () => {
        await watch.look();
        await mailReports(ctx, watch);
      },
    }),
    repeat({
      name: "The look at domains of status pages",
      everyMs: DOMAINS_MS,
      log,
      work: () => followDomains(ctx),
    }),
    repeat({
      name: "The look at linked accounts",
      everyMs: INTEGRATIONS_MS,
      log,
      work: () => followIntegrations(ctx, signal),
    }),
    repeat({
      name: "The look for what subscribers of status pages are notified of",
      everyMs: OUTBOX_MS,
      log,
      work: pages.look,
    }),
    ...keepHistory(ctx, stages, { watch, options }, signal),
  ];
}

/** Packs what was measured, and removes it when its time is over. */
function keepHistory(
  ctx: Context,
  stages: TimedStages,
  {
    watch,
    options: { retention = RETENTION, forgetEventsMs = FORGET_EVENTS_MS },
  }: Pick<Passing, "watch" | "options">,
  signal: AbortSignal,
): Repeated[] {
  const { log } = ctx;
  /** Nothing is removed by age on the word of a clock that cannot be right. */
  const whenClockIsTrusted = (remove: () => Promise<unknown>) => async () => {
    await watch.look();
    if (!watch.isSkewSuspected) await remove();
  };
  const rawDaysOf = (plan: string) => planOf(plan).rawResultDays;
  return [
    repeat({
      name: "Packing results",
      everyMs: PACKING_MS,
      firstMs: PACKING_FIRST_MS,
      log,
      work: () => stages.runPacking(ctx, { signal }),
    }),
    repeat({
      name: "Packing metrics",
      everyMs: METRICS_MS,
      log,
      work: () => stages.packMetrics(ctx, { signal }),
    }),
    repeat({
      name: "Removing expired history",
      ...retention,
      log,
      work: whenClockIsTrusted(() => stages.runRetention(ctx, { rawDaysOf, signal })),
    }),
    repeat({
      name: "Removing old live events",
      everyMs: forgetEventsMs,
      log,
      work: whenClockIsTrusted(() => forgetEvents(ctx)),
    }),
  ];
}
