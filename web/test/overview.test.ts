import { describe, expect, test } from "vitest";
import type { Incident } from "../src/api/incidents.ts";
import type { Domain } from "../src/api/monitor-list.ts";
import type { Activity } from "../src/api/overview.ts";
import {
  activityWord,
  aroundName,
  groupActivity,
  lastProblem,
  problemBefore,
} from "../src/overview/activity-words.ts";
import {
  addCounts,
  attendedLast,
  countsBeside,
  mergePages,
  sinceOf,
  stillIn,
  toneOf,
} from "../src/overview/condition.ts";
import { change, start } from "./activity.ts";
import { makeDomain } from "./domain.ts";

const minuteMs = 60_000;

const inDown = (minutes: number[], total = minutes.length) => ({
  total,
  monitors: minutes.map((minute) =>
    makeDomain({ state: "down", statusSince: new Date(start + minute * minuteMs).toISOString() }),
  ),
});

describe("the headline", () => {
  const none = { monitors: [], total: 0 };
  const stats = { total: 9, up: 6, down: 1, unknown: 2, degraded: 1, paused: 2, maintenance: 3 };
  const all = { ...stats, avgResponseTime: null, avgUptime: null };

  test.each([
    [{ down: 1, degraded: 2, unknown: 1, up: 5 }, "down"],
    [{ degraded: 2, unknown: 1, up: 5 }, "degraded"],
    [{ unknown: 1, up: 5 }, "unknown"],
    [{ up: 5, paused: 1 }, "up"],
    [{ paused: 2 }, "paused"],
  ] as const)("of %o is about what is %s", (counts, tone) => {
    const nought = { all: 9, down: 0, degraded: 0, unknown: 0, up: 0, paused: 0, maintenance: 0 };
    expect(toneOf({ ...nought, ...counts })).toBe(tone);
  });

  test("forgets a recovery's domain at once, before the counts are read again", () => {
    const recovered = makeDomain({ state: "up" });
    const down = stillIn({ monitors: [recovered], total: 1 }, "down");
    expect(down).toEqual(none);
    expect(countsBeside(all, down, none)).toEqual({
      all: 9,
      down: 0,
      degraded: 0,
      unknown: 0,
      paused: 2,
      maintenance: 3,
      up: 7,
    });
  });

  test("counts the kinds together, and dates from the troubles of both", () => {
    const counts = { all: 3, down: 1, degraded: 0, unknown: 0, up: 2, paused: 0, maintenance: 1 };
    const nothing = { all: 0, down: 0, degraded: 0, unknown: 0, up: 0, paused: 0, maintenance: 0 };
    expect(addCounts([counts, { ...nothing, all: 2, down: 2 }])).toEqual({ ...counts, all: 5, down: 3 });
    const both = mergePages([inDown([7, 1]), inDown([5, 3])]);
    expect(both.total).toBe(4);
    expect(sinceOf(both)).toEqual({ which: "longest", at: start + minuteMs });
    expect(sinceOf({ ...both, total: 20 })).toEqual({ which: "newest", at: start + 7 * minuteMs });
  });

  test("says how long the longest outage lasts, or of more than it has read the newest", () => {
    expect(sinceOf(inDown([7]))).toEqual({ which: "only", at: start + 7 * minuteMs });
    expect(sinceOf(inDown([7, 3, 1]))).toEqual({ which: "longest", at: start + minuteMs });
    expect(sinceOf(inDown([7, 3, 1], 20))).toEqual({ which: "newest", at: start + 7 * minuteMs });
    expect(sinceOf(none)).toBeNull();
  });
});

describe("what is down", () => {
  const affectedIn = (id: number, more: object = {}) => ({
    affected: [{ monitorId: id, outageStartedAt: "2026-11-21T09:00:00.000Z", outageEndedAt: null, ...more }],
  });
  const attendedOf = (monitors: readonly Domain[], incidents: object[]) =>
    attendedLast(monitors, incidents as Incident[]).map(({ monitor: { name }, isAttended }) => [
      name,
      isAttended,
    ]);

  test("comes before what is acknowledged, and what sends no notifications", () => {
    const had = makeDomain({ state: "down", name: "had" });
    const muted = makeDomain({ state: "down", name: "muted", maintenanceUntil: "2026-11-21T12:00:00.000Z" });
    const behind = makeDomain({
      ...{ state: "down", name: "behind" },
      suppressedBy: { id: had.id, uuid: had.uuid, kind: "domain", name: "had" },
    });
    const free = makeDomain({ state: "down", name: "free" });
    const shown = attendedOf([had, muted, behind, free], [affectedIn(had.id)]);
    expect(shown).toEqual([
      ["free", false],
      ["had", true],
      ["muted", true],
      ["behind", true],
    ]);
  });

  test("is unacknowledged once its acknowledged outage is over and another one has begun", () => {
    const again = makeDomain({ state: "down", name: "again" });
    const over = affectedIn(again.id, { outageEndedAt: "2026-11-21T09:30:00.000Z" });
    expect(attendedOf([again], [over])).toEqual([["again", false]]);
  });
});

