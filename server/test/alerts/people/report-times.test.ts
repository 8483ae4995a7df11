import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { lastReport, nextReportAt, REPORT_MAILS } from "../../../src/alerts/people/settings.ts";

const HOUR = 3_600_000;
const at = (iso: string) => Date.parse(iso);
const iso = (ms: number) => new Date(ms).toISOString();

describe("a report by mail", () => {
  it.each([
    // Monday 23 November 2026.
    [
      "weekly",
      "UTC",
      "2026-11-23T08:00:00Z",
      "2026-11-16",
      "2026-11-16T00:00Z",
      "2026-11-23T00:00Z",
      "2026-11-23T08:00Z",
    ],
    [
      "weekly",
      "UTC",
      "2026-11-23T07:59:59.999Z",
      "2026-11-09",
      "2026-11-09T00:00Z",
      "2026-11-16T00:00Z",
      "2026-11-16T08:00Z",
    ],
    [
      "weekly",
      "Europe/Berlin",
      "2026-11-23T07:00:00Z",
      "2026-11-16",
      "2026-11-15T23:00Z",
      "2026-11-22T23:00Z",
      "2026-11-23T07:00Z",
    ],
    [
      "weekly",
      "Asia/Shanghai",
      "2026-11-29T12:00:00Z",
      "2026-11-16",
      "2026-11-15T16:00Z",
      "2026-11-22T16:00Z",
      "2026-11-23T00:00Z",
    ],
    // Sunday there already while it is Monday here.
    [
      "weekly",
      "Pacific/Honolulu",
      "2026-11-23T17:59:00Z",
      "2026-11-09",
      "2026-11-09T10:00Z",
      "2026-11-16T10:00Z",
      "2026-11-16T18:00Z",
    ],
    // The clocks go back on 25 October 2026, and forward on 28 March 2027: weeks of 169 and of 167 hours.
    [
      "weekly",
      "Europe/Berlin",
      "2026-10-26T12:00:00Z",
      "2026-10-19",
      "2026-10-18T22:00Z",
      "2026-10-25T23:00Z",
      "2026-10-26T07:00Z",
    ],
    [
      "weekly",
      "Europe/Berlin",
      "2027-03-29T12:00:00Z",
      "2027-03-22",
      "2027-03-21T23:00Z",
      "2027-03-28T22:00Z",
      "2027-03-29T06:00Z",
    ],
    [
      "monthly",
      "UTC",
      "2026-11-24T00:00:00Z",
      "2026-10-01",
      "2026-10-01T00:00Z",
      "2026-11-01T00:00Z",
      "2026-11-01T08:00Z",
    ],
    [
      "monthly",
      "UTC",
      "2027-01-01T07:00:00Z",
      "2026-11-01",
      "2026-11-01T00:00Z",
      "2026-12-01T00:00Z",
      "2026-12-01T08:00Z",
    ],
    [
      "monthly",
      "UTC",
      "2027-03-31T09:00:00Z",
      "2027-02-01",
      "2027-02-01T00:00Z",
      "2027-03-01T00:00Z",
      "2027-03-01T08:00Z",
    ],
    [
      "monthly",
      "America/New_York",
      "2026-11-01T13:00:00Z",
      "2026-10-01",
      "2026-10-01T04:00Z",
      "2026-11-01T04:00Z",
      "2026-11-01T13:00Z",
    ],
    // Half past seven is another day than in UTC.
    [
      "monthly",
      "Asia/Kolkata",
      "2026-11-01T02:30:00Z",
      "2026-10-01",
      "2026-09-30T18:30Z",
      "2026-10-31T18:30Z",
      "2026-11-01T02:30Z",
    ],
    // There is no midnight on 6 September 2026: the clocks of Santiago go from 23:59 to 1:00.
    [
      "weekly",
      "America/Santiago",
      "2026-09-07T12:00:00Z",
      "2026-08-31",
      "2026-08-31T04:00Z",
      "2026-09-07T03:00Z",
      "2026-09-07T11:00Z",
    ],
  ] as const)(
    "%s in %s is, at %s, of %s: from %s to %s, due at %s",
    (kind, zone, now, period, from, to, dueAt) => {
      const found = lastReport(kind, zone, at(now));
      expect(found.period).toBe(period);
      expect([found.from, found.to, found.dueAt].map(iso)).toEqual(
        [from, to, dueAt].map((one) => iso(at(one))),
      );
    },
  );

  const zones = fc.constantFrom(
    ...["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "America/Santiago"],
    ...["Australia/Lord_Howe", "Pacific/Chatham", "Africa/Cairo", "Asia/Shanghai"],
  );
  const times = fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2031-01-01T00:00:00Z") });

  test("was due before now, is due again after it, and leaves no time out between two", () => {
    fc.assert(
      fc.property(fc.constantFrom(...REPORT_MAILS), zones, times, (kind, zone, now) => {
        const last = lastReport(kind, zone, now);
        const nextAt = nextReportAt(kind, zone, now);
        expect(last.dueAt).toBeLessThanOrEqual(now);
        expect(nextAt).toBeGreaterThan(now);
        expect(last.to).toBeLessThan(last.dueAt);
        expect(last.dueAt - last.to).toBeLessThanOrEqual(9 * HOUR);
        const next = lastReport(kind, zone, nextAt);
        expect([next.dueAt, next.from]).toEqual([nextAt, last.to]);
        expect(lastReport(kind, zone, nextAt - 1)).toEqual(last);
        expect(
          new Intl.DateTimeFormat("en", { hour: "numeric", hourCycle: "h23", timeZone: zone }).format(nextAt),
        ).toBe("08");
      }),
    );
  });
});
