import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type StatusChange, timeByStatus, uptimeOf } from "../../src/engine/status/uptime.ts";
import type { Status } from "../../src/platform/monitor-defaults.ts";
import { outagesOf, recoveryOf } from "../../src/reports/outages.ts";
import { addStatusTime, planReport } from "../../src/reports/report-points.ts";
import { summaryOf } from "../../src/reports/summary.ts";

const MINUTE = 60_000;
const change = (minute: number, status: Status, maintenance = false): StatusChange => ({
  at: minute * MINUTE,
  status,
  maintenance,
});
const outages = (...history: StatusChange[]) =>
  outagesOf(history, 0, 100 * MINUTE).map(({ startedAt, endedAt, downMs }) => [
    startedAt / MINUTE,
    endedAt === null ? null : endedAt / MINUTE,
    downMs / MINUTE,
  ]);

describe("outages", () => {
  it("begin with down, and end when the monitor is up or degraded", () => {
    expect(
      outages(
        change(0, "up"),
        change(10, "down"),
        change(25, "up"),
        change(40, "down"),
        change(41, "degraded"),
      ),
    ).toEqual([
      [10, 25, 15],
      [40, 41, 1],
    ]);
  });

  it("are cut by the requested time, on both sides", () => {
    expect(outages(change(-50, "down"), change(5, "up"), change(90, "down"), change(150, "up"))).toEqual([
      [0, 5, 5],
      [90, null, 10],
    ]);
  });

  it("are interrupted by maintenance and by what is not known, and count none of it", () => {
    const maintained = outages(
      change(0, "down"),
      change(10, "down", true),
      change(40, "down"),
      change(45, "up"),
    );
    expect(maintained).toEqual([[0, 45, 15]]);
    expect(outages(change(0, "down"), change(10, "unknown"), change(40, "down"), change(45, "up"))).toEqual([
      [0, 45, 15],
    ]);
    expect(
      outages(change(0, "up"), change(10, "down", true), change(20, "up", true), change(30, "up")),
    ).toEqual([]);
  });

  it("say how long repair takes and how long it goes well, which together are the uptime", () => {
    expect(recoveryOf({ upMs: 90, downMs: 10, outages: 2 })).toEqual({ mttrMs: 5, mtbfMs: 45 });
    expect(recoveryOf({ upMs: 90, downMs: 0, outages: 0 })).toEqual({ mttrMs: null, mtbfMs: null });
  });
});

const histories = fc
  .array(
    fc.record({
      at: fc.integer({ min: -40, max: 30 * 24 }),
      status: fc.constantFrom<Status[]>("up", "down", "degraded", "unknown"),
      maintenance: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((changes) => changes.map((one) => ({ ...one, at: one.at * 1_800_000 })).sort((a, b) => a.at - b.at));

/** 5 h 7 min into a day, for a week and for three. */
const spans = fc.constantFrom([18_420_000, 7 * 86_400_000], [18_420_000, 15 * 86_400_000 + 12_345]);
const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0);

describe("any history", () => {
  it("has downtimes of outages and of points that add up to its downtime, and likewise uptimes", () => {
    fc.assert(
      fc.property(histories, spans, (history, [from, to]) => {
        const { upMs, downMs, excludedMs } = timeByStatus(history, from, to);
        expect(upMs + downMs + excludedMs).toBe(to - from);
        const found = outagesOf(history, from, to);
        expect(sum(found.map((outage) => outage.downMs))).toBe(downMs);
        for (const { startedAt, endedAt, downMs: own } of found) {
          expect(own).toBeGreaterThan(0);
          expect(own).toBeLessThanOrEqual((endedAt ?? to) - startedAt);
        }
        const plan = planReport({ from, to, hoursFrom: 0 });
        const points = {
          upMs: new Float64Array(plan.points.length),
          downMs: new Float64Array(plan.points.length),
        };
        addStatusTime(plan, history, points);
        expect([sum(points.upMs), sum(points.downMs)]).toEqual([upMs, downMs]);
      }),
    );
  });

  it("has shares of uptime and downtime that make 100 %, and an uptime that follows from MTBF and MTTR", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const [from, to] = [0, 30 * 86_400_000];
        const { upMs, downMs } = timeByStatus(history, from, to);
        const count = outagesOf(history, from, to).length;
        const none = { checks: 0, failures: 0, timed: 0, sumUs: 0, p50Us: null, p95Us: null, p99Us: null };
        const summary = summaryOf({ ...none, upMs, downMs, outages: count, longestOutageMs: 0 });
        if (summary.uptime === null) return void expect(upMs + downMs).toBe(0);
        const downtime = uptimeOf({ upMs: downMs, downMs: upMs }) as number;
        expect(summary.uptime + downtime).toBeCloseTo(100, 9);
        if (summary.mtbfMs === null || summary.mttrMs === null) return void expect(downMs).toBe(0);
        const { mtbfMs, mttrMs } = summary;
        expect((100 * mtbfMs) / (mtbfMs + mttrMs)).toBeCloseTo(summary.uptime, 9);
      }),
    );
  });
});

describe("a plan", () => {
  it("reads a week by hours, and more by whole days with the hours at both ends", () => {
    const week = planReport({ from: 18_420_000, to: 18_420_000 + 7 * 86_400_000, hoursFrom: 0 });
    expect([week.stepMs, week.points.length, week.reads.length]).toEqual([3_600_000, 169, 1]);
    const month = planReport({ from: 18_420_000, to: 18_420_000 + 30 * 86_400_000, hoursFrom: 0 });
    expect([month.stepMs, month.points.length]).toEqual([86_400_000, 31]);
    const [days, hours] = month.reads;
    expect(days?.buckets).toEqual(Array.from({ length: 29 }, (_, i) => (i + 1) * 86_400_000));
    // The hours from 5 to 24 o'clock of the first day, and those up to 5:07 of the last.
    expect(hours?.buckets.map((at) => at / 3_600_000)).toEqual([
      ...Array.from({ length: 19 }, (_, i) => 5 + i),
      ...Array.from({ length: 6 }, (_, i) => 720 + i),
    ]);
  });

  it("reads whole days where hours are not stored any more", () => {
    const plan = planReport({ from: 18_420_000, to: 86_400_000 * 3, hoursFrom: 2 * 86_400_000 });
    expect(plan.reads).toEqual([
      { periodSeconds: 86_400, buckets: [0, 86_400_000, 2 * 86_400_000] },
      { periodSeconds: 3600, buckets: [] },
    ]);
  });
});
