import { expect, test } from "vitest";
import { uptimePercentage } from "../../../src/engine/status/uptime.ts";
import type { Status } from "../../../src/platform/monitor-defaults.ts";
import {
  arrangementProblems,
  placesAfterMove,
  placesOf,
} from "../../../src/status-pages/contents/arrangement.ts";
import type { MeasuredStatus } from "../../../src/status-pages/document/public-page.ts";
import {
  componentStatus,
  groupStatus,
  lastDays,
  overallOf,
  publicDays,
  reportedStatus,
  uptimeOverDays,
  worstOf,
} from "../../../src/status-pages/document/rules.ts";
import { derivedUuid } from "../../../src/status-pages/page-url.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 12, 30);

test.each<[Status, boolean, boolean, MeasuredStatus]>([
  ["up", true, false, "operational"],
  ["degraded", true, false, "degraded"],
  ["down", true, false, "outage"],
  ["unknown", true, false, "unknown"],
  ["down", true, true, "maintenance"],
  ["up", false, true, "paused"],
])(
  "a monitor that is %s (enabled %o, in maintenance %o) is shown as %s",
  (status, enabled, isMaintained, shown) => {
    expect(componentStatus({ status, enabled, isMaintained, flapping: false })).toBe(shown);
  },
);

test.each<[Status, MeasuredStatus]>([
  ["up", "degraded"],
  ["down", "outage"],
  ["unknown", "unknown"],
])("a monitor that flaps and is %s for now is shown as %s", (status, shown) => {
  expect(componentStatus({ status, enabled: true, isMaintained: false, flapping: true })).toBe(shown);
});

test.each<[MeasuredStatus[], Parameters<typeof overallOf>[1], string]>([
  [[], [], "unknown"],
  [["paused", "paused"], [], "unknown"],
  [["operational", "paused", "unknown"], [], "operational"],
  [["operational", "maintenance"], [], "maintenance"],
  [["maintenance", "degraded"], [], "degraded"],
  [["outage", "operational"], [], "partial_outage"],
  [["outage", "maintenance"], [], "partial_outage"],
  [["outage", "outage", "paused"], [], "major_outage"],
  [["operational"], ["none"], "operational"],
  [["operational"], ["minor"], "degraded"],
  [["operational"], ["minor", "critical"], "major_outage"],
  [["outage", "operational"], ["minor"], "partial_outage"],
])("%j with reported %j is %s altogether", (components, reported, overall) => {
  expect(overallOf(components, reported)).toBe(overall);
});

test.each<[MeasuredStatus, Parameters<typeof reportedStatus>[1], string]>([
  ["operational", [], "operational"],
  ["operational", ["none"], "operational"],
  ["paused", ["none"], "paused"],
  ["operational", ["minor"], "degraded"],
  ["operational", ["minor", "major"], "partial_outage"],
  ["unknown", ["critical"], "outage"],
  ["outage", ["minor"], "outage"],
  ["maintenance", ["minor"], "degraded"],
])("a component that is measured as %s with reported %j is shown as %s", (measured, impacts, shown) => {
  expect(reportedStatus(measured, impacts)).toBe(shown);
});

test("a group is as its worst component", () => {
  expect(worstOf(["operational", "degraded", "outage", "maintenance"])).toBe("outage");
  expect(worstOf(["paused", "unknown"])).toBe("unknown");
  expect(worstOf([])).toBe("unknown");
});

test.each<[MeasuredStatus[], string]>([
  [["operational", "outage"], "partial_outage"],
  [["outage", "maintenance"], "partial_outage"],
  [["outage", "paused"], "outage"],
  [["outage"], "outage"],
  [["operational", "degraded"], "degraded"],
  [["paused"], "paused"],
  [[], "unknown"],
])("a group of %j is shown as %s", (components, shown) => {
  expect(groupStatus(components)).toBe(shown);
});

test("days are days in the page's zone, of 23 and 25 hours where the clock changes", () => {
  const days = lastDays(NOW, "Europe/Berlin", 90);
  expect(days).toHaveLength(90);
  expect(days.at(-1)).toEqual({
    date: "2026-11-21",
    from: Date.UTC(2026, 10, 20, 23),
    to: Date.UTC(2026, 10, 21, 23),
  });
  const autumn = days.find(({ date }) => date === "2026-10-25");
  expect((autumn?.to ?? 0) - (autumn?.from ?? 0)).toBe(25 * HOUR);
  expect(days.every(({ to }, at) => at === 89 || days[at + 1]?.from === to)).toBe(true);
});

