import { describe, expect, it } from "vitest";
import { pauseState, resumeState } from "../../src/status/pause.ts";
import { applyResult, staleAt } from "../../src/status/rules.ts";
import { MINUTE, result, settings, timeline } from "./timeline.ts";

describe("a paused monitor", () => {
  it("is unknown from then on, with no notice", () => {
    const line = timeline();
    line.run([".."]);
    const { state, events } = pauseState(line.state, line.now + 5, "paused");
    expect(events).toEqual([
      expect.objectContaining({
        type: "transition",
        from: "up",
        to: "unknown",
        at: line.now + 5,
        reason: "paused",
      }),
    ]);
    expect(staleAt(state, settings())).toBeNull();
  });

  it("closes its open outage as ended, not as recovered", () => {
    const line = timeline();
    line.run([".xx"]);
    const { state, events } = pauseState(line.state, line.now, "paused");
    expect(events.at(-1)).toMatchObject({ type: "outage_closed", cause: "ended" });
    expect(state.outage).toBeNull();
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
    const state = resumeState(pauseState(line.state, line.now, "paused").state, at);
    expect(applyResult(state, result(at - 1, "failed"), settings(), at).state).toBe(state);
    expect(applyResult(state, result(at + 1, "ok"), settings(), at + 1).state.status).toBe("up");
  });
});
