import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type StatusChange,
  timeByStatus,
  uptimePercentage,
  worstStatus,
} from "../../../src/engine/status/uptime.ts";

const change = (at: number, status: StatusChange["status"], maintenance = false): StatusChange => ({
  at,
  status,
  maintenance,
});

describe("uptime", () => {
  it.each([
    ["is null when nothing was ever known", [], null],
    ["is null when only the unknown is known", [change(0, "unknown")], null],
    ["is 100 when it was always up", [change(0, "up")], 100],
    ["is 0 when it was always down", [change(0, "down")], 0],
    ["counts degraded as up", [change(0, "degraded")], 100],
    ["weighs by time, not by changes", [change(0, "up"), change(900, "down"), change(950, "up")], 95],
    ["leaves out what is unknown", [change(0, "up"), change(250, "down"), change(500, "unknown")], 50],
    ["leaves out the time before the first change", [change(500, "up"), change(750, "down")], 50],
    ["takes changes before the range as its beginning", [change(-500, "down"), change(-1, "up")], 100],
    ["does not look beyond the range", [change(0, "up"), change(1_500, "down")], 100],
  ] as const)("%s", (_sentence, history, percentage) => {
    expect(uptimePercentage(history, 0, 1_000)).toBe(percentage);
  });

  it("accounts for every millisecond of the range, and lies between 0 and 100", () => {
    const changes = fc.array(
      fc.record({
        at: fc.integer({ min: -100, max: 1_100 }),
        status: fc.constantFrom("unknown", "up", "degraded", "down"),
        maintenance: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(changes, (history) => {
        const ordered = history.toSorted((a, b) => a.at - b.at);
        const time = timeByStatus(ordered, 0, 1_000);
        expect(time.upMs + time.downMs + time.excludedMs).toBe(1_000);
        const percentage = uptimePercentage(ordered, 0, 1_000);
        if (percentage !== null) expect(percentage >= 0 && percentage <= 100).toBe(true);
      }),
    );
  });
});

describe("the worst status of a range", () => {
  it.each([
    ["is unknown when nothing was ever known", [], "unknown"],
    ["is what it was before, where nothing changed", [change(-500, "up")], "up"],
    ["is the worst of several", [change(0, "up"), change(100, "down"), change(200, "degraded")], "down"],
    ["prefers any knowledge to none", [change(0, "unknown"), change(999, "up")], "up"],
    ["does not count what lasted no time", [change(0, "down"), change(0, "up")], "up"],
    ["leaves maintenance out", [change(0, "up"), change(100, "down", true), change(200, "up")], "up"],
    ["does not look before the range", [change(-10, "down"), change(0, "up")], "up"],
    ["does not look beyond it", [change(0, "up"), change(1_000, "down")], "up"],
  ] as const)("%s", (_sentence, history, status) => {
    expect(worstStatus(history, 0, 1_000)).toBe(status);
  });
});
