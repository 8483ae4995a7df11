import fc from "fast-check";
import { onTestFinished } from "vitest";
import { ingestBatch, sweepStale } from "../../../src/app/pipeline.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { createActiveWindows } from "../../../src/monitors/maintenance/active-windows.ts";
import { type FollowedWindows, followWindows } from "../../../src/monitors/maintenance/apply-window.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import type { EngineName } from "../../harness/stores.ts";
import { failed, MINUTE, probed, T0 } from "./setup.ts";

const PLACES = ["near", "far", "beyond"] as const;
export const MONITORS = 3;
const TIMEOUT_MS = 10_000;
/** A vote is fresh for two intervals and a timeout. */
const FRESH_MS = 2 * MINUTE + TIMEOUT_MS;

const monitor = fc.integer({ min: 0, max: MONITORS - 1 });
const place = fc.constantFrom(...PLACES);
const check = fc.record({ monitor, place, failed: fc.boolean() });

/** What may happen to monitors. Weights: mostly checks. */
export const happening = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("checks"),
      checks: fc.array(check, { minLength: 1, maxLength: 9 }),
    }),
  },
  // All of them, everywhere or at one place: what it takes to get down together, and up again.
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("all"), place: fc.option(place), failed: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("again"), nth: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("late"), ...{ monitor, place }, failed: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("silence"), ms: fc.integer({ min: 1, max: 400_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pause"), monitor }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resume"), monitor }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("window"), monitor }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end"), monitor }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant("settings"), monitor },
      ...{ confirmations: fc.integer({ min: 1, max: 4 }), recoveries: fc.integer({ min: 1, max: 4 }) },
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("merge") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("split") }) },
);
export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** What the test knows of a monitor by itself. */
interface Known {
  id: number;
  /** The last word of each place since it was resumed. */
  lastResults: Map<string, { at: number; failed: boolean }>;
  isPaused: boolean;
  windowId: number | null;
  /** Whether at any moment of what happened last most of the fresh words were failures. */
  mayOpen: boolean;
}

/** Three monitors of one host on a server with a clock of its own, and everything that can happen to them. */
export async function randomWorld(engine: EngineName) {
  const clock = { ms: T0, now: () => clock.ms };
  const following: FollowedWindows[] = [];
  const server = await startTestServer({
    ...{ engine, clock },
    startEngine: async (ctx) => {
      ctx.windows = createActiveWindows(ctx);
      following.push(followWindows(ctx, ctx.windows, () => {}));
      return { ...ctx.engine, stop: async () => {} };
    },
  });
  onTestFinished(server.close);
  const made = (answer: { status: number; body: { data: { id: number } } }) => {
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body.data.id;
  };
  return {
    ...{ server, clock },
    addMonitor: async (name: string): Promise<Known> => ({
      id: made(
        await server.api("POST", "/api/domains", {
          ...{ name, url: `http://shop.test/${name}`, checkInterval: 60, timeout: TIMEOUT_MS / 1_000 },
        }),
      ),
      ...{ lastResults: new Map(), isPaused: false, windowId: null, mayOpen: false },
    }),
    look: async () => {
      for (const one of following) {
        one.changed();
        await one.look();
      }
    },
    openWindow: async (id: number) =>
      made(await server.api("POST", "/api/maintenance", { duration: 2_592_000, monitorIds: [id] })),
  };
}

export type World = Awaited<ReturnType<typeof randomWorld>>;

function hasMajority({ lastResults }: Known, now: number): boolean {
  const fresh = [...lastResults.values()].filter(({ at }) => now - at < FRESH_MS);
  return 2 * fresh.filter((one) => one.failed).length > fresh.length;
}

/** What is stored that people see. */
export async function seen({ ctx }: TestServer) {
  const { db } = ctx.store;
  const [states, outages, notifications] = [
    await db
      .selectFrom("monitor_states")
      .select(["monitor_id", "status", "rules"])
      .orderBy("monitor_id")
      .execute(),
    await db
      .selectFrom("affected_services")
      .innerJoin("incidents", "incidents.id", "affected_services.incident_id")
      .select(["affected_services.monitor_id as monitorId", "incident_id as incidentId"])
      .select(["outage_started_at as startedAt", "outage_ended_at as endedAt", "incidents.status as status"])
      .select(["automatic", "merged_into as mergedInto"])
      .orderBy("affected_services.id")
      .execute(),
    await db.selectFrom("notifications").select(["monitor_id as monitorId", "event"]).orderBy("id").execute(),
  ];
  return { states, outages, notifications };
}

