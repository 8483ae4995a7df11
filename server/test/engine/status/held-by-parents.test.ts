import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeState, encodeState } from "../../../src/engine/status/encode-state.ts";
import { behindOf, MAX_WAIT_MS, type Parent } from "../../../src/engine/status/held-by-parents.ts";
import { applyParents } from "../../../src/engine/status/rules.ts";
import type { Behind, MonitorState } from "../../../src/engine/status/state.ts";
import { initialState } from "../../../src/engine/status/state.ts";
import type { Severity } from "../../../src/platform/monitor-defaults.ts";
import { MINUTE, SECOND, settings, timeline } from "./timeline.ts";

const DOWN: Behind = { by: 7, name: "Router", waitMs: null };
const FAILING: Behind = { by: 7, name: "Router", waitMs: 30 * SECOND };

/** A monitor behind others: `parents(...)` is what the look at them finds from then on, and takes it. */
function child() {
  const line = timeline();
  let behind: Behind | undefined;
  return {
    line,
    found(next: Behind | undefined) {
      behind = next;
      line.set(next ? { behind: next } : { behind: undefined as never });
    },
    look(ms = 0) {
      line.clockTo(line.now + ms);
      return line.take(applyParents(line.state, settings(behind ? { behind } : {}), line.now));
    },
    opened: () => line.count("outage_opened"),
    reported: () => line.count("notification"),
  };
}

describe("a monitor whose parent is down", () => {
  it("is down, and has no outage, and no one is notified, however long it fails", () => {
    const { line, found, opened, reported } = child();
    line.run([".."]);
    found(DOWN);
    line.run(["xxxxxx"]);
    expect([line.state.status, line.state.suppressed]).toEqual(["down", { by: 7, until: null }]);
    expect([opened(), reported()]).toEqual([0, 0]);
    expect(line.statuses()).toEqual(["unknown>up", "up>down", "down>down"]);
  });

  it("recovers without a word, and does not count as flapping", () => {
    const { line, found, reported } = child();
    found(DOWN);
    line.run(["..xx..xx..xx.."]);
    expect([line.state.status, line.state.suppressed, line.state.flapping]).toEqual(["up", null, null]);
    expect([reported(), line.count("outage_closed")]).toEqual([0, 0]);
  });

  it("needs a fresh confirmation once the parent is up, and then has been down since it was", () => {
    const { line, found, look, opened } = child();
    line.run([".."]);
    found(DOWN);
    line.run(["xxxx"]);
    const { since } = line.state;
    found(undefined);
    look(SECOND);
    expect([line.state.suppressed, line.state.status, opened()]).toEqual([null, "down", 0]);
    line.run(["x"]);
    expect(opened()).toBe(0);
    line.run(["x"]);
    expect(opened()).toBe(1);
    expect(line.state.outage).toEqual({ startedAt: since, detectedAt: line.now });
    expect(line.count("notification", "monitor.down")).toBe(1);
    line.run([".."]);
    expect(line.count("notification", "monitor.up")).toBe(1);
  });

  it("comes back without a word, confirmed, between the parent's recovery and its own confirmation", () => {
    const { line, found, look, opened, reported } = child();
    line.run([".."]);
    found(DOWN);
    line.run(["xx"]);
    found(undefined);
    look();
    line.run(["."]);
    expect(line.state.status).toBe("down");
    line.run(["."]);
    expect([line.state.status, opened(), reported()]).toEqual(["up", 0, 0]);
  });

  it("keeps an outage that was announced before", () => {
    const { line, found, opened } = child();
    line.run(["..xx"]);
    found(DOWN);
    line.run(["xx.."]);
    expect([opened(), line.count("outage_closed"), line.count("notification", "monitor.up")]).toEqual([
      1, 1, 1,
    ]);
  });

  it("is held back by another parent where that one is down by now", () => {
    const { line, found, look, opened } = child();
    found(DOWN);
    line.run(["..xx"]);
    found({ ...DOWN, by: 8 });
    look();
    line.run(["xx"]);
    expect([line.state.suppressed?.by, opened()]).toEqual([8, 0]);
  });

  it("is unknown, not held back, when its results stop", () => {
    const { line, found } = child();
    found(DOWN);
    line.run(["..xx"]);
    line.tick(10 * MINUTE);
    expect([line.state.status, line.state.suppressed]).toEqual(["unknown", null]);
  });
});

