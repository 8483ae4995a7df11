import { expect, it, onTestFinished } from "vitest";
import { sumChecks } from "../../../src/engine/queries/check-sums.ts";
import { addToRollups } from "../../../src/engine/queries/rollups.ts";
import { insertTransitions } from "../../../src/engine/queries/transitions.ts";
import { readMonitorStates } from "../../../src/monitors/queries/monitor-names.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import type { Status } from "../../../src/platform/monitor-defaults.ts";
import { makeResult } from "../../harness/results.ts";
import { monitorRow, organizationRow } from "../../harness/rows.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);

eachEngine("the totals of an organization", (engine) => {
  const open = async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    return store;
  };

  it("add up whole hours, whatever the time of day", async () => {
    const { db } = await open();
    // A check each 20 minutes over three days, of three monitors; the sum shows which were counted.
    const results = [1, 2, 3].flatMap((monitorId) =>
      Array.from({ length: 3 * 72 }, (_, i) =>
        makeResult({ monitorId, scheduledAt: MIDNIGHT + (i * HOUR) / 3, totalUs: 1000 * monitorId + i }),
      ),
    );
    await addToRollups(db, results);
    for (let hour = 24; hour <= 72; hour += 1) {
      const now = MIDNIGHT + hour * HOUR + 7;
      const begin = now - 7 - 24 * HOUR;
      // Today counts whole: outside of tests there is nothing after now.
      const end = MIDNIGHT + (Math.floor(hour / 24) + 1) * 24 * HOUR;
      const counted = results.filter(
        ({ monitorId, scheduledAt: at }) => monitorId !== 2 && at >= begin && at < end,
      );
      expect(await sumChecks(db, { monitorIds: [1, 3], from: now - 24 * HOUR, now }), `hour ${hour}`).toEqual(
        {
          timed: counted.length,
          sumUs: counted.reduce((sum, { totalUs }) => sum + (totalUs as number), 0),
        },
      );
    }
    expect(await sumChecks(db, { monitorIds: [], from: 0, now: 1 })).toEqual({ timed: 0, sumUs: 0 });
  });

  it("know without its history what has not changed, and whose history has to be read", async () => {
    const { db } = await open();
    const [from, to] = [MIDNIGHT, MIDNIGHT + 24 * HOUR];
    type Change = [at: number, status: Status, maintenance?: boolean];
    const histories: Change[][] = [
      [],
      [[from - HOUR, "up"]],
      [[from, "degraded"]],
      [
        [from - HOUR, "up"],
        [from - 1, "down"],
      ],
      [[from - HOUR, "unknown"]],
      [[from - HOUR, "up", true]],
      [
        [from - HOUR, "up"],
        [from + HOUR, "down"],
      ],
      [
        [from - HOUR, "down"],
        [to, "up"],
      ],
    ];
    await insertMany(db, "organizations", [organizationRow(1)]);
    await insertMany(
      db,
      "monitors",
      histories.map((_, i) => monitorRow(i + 1, { name: `Shop ${i}` })),
    );
    const transitions = histories.flatMap((changes, i) =>
      changes.map(([at, toStatus, maintenance = false]) => ({
        organizationId: 1,
        monitorId: i + 1,
        fromStatus: "unknown" as const,
        toStatus,
        at,
        detectedAt: at,
        reason: null,
        locationId: null,
        maintenance,
      })),
    );
    await insertTransitions(db, transitions);
    const states = await readMonitorStates(db, { organizationId: 1, kind: "domain", from, to });
    expect({ ...states, monitorIds: states.monitorIds.toSorted((a, b) => a - b) }).toEqual({
      monitorIds: [1, 2, 3, 4, 5, 6, 7, 8],
      up: 2,
      down: 2,
      changedIds: [7],
    });
    const noAnswer = await readMonitorStates(db, { organizationId: 2, kind: "domain", from, to });
    expect(noAnswer).toEqual({ monitorIds: [], up: 0, down: 0, changedIds: [] });
  });
});
