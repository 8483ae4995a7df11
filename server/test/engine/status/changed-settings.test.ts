import { describe, expect, it } from "vitest";
import { changeSettings } from "../../../src/engine/status/monitor-states.ts";
import { applyResult, applyTime, staleAt } from "../../../src/engine/status/rules.ts";
import { MINUTE, result, SECOND, settings, timeline } from "./timeline.ts";

const hourly = settings({ intervalMs: 60 * MINUTE });
const quick = settings({ intervalMs: 10 * SECOND, timeoutMs: 5 * SECOND });

describe("a monitor whose interval becomes shorter", () => {
  const changed = (pattern: string, afterMs: number) => {
    const line = timeline(hourly);
    line.run([pattern]);
    const now = line.now + afterMs;
    const change = { before: hourly, after: quick, targetRevision: null };
    return { now, before: line.state, state: changeSettings(line.state, change, now) };
  };

  it("has no gap in its history: what was fresh gets the time of the new interval", () => {
    const { now, before, state } = changed("..", 50 * MINUTE);
    expect(staleAt(state, quick)).toBe(now + 25 * SECOND);
    const next = applyResult(state, result(now + 10 * SECOND, "ok"), quick, now + 10 * SECOND);
    expect(next.events).toEqual([]);
    expect(next.state).toMatchObject({ status: "up", since: before.since });
  });

  it("stays down in the same outage, confirmed as it was", () => {
    const { now, before, state } = changed(".xx", 50 * MINUTE);
    const next = applyResult(state, result(now + SECOND, "failed"), quick, now + SECOND);
    expect(next.events).toEqual([]);
    expect(next.state).toMatchObject({ status: "down", since: before.since });
  });

  it("becomes unknown when no result arrives for the time of the new interval", () => {
    const { now, state } = changed("..", 50 * MINUTE);
    expect(applyTime(state, quick, now + 25 * SECOND).state).toMatchObject({
      status: "unknown",
      since: now + 25 * SECOND,
    });
  });

  it("never gets more time than it had under the longer one, nor back what had run out", () => {
    const late = changed("..", 120 * MINUTE);
    expect(staleAt(late.state, quick)).toBe(staleAt(late.before, hourly));
    const over = changed("..", 125 * MINUTE);
    expect(applyTime(over.state, quick, over.now).state.status).toBe("unknown");
  });
});

describe("a monitor that is given another target", () => {
  const change = { before: settings(), after: settings(), targetRevision: 7 };

  it("keeps its status, and takes no failure of the former one for half of a confirmation", () => {
    const line = timeline();
    line.run(["..x"]);
    const state = changeSettings(line.state, change, line.now);
    expect(state.status).toBe("up");
    const first = applyResult(
      state,
      { ...result(line.now + 1, "failed"), revision: 7 },
      settings(),
      line.now,
    );
    expect(first.state.status).toBe("up");
    expect(first.events).toEqual([{ type: "recheck", location: "local" }]);
    const second = applyResult(
      first.state,
      { ...result(line.now + 2, "failed"), revision: 7 },
      settings(),
      line.now,
    );
    expect(second.state).toMatchObject({ status: "down", since: line.now + 1 });
  });

  it("that was down needs a confirmed recovery of the new one", () => {
    const line = timeline();
    line.run([".xx."]);
    const state = changeSettings(line.state, change, line.now);
    const first = applyResult(state, result(line.now + 1, "ok"), settings(), line.now);
    expect(first.state.status).toBe("down");
    expect(applyResult(first.state, result(line.now + 2, "ok"), settings(), line.now).state).toMatchObject({
      status: "up",
      since: line.now + 1,
    });
  });

  it("takes no more of the former one, whenever those results come in", () => {
    const line = timeline();
    line.run([".."]);
    const state = changeSettings(line.state, change, line.now);
    for (const at of [line.now + 1, line.now + MINUTE]) {
      const former = { ...result(at, "failed"), revision: 6 };
      expect(applyResult(state, former, settings(), at)).toEqual({ state, events: [] });
    }
  });
});