test.each([
  ["up", "down", null, "down"],
  ["up", "degraded", "The answer took 900 ms.", "degraded"],
  ["down", "up", null, "recovered"],
  ["degraded", "up", null, "restored"],
  ["unknown", "up", null, "up"],
  ["up", "unknown", "paused", "paused"],
  ["up", "unknown", "No result came in for two intervals.", "silent"],
] as const)("a change from %s to %s (%s) is shown as %s", (from, to, reason, word) => {
  expect(activityWord(change(0, from, to, { reason }))).toBe(word);
});

describe("the problem before a recovery", () => {
  test("began when the domain went down, whatever others did in between", () => {
    const items = [
      change(9, "down", "up"),
      change(5, "down", "up", { monitorId: 2 }),
      change(2, "up", "down"),
    ];
    expect(problemBefore(items, 0)).toEqual({
      name: "Shop",
      was: "down",
      beganAt: start + 2 * minuteMs,
      endedAt: start + 9 * minuteMs,
    });
    expect(problemBefore(items, 1)?.beganAt).toBeNull();
    expect(problemBefore(items, 2)).toBeNull();
  });

  test("counts from where it was first degraded, and was an outage if it was ever down", () => {
    const items = [
      change(9, "degraded", "up"),
      change(7, "down", "degraded"),
      change(4, "degraded", "down"),
      change(1, "up", "degraded"),
    ];
    expect(problemBefore(items, 0)).toMatchObject({ was: "down", beganAt: start + minuteMs });
  });

  test("goes on over a time in which nothing was checked", () => {
    const items = [
      change(9, "down", "up"),
      change(7, "unknown", "down"),
      change(5, "down", "unknown"),
      change(2, "up", "down"),
    ];
    expect(problemBefore(items, 0)?.beganAt).toBe(start + 2 * minuteMs);
    expect(problemBefore(items.slice(0, 3), 0)?.beganAt).toBeNull();
    const wasUp = [...items.slice(0, 2), change(5, "up", "unknown"), change(2, "down", "up")];
    expect(problemBefore(wasUp, 0)?.beganAt).toBe(start + 7 * minuteMs);
  });

  test("that ended last is the newest one; a pause or a first check ends none", () => {
    const items = [
      change(12, "unknown", "up"),
      change(11, "up", "unknown", { reason: "paused" }),
      change(9, "down", "up"),
    ];
    expect(lastProblem(items)).toMatchObject({ was: "down", endedAt: start + 9 * minuteMs });
    expect(lastProblem(items.slice(0, 2))).toBeNull();
  });
});

describe("changes of one moment", () => {
  const paused = (id: number, minute = 0) =>
    change(minute, "up", "unknown", { reason: "paused", monitorId: id, id: `status-${id}` });

  test("are one line where a person made them all, and by name where there are few", () => {
    const [one, two, three, four] = [4, 3, 2, 1].map((id) => paused(id)) as [Activity, ...Activity[]];
    const down = change(0, "up", "down", { monitorId: 9 });
    expect(groupActivity([one, two, three, down, four] as Activity[])).toEqual([
      { at: 0, word: "paused", count: 3 },
      { at: 3, word: "down", count: 1 },
      { at: 4, word: "paused", count: 1 },
    ]);
    expect(groupActivity([one, two] as Activity[]).map(({ count }) => count)).toEqual([1, 1]);
  });

  test("are apart from those of another moment, and outages are always named", () => {
    const later = [paused(6, 1), paused(5, 1), paused(4, 1), paused(3), paused(2), paused(1)];
    expect(groupActivity(later).map(({ at, count }) => [at, count])).toEqual([
      [0, 3],
      [3, 3],
    ]);
    const outages = [1, 2, 3].map((id) => change(0, "up", "down", { monitorId: id }));
    expect(groupActivity(outages)).toHaveLength(3);
  });
});

test("a sentence is cut around the name in it, wherever the language puts it", () => {
  expect(aroundName((name) => `${name} went down`)).toEqual(["", " went down"]);
  expect(aroundName((name) => `Seit eben ist ${name} ausgefallen`)).toEqual([
    "Seit eben ist ",
    " ausgefallen",
  ]);
});
