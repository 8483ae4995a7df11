import { expect, onTestFinished } from "vitest";
import { atOneMoment } from "../../src/platform/database/store.ts";
import type { Behaviour } from "../harness/behaviours.ts";
import { respond } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { startHttpTarget } from "../harness/targets.ts";
import type { House } from "./house.ts";

/** One target for many monitors, `/0`, `/1` … each, and when it has answered which: the drills' own truth. */
export interface Sites {
  urls: string[];
  /** Milliseconds since 1970 of every request that was answered, by site. */
  served: number[][];
  /** From now on these sites (default: all) answer like this. */
  set(behaviour: Behaviour, concerned?: (site: number) => boolean): void;
}

export async function startSites(count: number): Promise<Sites> {
  const served: number[][] = Array.from({ length: count }, () => []);
  const behaviours: Behaviour[] = Array.from({ length: count }, () => respond());
  const target = await startHttpTarget({
    handler(socket, request) {
      const site = Number(request.path.slice(1));
      served[site]?.push(Date.now());
      behaviours[site]?.(socket, request);
    },
  });
  onTestFinished(() => target.close());
  return {
    urls: served.map((_, site) => `${target.url}${site}`),
    served,
    set(behaviour, concerned = () => true) {
      for (const site of behaviours.keys()) if (concerned(site)) behaviours[site] = behaviour;
    },
  };
}

export const total = (counts: readonly { length: number }[]) =>
  counts.reduce((sum, { length }) => sum + length, 0);

/** How long a check may begin after its time on a busy machine; the interval of the drills is longer. */
const LATE_MS = 5_000;

/**
 * The requests among `concerned` that have no result in `times`. Each request takes the oldest
 * result that was due up to 5 s before it and that no other request has taken.
 */
export function withoutResult(
  served: readonly number[],
  times: readonly number[],
  concerned: (at: number) => boolean,
): number[] {
  const left = [...times];
  return served.filter((at) => {
    const index = left.findIndex((due) => due >= at - LATE_MS && due <= at + 2);
    if (index < 0) return concerned(at);
    left.splice(0, index + 1);
    return false;
  });
}

export interface Stored {
  /** Scheduled times of the results of each monitor, ascending. */
  times: number[][];
  /** Checks in the roll-ups of five minutes, of each monitor. */
  rolledUp: number[];
}

/** What the store holds of these monitors at one moment, in their order. */
export function readStored(house: House, ids: readonly number[]): Promise<Stored> {
  return house.look((store) =>
    atOneMoment(store, async (db) => {
      const rows = await db
        .selectFrom("results")
        .select(["monitor_id", "scheduled_at"])
        .orderBy("scheduled_at")
        .execute();
      const times = Map.groupBy(rows, (row) => row.monitor_id);
      const sums = await db
        .selectFrom("rollups")
        .select(["monitor_id", (e) => e.fn.sum<number>("checks").as("checks")])
        .where("period_seconds", "=", 300)
        .groupBy("monitor_id")
        .execute();
      const checks = new Map(sums.map((row) => [row.monitor_id, Number(row.checks)]));
      return {
        times: ids.map((id) => (times.get(id) ?? []).map((row) => Number(row.scheduled_at))),
        rolledUp: ids.map((id) => checks.get(id) ?? 0),
      };
    }),
  );
}

/**
 * Waits until every request that was answered so far has a result of its own, counted once. Totals alone
 * would not do: checks that come later make up for what was lost.
 */
export async function expectEverythingStored(
  house: House,
  ids: readonly number[],
  { served }: Sites,
): Promise<void> {
  const soFar = served.map((own) => [...own]);
  const stored = await eventually(
    () => readStored(house, ids),
    ({ times }) => times.every((own, site) => withoutResult(soFar[site] ?? [], own, () => true).length === 0),
    20_000,
  );
  expect(stored.times.map(({ length }) => length)).toEqual(stored.rolledUp);
}