test("a day says the worst of it, its uptime, and what of outages lies in it", () => {
  const days = lastDays(NOW, "UTC", 4);
  const [first, , third, today] = days.map(({ from }) => from) as [number, number, number, number];
  const change = (at: number, status: Status, maintenance = false) => ({ at, status, maintenance });
  const history = [
    change(first + 12 * HOUR, "up"),
    change(third - HOUR, "down"),
    change(third + HOUR, "down"),
    change(third + 2 * HOUR, "up"),
    change(today + HOUR, "down", true),
    change(today + 2 * HOUR, "degraded"),
    change(today + 12 * HOUR, "down"),
  ];
  const shown = publicDays(history, days, NOW);
  expect(shown).toEqual([
    { date: "2026-11-18", status: "operational", uptime: 100, outages: [] },
    {
      date: "2026-11-19",
      status: "outage",
      uptime: 95.83,
      outages: [{ from: third - HOUR, to: third }],
    },
    {
      date: "2026-11-20",
      status: "outage",
      uptime: 91.66,
      outages: [{ from: third, to: third + 2 * HOUR }],
    },
    {
      date: "2026-11-21",
      status: "outage",
      uptime: 95.65,
      outages: [{ from: today + 12 * HOUR, to: null }],
    },
  ]);
  const uptime = uptimePercentage(history, first, NOW) as number;
  expect(uptimeOverDays(history, days, NOW)).toBe(Math.floor(uptime * 100) / 100);
});

test("a day of which nothing is known says so, or that it was all maintenance", () => {
  const days = lastDays(NOW, "UTC", 3);
  const [, second] = days.map(({ from }) => from) as [number, number, number];
  const history = [{ at: second, status: "down" as const, maintenance: true }];
  expect(publicDays(history, days, NOW).map(({ status, uptime }) => [status, uptime])).toEqual([
    ["no_data", null],
    ["maintenance", null],
    ["maintenance", null],
  ]);
});

test("of many outages in a day the ten longest are listed, in order", () => {
  const days = lastDays(NOW, "UTC", 1);
  const from = days[0]?.from as number;
  const history = Array.from({ length: 12 }, (_, at) => [
    { at: from + at * HOUR, status: "down" as const, maintenance: false },
    { at: from + at * HOUR + (at + 1) * 60_000, status: "up" as const, maintenance: false },
  ]).flat();
  const [today] = publicDays(history, days, from + DAY - 1);
  expect(today?.outages.map((one) => (one.from - from) / HOUR)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test("99.999 percent is not 100", () => {
  const days = lastDays(NOW, "UTC", 90);
  const history = [
    { at: days[0]?.from as number, status: "up" as const, maintenance: false },
    { at: NOW - HOUR, status: "down" as const, maintenance: false },
    { at: NOW - HOUR + 10_000, status: "up" as const, maintenance: false },
  ];
  expect(uptimeOverDays(history, days, NOW)).toBe(99.99);
});

test("a part of something has the same uuid each time, and another than other parts", () => {
  const own = "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11";
  expect(derivedUuid(own, 1)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(derivedUuid(own, 1)).toBe(derivedUuid(own, 1));
  expect(derivedUuid(own, 1)).not.toBe(derivedUuid(own, 2));
});

test("a component moves within its group and between groups", () => {
  const known = [
    { id: 1, groupId: null },
    { id: 2, groupId: null },
    { id: 3, groupId: null },
    { id: 4, groupId: 9 },
  ];
  const order = (places: { id: number }[]) => places.map(({ id }) => id);
  expect(order(placesAfterMove(known, { id: 3, groupId: null, at: 0 }))).toEqual([3, 1, 2]);
  expect(order(placesAfterMove(known, { id: 1, groupId: null, at: 1 }))).toEqual([2, 1, 3]);
  expect(order(placesAfterMove(known, { id: 1, groupId: null }))).toEqual([2, 3, 1]);
  expect(order(placesAfterMove(known, { id: 1, groupId: 9, at: 99 }))).toEqual([4, 1]);
});

test("an arrangement says where everything is; what it leaves out comes last, without a group", () => {
  const known = [1, 2, 3].map((id) => ({ id, uuid: `c${id}` }));
  const wanted = { components: ["c2"], groups: [{ components: ["c3"] }] };
  expect(placesOf(wanted, known, [7])).toEqual([
    { id: 2, groupId: null, position: 0 },
    { id: 1, groupId: null, position: 1 },
    { id: 3, groupId: 7, position: 0 },
  ]);
  const wrong = { components: ["c2", "c9"], groups: [{ uuid: "g1", components: ["c2"] }] };
  expect(arrangementProblems(wrong, { components: known, groups: [] })).toEqual({
    components: { unknown: ["c9"], doubled: ["c2"] },
    groups: { unknown: ["g1"], doubled: [] },
  });
});