/** Makes it happen. `batches`: those that have come in so far. */
export async function happen(
  world: World,
  known: readonly Known[],
  batches: ProbeResult[][],
  what: Happening,
): Promise<void> {
  const { server, clock } = world;
  const own = "monitor" in what ? known[what.monitor] : undefined;
  for (const one of known) one.mayOpen = false;
  if (what.do === "checks" || what.do === "all") {
    clock.ms += 7_919;
    const checks =
      what.do === "checks"
        ? what.checks
        : known.flatMap((_, index) =>
            (what.place === null ? PLACES : [what.place]).map((at) => ({
              monitor: index,
              place: at,
              failed: what.failed,
            })),
          );
    await takeIn(world, known, batches, checks);
  } else if (what.do === "again") {
    const batch = batches[what.nth % Math.max(1, batches.length)];
    if (batch) await ingestBatch(server.ctx, batch);
  } else if (what.do === "late" && own) {
    const newest = own.lastResults.get(what.place);
    const late = what.failed ? failed : probed;
    if (newest) await ingestBatch(server.ctx, [late(own.id, newest.at - 1, { location: what.place })]);
  } else if (what.do === "silence") {
    clock.ms += what.ms;
    await sweepStale(server.ctx);
  } else if ((what.do === "pause" || what.do === "resume") && own) {
    clock.ms += 1;
    const enabled = what.do === "resume";
    if (enabled === own.isPaused) own.lastResults.clear();
    own.isPaused = !enabled;
    await server.api("PUT", `/api/domains/${own.id}`, { enabled });
  } else if (what.do === "settings" && own) {
    const { confirmations, recoveries } = what;
    await server.api("PUT", `/api/domains/${own.id}`, { confirmations, recoveries });
  } else if (what.do === "window" && own) {
    own.windowId ??= await world.openWindow(own.id);
  } else if (what.do === "end" && own && own.windowId !== null) {
    await server.api("POST", `/api/maintenance/${own.windowId}/end`);
    own.windowId = null;
  } else if (what.do === "merge" || what.do === "split") await regroup(world, what.do);
  clock.ms += 1;
  await world.look();
  for (const one of known) one.mayOpen ||= hasMajority(one, clock.ms);
}

type Check = Extract<Happening, { do: "checks" }>["checks"][number];

async function takeIn(
  { server, clock }: World,
  known: readonly Known[],
  batches: ProbeResult[][],
  checks: readonly Check[],
): Promise<void> {
  const batch = checks.flatMap(
    ({ monitor: index, place: location, failed: isFailed }, nth): ProbeResult[] => {
      const own = known[index];
      if (!own) return [];
      const at = clock.ms - checks.length + nth;
      if (!own.isPaused) own.lastResults.set(location, { at, failed: isFailed });
      own.mayOpen ||= hasMajority(own, clock.ms);
      return [(isFailed ? failed : probed)(own.id, at, { location, address: "192.0.2.1" })];
    },
  );
  batches.push(batch);
  await ingestBatch(server.ctx, batch);
}

/** Brings the two newest open incidents together, or takes the newest apart, where that can be done. */
async function regroup({ server }: World, how: "merge" | "split"): Promise<void> {
  const open = await server.ctx.store.db
    .selectFrom("incidents")
    .select("id")
    .where("status", "!=", "resolved")
    .where("merged_into", "is", null)
    .orderBy("id", "desc")
    .execute();
  const [newest, other] = open;
  if (how === "split" && newest) await server.api("POST", `/api/incidents/${newest.id}/split`, {});
  if (how === "merge" && newest && other) {
    await server.api("POST", `/api/incidents/${newest.id}/merge`, { into: other.id });
  }
}
