import { randomUUID } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { appendEvents, CHECK_NOW_EVENT, INTERNAL_ORGANIZATION } from "../../platform/database/events.ts";
import { readAssignments } from "../queries/assignments.ts";
import type { ProbeControl, ProbeResult } from "./link.ts";

/** One extra check that the status of a monitor waits for. */
export interface Recheck {
  monitorId: number;
  location: string;
}

/** A check that a caller waits for, at every location that has the monitor. */
export interface CheckRequest {
  monitorId: number;
  /** What its results carry. */
  request: string;
}

/** A probe that this process can talk to: one of its own, or one that is connected to it. */
export interface ReachableProbe {
  location: string;
  /** Whether it checks this monitor now. */
  holds(monitorId: number): boolean;
  control: Pick<ProbeControl, "recheck" | "checkNow">;
}

/** The probes that this process can talk to, whatever they are connected by. */
export interface ProbeDirectory {
  /** Returns how to remove it. */
  add(probe: ReachableProbe): () => void;
  /** Whether the monitor is checked at that location by a probe of this process. */
  isHeld(recheck: Recheck): boolean;
  /** Passes the request to whichever probe checks the monitor there; nothing happens if it is none of these. */
  recheck(recheck: Recheck): void;
  /** Passes the request to all of these probes that check the monitor. */
  checkNow(wanted: CheckRequest): void;
}

export function createProbeDirectory(): ProbeDirectory {
  const probes = new Set<ReachableProbe>();
  const holderOf = ({ monitorId, location }: Recheck) => {
    for (const probe of probes) if (probe.location === location && probe.holds(monitorId)) return probe;
    return null;
  };
  return {
    add(probe) {
      probes.add(probe);
      return () => void probes.delete(probe);
    },
    isHeld: (recheck) => holderOf(recheck) !== null,
    recheck: (recheck) => holderOf(recheck)?.control.recheck(recheck.monitorId),
    checkNow({ monitorId, request }) {
      for (const probe of probes) if (probe.holds(monitorId)) probe.control.checkNow(monitorId, request);
    },
  };
}

/** Callers in this process that wait for a check that they requested; any process may make it. */
export interface ManualChecks {
  /** As `EngineControl.checkNow`. */
  checkNow(monitorId: number, wait: { waitMs: number; signal?: AbortSignal }): Promise<ProbeResult | null>;
  /** A check was made and is stored. */
  answer(result: ProbeResult): void;
  /** These monitors were changed: callers stop waiting for those no longer checked. */
  changed(monitorIds: readonly number[]): void;
  /** No caller is answered any more. */
  giveUp(): void;
}

interface Waiting {
  monitorId: number;
  end(result: ProbeResult | null): void;
}

/**
 * A request goes through the event log to every process, this one too, and its result comes back by the
 * same way, written by the transaction that stores it.
 */
export function createManualChecks(ctx: Context): ManualChecks {
  const waiting = new Map<string, Waiting>();
  const endUnlessChecked = async (monitorId: number): Promise<void> => {
    const [assignment] = await readAssignments(ctx.store.db, [monitorId]);
    if (assignment) return;
    for (const one of waiting.values()) if (one.monitorId === monitorId) one.end(null);
  };
  return {
    async checkNow(monitorId, { waitMs, signal }) {
      const request = randomUUID();
      const { promise, resolve } = Promise.withResolvers<ProbeResult | null>();
      const giveUp = () => resolve(null);
      const timer = setTimeout(giveUp, waitMs);
      signal?.addEventListener("abort", giveUp, { once: true });
      waiting.set(request, { monitorId, end: resolve });
      try {
        await announce(ctx, { monitorId, request });
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        waiting.delete(request);
      }
    },
    answer(result) {
      for (const request of result.requests ?? []) waiting.get(request)?.end(result);
    },
    changed(monitorIds) {
      const awaited = new Set([...waiting.values()].map(({ monitorId }) => monitorId));
      for (const id of monitorIds) {
        // What cannot be read now runs into its time.
        if (awaited.has(id)) endUnlessChecked(id).catch(() => {});
      }
    },
    giveUp() {
      for (const one of waiting.values()) one.end(null);
    },
  };
}

async function announce({ store, clock, live }: Context, payload: CheckRequest): Promise<void> {
  const event = { organizationId: INTERNAL_ORGANIZATION, type: CHECK_NOW_EVENT, payload } as const;
  await store.transaction(async (trx) => appendEvents(trx, [event], clock.now()));
  live.wake();
}