describe("a monitor whose parent fails, unconfirmed", () => {
  const waiting = () => {
    const world = child();
    world.line.run([".."]);
    world.found(FAILING);
    world.line.run(["xx"]);
    return world;
  };

  it("waits, and is held back when the parent is down", () => {
    const { line, found, look, opened, reported } = waiting();
    expect(line.state.suppressed).toEqual({ by: 7, until: line.now + 30 * SECOND });
    found(DOWN);
    look(5 * SECOND);
    expect([line.state.suppressed?.until, opened(), reported()]).toEqual([null, 0, 0]);
  });

  it("has its outage at once when the parent is well, or has not made up its mind in time", () => {
    for (const [ms, behind] of [
      [SECOND, undefined],
      [30 * SECOND, FAILING],
    ] as const) {
      const { line, found, look, opened } = waiting();
      const { since } = line.state;
      found(FAILING);
      look(SECOND / 2);
      expect(opened()).toBe(0);
      found(behind);
      look(ms);
      expect([opened(), line.state.outage?.startedAt, line.state.suppressed]).toEqual([1, since, null]);
    }
  });

  it("does not wait for a time that a wrong clock has set", () => {
    const { line, look, opened } = waiting();
    line.clockTo(line.now - 10 * MINUTE);
    look();
    expect(opened()).toBe(1);
  });
});

describe("what a parent says", () => {
  const parent = (state: Partial<MonitorState>): Parent => ({
    ...{ id: 7, name: "Router", severity: "high", state: { ...initialState(0), ...state } },
    ...{ intervalMs: 20 * SECOND, timeoutMs: 5 * SECOND, recheckDelayMs: 2 * SECOND },
  });
  const suspect = () => {
    const line = timeline();
    line.run(["..x"]);
    return line.state;
  };

  it.each([
    ["up", { status: "up" }, null],
    ["degraded", { status: "degraded" }, null],
    [
      "unknown, also while its outage is open",
      { status: "unknown", outage: { startedAt: 1, detectedAt: 1 } },
      null,
    ],
    ["down", { status: "down" }, DOWN],
    ["down behind another", { status: "down", suppressed: { by: 1, until: null } }, DOWN],
    ["failing for the first time", suspect(), { ...DOWN, waitMs: 27 * SECOND }],
  ] as const)("%s", (_, state, wanted) => {
    expect(behindOf([parent(state as Partial<MonitorState>)], "high")).toEqual(wanted);
  });

  it("waits a minute at most, and prefers one that is down", () => {
    expect(behindOf([{ ...parent(suspect()), intervalMs: 3_600_000 }], "low")?.waitMs).toBe(MAX_WAIT_MS);
    expect(behindOf([parent(suspect()), parent({ status: "down" })], "high")).toEqual(DOWN);
  });
});

it("is not held back by what is less severe", () => {
  const parent = (severity: Severity): Parent => ({
    ...{ id: 7, name: "Router", severity, state: { ...initialState(0), status: "down" as const } },
    ...{ intervalMs: 20 * SECOND, timeoutMs: 5 * SECOND, recheckDelayMs: 2 * SECOND },
  });
  expect(behindOf([parent("low")], "medium")).toBeNull();
  expect(behindOf([parent("low"), parent("critical")], "high")).not.toBeNull();
});

describe("whatever happens to a monitor and its parents", () => {
  const step = fc.oneof(
    fc.constantFrom("x", ".", "s").map((check) => ({ check })),
    fc.constantFrom(undefined, DOWN, FAILING).map((parents) => ({ parents })),
  );

  it("no alert is lost: with parents that are well, what fails on is announced; and each outage that opens closes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { line, found, look, opened } = child();
        for (const one of steps) {
          if ("check" in one) line.run([one.check]);
          else {
            found(one.parents);
            look(SECOND);
          }
          line.state = decodeState(encodeState(line.state));
          expect(line.state.suppressed === null || line.state.outage === null).toBe(true);
          expect(line.state.suppressed === null || line.state.status === "down").toBe(true);
        }
        found(undefined);
        look(SECOND);
        line.run(["xxx"]);
        expect([line.state.status, line.state.outage === null]).toEqual(["down", false]);
        line.run([".".repeat(14)]);
        expect(line.state.outage).toBeNull();
        expect(line.count("outage_closed")).toBe(opened());
      }),
    );
  });

  it("nothing is announced between a parent that goes down first and comes back last", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("x", "."), { maxLength: 40 }), (checks) => {
        const { line, found, look, opened, reported } = child();
        line.run([".."]);
        found(DOWN);
        line.run([`${checks.join("")}..`]);
        found(undefined);
        look();
        expect([line.state.status, opened(), reported()]).toEqual(["up", 0, 0]);
      }),
    );
  });
});
