import { describe, expect, it } from "vitest";
import { pauseState, resumeState } from "../../../src/engine/status/pause.ts";
import { applyResult, staleAt } from "../../../src/engine/status/rules.ts";
import { MINUTE, result, settings, timeline } from "./timeline.ts";

describe("a resumed monitor", () => {
  const resumed = () => {
    const line = timeline();
    line.run([".xx"]);
    const at = line.now + 10 * MINUTE;
    return { at, state: resumeState(pauseState(line.state, line.now, "paused").state, 8, at) };
  };

  it("takes its first check also from a replica whose clock is a little behind", () => {
    const { at, state } = resumed();
    const first = { ...result(at - 3_000, "ok"), revision: 8 };
    expect(applyResult(state, first, settings(), at).state.status).toBe("up");
  });

  it("takes nothing of the time before, from a replica whose clock is ahead or at any later time", () => {
    const { at, state } = resumed();
    for (const time of [at - 1, at + 3_000, at + 60 * MINUTE]) {
      const former = { ...result(time, "failed"), revision: 7 };
      expect(applyResult(state, former, settings(), time)).toEqual({ state, events: [] });
    }
  });
});

describe("a paused monitor", () => {
  it("is unknown from then on, with no notification", () => {
    const line = timeline();
    line.run([".."]);
    const { state, events } = pauseState(line.state, line.now + 5, "paused");
    expect(events).toEqual([
      expect.objectContaining({
        type: "transition",
        from: "up",
        to: "unknown",
        at: line.now + 5,
        reason: { code: "watch.paused" },
      }),
    ]);
    expect(staleAt(state, settings())).toBeNull();
  });

  it("closes its open outage as ended, not as recovered", () => {
    const line = timeline();
    line.run([".xx"]);
    const { state, events } = pauseState(line.state, line.now, "paused");
    expect(events.at(-2)).toMatchObject({ type: "outage_closed", cause: "ended" });
    expect(state.outage).toBeNull();
  });

  it("says of an announced problem that its end will not be observed", () => {
    const degraded = timeline();
    degraded.run([".sss"]);
    const stopped = timeline();
    stopped.run([".."]);
    stopped.tick(10 * MINUTE);
    for (const { state, now } of [degraded, stopped]) {
      const ended = { type: "watch_ended", at: now, reason: { code: "watch.paused" } };
      expect(pauseState(state, now, "paused").events.at(-1)).toEqual(ended);
    }
  });

  it("has been unknown since watching stopped, when its outage ends with the pause", () => {
    const line = timeline();
    line.run([".xx"]);
    line.tick(60 * MINUTE);
    const stoppedAt = line.state.historyAt;
    const { state } = pauseState(line.state, line.now, "paused");
    expect(stoppedAt).toBeGreaterThan(line.state.since);
    expect(state).toMatchObject({ since: stoppedAt, outage: null });
  });

  it("says nothing when it was unknown already", () => {
    const line = timeline();
    expect(pauseState(line.state, line.now, "paused").events).toEqual([]);
  });

  it("is not brought back by checks that were still under way", () => {
    const line = timeline();
    line.run([".."]);
    const { state } = pauseState(line.state, line.now, "paused");
    const late = result(line.now + MINUTE, "failed");
    expect(applyResult(state, late, settings(), line.now + MINUTE)).toEqual({ state, events: [] });
  });

  it("starts over when resumed: earlier results do not vote, the next success makes it up", () => {
    const line = timeline();
    line.run([".xx"]);
    const at = line.now + 10 * MINUTE;
    const state = resumeState(pauseState(line.state, line.now, "paused").state, 3, at);
    expect(applyResult(state, result(at - 1, "failed"), settings(), at).state).toBe(state);
    expect(applyResult(state, result(at + 1, "ok"), settings(), at + 1).state.status).toBe("up");
  });
});
