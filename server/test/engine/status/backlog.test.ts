import { describe, expect, it } from "vitest";
import { MINUTE, result, timeline } from "./timeline.ts";

/**
 * The store is away for as many intervals as the pattern has letters; then it gets the results of that
 * time, oldest first, all at once.
 */
function catchUp(line: ReturnType<typeof timeline>, pattern: string) {
  const since = line.now;
  line.clockTo(since + pattern.length * MINUTE);
  return [...pattern].flatMap((letter, i) =>
    line.apply(result(since + (i + 1) * MINUTE, letter === "x" ? "failed" : "ok")),
  );
}

describe("results that were held back while the store was away", () => {
  it("are no silence: a monitor that was up all the while has been up all the while", () => {
    const line = timeline();
    line.run(["..."]);
    expect(catchUp(line, ".".repeat(30))).toEqual([]);
    expect(line.state.status).toBe("up");
  });

  it("neither end an outage that goes on, nor open another, nor notify anybody", () => {
    const line = timeline();
    line.run([".xx"]);
    const { since } = line.state;
    expect(catchUp(line, "x".repeat(30))).toEqual([]);
    expect(line.state).toMatchObject({ status: "down", since });
  });

  it("end an outage when the recovery among them is confirmed", () => {
    const line = timeline();
    line.run([".xx"]);
    const before = line.now;
    const closed = catchUp(line, `${"x".repeat(28)}..`).find(({ type }) => type === "outage_closed");
    expect(closed).toMatchObject({ at: before + 29 * MINUTE, detectedAt: before + 30 * MINUTE });
    expect(line.statuses().slice(1)).toEqual(["up>down", "down>up"]);
  });

  it("open an outage at the first failure of those that still go on", () => {
    const line = timeline();
    line.run(["..."]);
    const before = line.now;
    const opened = catchUp(line, `${".".repeat(10)}${"x".repeat(20)}`).find(
      ({ type }) => type === "outage_opened",
    );
    expect(opened).toMatchObject({ startedAt: before + 11 * MINUTE, detectedAt: before + 30 * MINUTE });
  });

  it("request no check at once where the failure, or the first success, is long past", () => {
    const line = timeline();
    line.run(["..."]);
    expect(catchUp(line, `x${".".repeat(30)}`)).toEqual([]);
    line.run(["xx"]);
    const events = catchUp(line, `.${"x".repeat(30)}`);
    expect(events.filter(({ type }) => type === "recheck")).toEqual([]);
  });

  it("do not prolong flapping by a failure that is long past", () => {
    const line = timeline();
    line.run([".xx..xx.."]);
    expect(line.state.flapping).not.toBeNull();
    catchUp(line, `x${".".repeat(11)}`);
    expect(line.state).toMatchObject({ status: "up", flapping: null, outage: null });
  });

  it("leave it to the passing of time when none of them is of today", () => {
    const line = timeline();
    line.run(["..."]);
    const last = line.now + MINUTE;
    line.clockTo(line.now + 60 * MINUTE);
    expect(line.apply(result(last, "failed"))).toEqual([]);
    expect(line.tick()).toMatchObject([
      { type: "transition", from: "up", to: "unknown", at: last + 130_000 },
      { type: "notification", event: "monitor.stopped" },
    ]);
  });
});
