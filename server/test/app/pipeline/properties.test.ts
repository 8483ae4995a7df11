import fc from "fast-check";
import { expect, it } from "vitest";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { eachEngine } from "../../harness/stores.ts";
import {
  type Happening,
  happen,
  happening,
  MONITORS,
  randomWorld,
  seen,
  type World,
} from "./random-world.ts";

type Known = Awaited<ReturnType<World["addMonitor"]>>;
type Seen = Awaited<ReturnType<typeof seen>>;

const RUNS = { sqlite: 12, postgres: 2 };
/** Flapping ends after ten quiet intervals; the rest for what has to be confirmed. */
const ROUNDS_TO_REST = 24;
const INTERVAL_MS = 60_000;

/** Each course begins with it: what the property says of outages would else be about nothing where none happens by chance. */
const ALL_DOWN: readonly Happening[] = Array.from({ length: 3 }, () => ({
  ...{ do: "all", place: null, failed: true },
}));

const openOf = ({ outages }: Seen) =>
  outages.filter(({ endedAt, startedAt }) => startedAt !== null && endedAt === null);
const idOf = (own: Known) => own.id;

/** What must hold after everything that can happen. */
function expectSound(known: readonly Known[], what: Happening, [before, after]: [Seen, Seen]): void {
  const wasOpen = new Set(openOf(before).map(({ monitorId }) => monitorId));
  const open = openOf(after).filter(({ monitorId }) => known.some(({ id }) => id === monitorId));
  // One at a time each.
  expect(new Set(open.map(({ monitorId }) => monitorId)).size).toBe(open.length);
  for (const own of known) {
    const isOpen = open.some(({ monitorId }) => monitorId === own.id);
    const reported = after.notifications
      .slice(before.notifications.length)
      .filter(({ monitorId }) => monitorId === own.id);
    if (isOpen && !wasOpen.has(own.id)) {
      expect({ mayOpen: own.mayOpen, isPaused: own.isPaused, windowId: own.windowId }).toEqual({
        ...{ mayOpen: true, isPaused: false, windowId: null },
      });
    }
    // Who knows of an outage wants to know that it is over.
    if (own.windowId !== null) expect(reported.filter(({ event }) => event !== "monitor.up")).toEqual([]);
  }
  if (what.do === "again" || what.do === "late") {
    expect(after.notifications).toEqual(before.notifications);
    expect(after.outages).toEqual(before.outages);
    expect(after.states.map(({ status }) => status)).toEqual(before.states.map(({ status }) => status));
  }
  // The same results again say nothing at all.
  if (what.do === "again") expect(after.states).toEqual(before.states);
}

/** Everything works again, nothing is paused or in a window: whatever was open is over. */
async function expectRest(world: World, known: readonly Known[], batches: ProbeResult[][]): Promise<void> {
  for (const index of known.keys()) {
    await happen(world, known, batches, { do: "end", monitor: index });
    await happen(world, known, batches, { do: "resume", monitor: index });
  }
  for (let round = 0; round < ROUNDS_TO_REST; round += 1) {
    world.clock.ms += INTERVAL_MS;
    await happen(world, known, batches, { do: "all", place: null, failed: false });
  }
  const ids = known.map(idOf);
  const { states, outages } = await seen(world.server);
  const own = outages.filter(({ monitorId }) => ids.includes(monitorId ?? 0));
  expect(openOf({ states, outages: own, notifications: [] })).toEqual([]);
  expect(own.filter(({ automatic, status }) => automatic === 1 && status !== "resolved")).toEqual([]);
  expect(states.filter((row) => ids.includes(row.monitor_id)).map(({ status }) => status)).toEqual(
    ids.map(() => "up"),
  );
}

eachEngine("whatever happens to monitors that share a host and are checked from three places", (engine) => {
  it("no minority opens an incident, repeated and late results change nothing, maintenance pages no one, and each incident closes", async () => {
    const world = await randomWorld(engine);
    let opened = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 10, maxLength: 50 }), async (course) => {
        const known: Known[] = [];
        for (let count = 0; count < MONITORS; count += 1) {
          known.push(await world.addMonitor(`site-${Math.random().toString(36).slice(2)}`));
        }
        const batches: ProbeResult[][] = [];
        await happen(world, known, batches, { do: "all", place: null, failed: false });
        let before = await seen(world.server);
        for (const what of [...ALL_DOWN, ...course]) {
          await happen(world, known, batches, what);
          const after = await seen(world.server);
          expectSound(known, what, [before, after]);
          opened = after.outages.length;
          before = after;
        }
        await expectRest(world, known, batches);
        for (const { id } of known) await world.server.api("DELETE", `/api/domains/${id}`);
      }),
      { numRuns: RUNS[engine], endOnFailure: false, interruptAfterTimeLimit: 60_000 },
    );
    // Otherwise it would have been about nothing.
    expect(opened).toBeGreaterThan(0);
  }, 240_000);
});
