import { describe, expect, test } from "vitest";
import type { StatusPeriod } from "../src/api/monitor.ts";
import { changesSince, restartTimes, statusEvents } from "../src/monitors/detail/status-periods.ts";

const minuteMs = 60_000;
const start = Date.UTC(2026, 10, 21, 10);
const at = (minute: number) => start + minute * minuteMs;

/** Periods by what began in which minute after ten, given oldest first; the last one goes on. */
function periods(...changes: [minute: number, state: StatusPeriod["state"], more?: Partial<StatusPeriod>][]) {
  return changes
    .map(([minute, state, more], index): StatusPeriod => {
      const next = changes[index + 1]?.[0];
      return {
        state,
        startedAt: new Date(at(minute)).toISOString(),
        endedAt: next === undefined ? null : new Date(at(next)).toISOString(),
        maintenance: false,
        reason: null,
        reasonFact: null,
        ...more,
      };
    })
    .toReversed();
}

const silent = { reasonFact: { code: "watch.silent" } };
const summarize = (list: StatusPeriod[]) =>
  statusEvents(list).map(({ kind, fromMs, toMs }) => [
    kind,
    (fromMs - start) / minuteMs,
    toMs === null ? null : (toMs - start) / minuteMs,
  ]);

describe("a monitor's status history", () => {
  test("are outages, slow times, pauses, restarts and maintenance, newest first, and no time in which all was well", () => {
    const list = periods(
      [0, "unknown"],
      [1, "up"],
      [30, "down"],
      [45, "up"],
      [60, "paused"],
      [70, "up"],
      [80, "degraded"],
      [85, "up"],
      [90, "unknown", silent],
      [93, "up"],
      [100, "up", { maintenance: true }],
      [110, "up"],
      [120, "down"],
    );
    expect(summarize(list)).toEqual([
      ["down", 120, null],
      ["maintenance", 100, 110],
      ["offline", 90, 93],
      ["degraded", 80, 85],
      ["paused", 60, 70],
      ["down", 30, 45],
    ]);
  });

  test("an outage that went on over restarts is one, with the restarts in it", () => {
    const list = periods(
      [0, "up"],
      [10, "down"],
      [20, "unknown", silent],
      [25, "down"],
      [30, "unknown", silent],
      [35, "down"],
      [40, "up"],
    );
    expect(summarize(list)).toEqual([
      ["down", 10, 40],
      ["offline", 30, 35],
      ["offline", 20, 25],
    ]);
  });

  test("an outage that was over after a restart, or paused in between, is not", () => {
    expect(
      summarize(
        periods([0, "up"], [10, "down"], [20, "unknown", silent], [25, "up"], [30, "down"], [35, "up"]),
      ),
    ).toEqual([
      ["down", 30, 35],
      ["offline", 20, 25],
      ["down", 10, 20],
    ]);
    expect(summarize(periods([10, "down"], [20, "paused"], [25, "down"], [35, "up"]))).toHaveLength(3);
  });

  test("many changes within minutes are one line, with how many they were", () => {
    const turns = [0, 4, 8, 12].flatMap((minute): [number, StatusPeriod["state"]][] => [
      [minute, "down"],
      [minute + 2, "up"],
    ]);
    const [flapping, ...others] = statusEvents(periods([-60, "up"], ...turns));
    expect(flapping).toMatchObject({ kind: "flapping", fromMs: at(0), toMs: at(14), changes: 8 });
    expect(others).toEqual([]);
    expect(summarize(periods([-60, "up"], [0, "down"], [2, "up"], [30, "down"], [32, "up"]))).toHaveLength(2);
  });
});

test("how often it changed is counted from a moment on, without what a restart makes of it", () => {
  const list = periods(
    [0, "up"],
    [10, "down"],
    [12, "up"],
    [14, "unknown", silent],
    [15, "up"],
    [16, "down"],
    [18, "degraded"],
    [19, "up"],
  );
  expect(changesSince(list, at(0))).toBe(4);
  expect(changesSince(list, at(12))).toBe(3);
  expect(restartTimes(list)).toEqual([at(15)]);
});

describe("an outage behind a parent", () => {
  const behind = { reasonFact: { code: "watch.behind" }, reason: "Router is down as well." };
  const released = { reasonFact: { code: "watch.released" }, reason: "A fresh confirmation is needed." };
  const said = { reasonFact: { code: "watch.notified" }, reason: "Notifications are sent." };
  const refused = { reasonFact: { code: "refused" }, reason: "Refused." };
  const reasons = (list: StatusPeriod[]) => statusEvents(list).map(({ reason }) => reason);

  test("is one, which says that no notifications were sent", () => {
    const list = periods(
      [1, "up"],
      [5, "down", refused],
      [5, "down", behind],
      [9, "down", released],
      [10, "up"],
    );
    expect([summarize(list), reasons(list)]).toEqual([[["down", 5, 10]], ["Router is down as well."]]);
  });

  test("says that notifications were sent in the end, where they were", () => {
    const list = periods(
      [5, "down", refused],
      [5, "down", behind],
      [9, "down", released],
      [10, "down", said],
    );
    expect([summarize(list), reasons(list)]).toEqual([[["down", 5, null]], ["Notifications are sent."]]);
  });

  test("is none with an earlier one of its own", () => {
    const list = periods([1, "down", refused], [3, "up"], [5, "down", refused], [5, "down", behind]);
    expect(summarize(list)).toEqual([
      ["down", 5, null],
      ["down", 1, 3],
    ]);
  });
});
