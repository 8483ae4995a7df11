import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Hours, WEEKDAYS } from "../../../src/alerts/channels/filter.ts";
import { areSentAt, nextBeginning } from "../../../src/alerts/channels/hours.ts";

const MINUTE_MS = 60_000;
const at = (text: string) => Date.parse(text);

describe("the hours of a channel begin", () => {
  const cases: [string, Hours, string, string, string][] = [
    ["later today", { from: "08:00", to: "18:00" }, "UTC", "2026-11-23T03:00:10Z", "2026-11-23T08:00:00Z"],
    ["tomorrow", { from: "08:00", to: "18:00" }, "UTC", "2026-11-23T19:00:00Z", "2026-11-24T08:00:00Z"],
    [
      "after the weekend",
      { days: ["monday"], from: "08:00" },
      "Europe/Berlin",
      "2026-11-27T19:00:00Z",
      "2026-11-30T07:00:00Z",
    ],
    ["at midnight of the day", { days: ["sunday"] }, "UTC", "2026-11-27T19:00:00Z", "2026-11-29T00:00:00Z"],
    [
      "in the evening, over midnight",
      { from: "22:00", to: "06:00" },
      "UTC",
      "2026-11-23T06:00:00Z",
      "2026-11-23T22:00:00Z",
    ],
    [
      "by the clocks of summer on the day they change",
      { from: "08:00", to: "18:00" },
      "Europe/Berlin",
      "2026-03-28T22:00:00Z",
      "2026-03-29T06:00:00Z",
    ],
    [
      "after the hour that is left out",
      { from: "02:30", to: "05:00" },
      "Europe/Berlin",
      "2026-03-28T22:00:00Z",
      "2026-03-29T01:00:00Z",
    ],
    [
      "by the clocks of winter again",
      { from: "08:00", to: "18:00" },
      "Europe/Berlin",
      "2026-10-24T22:00:00Z",
      "2026-10-25T07:00:00Z",
    ],
  ];
  test.each(cases)("%s", (_, hours, zone, from, expected) => {
    expect(new Date(nextBeginning(hours, at(from), zone) ?? 0).toISOString()).toBe(
      new Date(expected).toISOString(),
    );
  });

  test("as soon as a moment lies within them, and not sooner", () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([h, m]) => [h, m].map((n) => String(n).padStart(2, "0")).join(":"));
    const days = fc.subarray([...WEEKDAYS], { minLength: 1 });
    const zones = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "Asia/Kolkata",
    );
    const moment = fc.integer({ min: at("2026-01-01T00:00Z"), max: at("2027-01-01T00:00Z") });
    fc.assert(
      fc.property(time, time, days, zones, moment, (from, to, own, zone, now) => {
        fc.pre(from !== to);
        const hours = { days: own, from, to };
        fc.pre(!areSentAt(hours, now, zone));
        const begins = nextBeginning(hours, now, zone);
        if (begins === null) throw new Error("never");
        expect(areSentAt(hours, begins, zone)).toBe(true);
        const before = Math.max(now, begins - 120 * MINUTE_MS);
        for (let each = begins - MINUTE_MS; each > before; each -= MINUTE_MS)
          expect(areSentAt(hours, each, zone)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});
