import { describe, expect, it } from "vitest";
import { staleAt } from "../../../src/engine/status/rules.ts";
import { aReason } from "../../harness/reasons.ts";
import { MINUTE, result, SECOND, settings, timeline } from "./timeline.ts";

describe("a monitor's status", () => {
  it("is up after the first success, because the user waits", () => {
    const line = timeline();
    line.run(["."]);
    expect(line.statuses()).toEqual(["unknown>up"]);
  });

  it("stays unknown after a first failure, and is down after the second", () => {
    const line = timeline();
    line.run(["x"]);
    expect(line.state.status).toBe("unknown");
    line.run(["x"]);
    expect(line.state.status).toBe("down");
  });

  it("stays up while a failure is not confirmed", () => {
    const line = timeline();
    line.run(["..x"]);
    expect(line.state.status).toBe("up");
    expect(line.count("outage_opened")).toBe(0);
  });

  it("is down since the first failure, and known to be since the confirmation", () => {
    const line = timeline();
    line.run([".x"]);
    const first = line.now;
    line.clockTo(first + 300);
    const events = line.apply(result(first + 200, "failed", "local", "Connection refused."));
    expect(events).toEqual([
      {
        type: "transition",
        from: "up",
        to: "down",
        at: first,
        since: first,
        detectedAt: first + 300,
        reason: aReason("refused", "Connection refused."),
        location: "local",
      },
      {
        type: "outage_opened",
        startedAt: first,
        detectedAt: first + 300,
        reason: aReason("refused", "Connection refused."),
      },
      {
        type: "notification",
        event: "monitor.down",
        at: first,
        reason: aReason("refused", "Connection refused."),
        outageAt: first,
      },
    ]);
  });

  it("is up since the first success, once that is confirmed", () => {
    const line = timeline();
    line.run([".xxx"]);
    const startedAt = line.state.since;
    line.run(["."]);
    const first = line.now;
    expect(line.state.status).toBe("down");
    expect(line.run(["."])).toEqual([
      expect.objectContaining({ type: "transition", from: "down", to: "up", at: first }),
      { type: "outage_closed", startedAt, at: first, detectedAt: first + MINUTE, cause: "recovered" },
      { type: "notification", event: "monitor.up", at: first, reason: null, outageAt: startedAt },
    ]);
  });

  it("is degraded while the newest answer is slow, and notifies only once it is confirmed", () => {
    const line = timeline();
    line.run(["..s"]);
    expect(line.state.status).toBe("degraded");
    expect(line.count("notification", "monitor.degraded")).toBe(0);
    line.run(["s"]);
    expect(line.count("notification", "monitor.degraded")).toBe(1);
    line.run(["ss."]);
    expect(line.state.status).toBe("up");
    expect(line.count("notification", "monitor.degraded")).toBe(1);
    expect(line.count("notification", "monitor.up")).toBe(1);
    expect(line.count("outage_opened")).toBe(0);
  });
});

describe("the quorum", () => {
  it.each([
    { locations: 1, failing: 1, status: "down" },
    { locations: 2, failing: 1, status: "degraded" },
    { locations: 2, failing: 2, status: "down" },
    { locations: 3, failing: 1, status: "degraded" },
    { locations: 3, failing: 2, status: "down" },
    { locations: 4, failing: 2, status: "degraded" },
    { locations: 4, failing: 3, status: "down" },
    { locations: 5, failing: 2, status: "degraded" },
    { locations: 5, failing: 3, status: "down" },
  ])("$failing of $locations failing is $status", ({ locations, failing, status }) => {
    const line = timeline();
    const names = Array.from({ length: locations }, (_, i) => `place-${i}`);
    line.run(...names.map((name, i): [string, string] => [i < failing ? "..xx" : "....", name]));
    expect(line.state.status).toBe(status);
    expect(line.count("outage_opened")).toBe(status === "down" ? 1 : 0);
  });

  it("names the location and its reason when it is not a majority", () => {
    const line = timeline();
    line.run(["..xx", "oslo"], ["....", "rome"]);
    const last = line.events.findLast((event) => event.type === "transition");
    expect(last).toMatchObject({
      to: "degraded",
      location: "oslo",
      reason: aReason("refused", "failed at oslo"),
    });
    expect(line.events.at(-1)).toMatchObject({
      event: "monitor.degraded",
      reason: {
        code: "watch.location",
        params: { location: "oslo" },
        because: aReason("refused", "failed at oslo"),
      },
    });
  });

  it("names no location where there is one", () => {
    const line = timeline();
    line.run(["..ss", "oslo"]);
    expect(line.events.at(-1)).toMatchObject({ event: "monitor.degraded" });
    expect(JSON.stringify(line.events.at(-1))).not.toContain("watch.location");
  });

  it("keeps an open outage open until more than half are up", () => {
    const line = timeline();
    line.run(["..xx", "a"], ["..xx", "b"]);
    line.run(["...", "a"], ["xxx", "b"]);
    expect(line.state.status).toBe("down");
    expect(line.count("outage_closed")).toBe(0);
    line.run(["..", "a"], ["..", "b"]);
    expect(line.state.status).toBe("up");
    expect(line.count("outage_closed")).toBe(1);
  });

  it("closes to degraded while a minority is still failing", () => {
    const line = timeline();
    line.run(["..xx", "a"], ["..xx", "b"], ["..xx", "c"]);
    line.run(["..", "a"], ["..", "b"], ["xx", "c"]);
    expect(line.state.status).toBe("degraded");
    expect(line.count("outage_closed")).toBe(1);
  });

  it("does not count locations whose vote has run out", () => {
    const line = timeline();
    line.run(["..", "a"], ["..", "b"], ["..", "c"]);
    line.run(["xxxxx", "a"]);
    expect(line.state.status).toBe("down");
  });

  it("starts the outage at the first failure of those that failed together", () => {
    const line = timeline();
    line.run(["..", "a"], ["..", "b"]);
    const first = line.now + MINUTE;
    line.clockTo(first + 400);
    for (const [ms, place] of [
      [0, "a"],
      [100, "b"],
      [200, "a"],
      [300, "b"],
    ] as const) {
      line.apply(result(first + ms, "failed", place));
    }
    expect(line.events.find((event) => event.type === "outage_opened")).toMatchObject({ startedAt: first });
  });

  it("does not date the outage back to a location that had been failing alone for long", () => {
    const line = timeline();
    line.run([`..${"x".repeat(30)}`, "a"], [".".repeat(32), "b"]);
    const before = line.now;
    line.run(["xx", "a"], ["xx", "b"]);
    expect(line.state.outage?.startedAt).toBe(before + MINUTE);
  });
});

describe("monitoring that stops", () => {
  it("makes the monitor unknown when no vote is fresh, never down, and says so once", () => {
    const line = timeline();
    line.run(["..x"]);
    const last = line.now;
    const until = last + 2 * MINUTE + 10 * SECOND;
    expect(staleAt(line.state, settings())).toBe(until);
    line.clockTo(until - 1);
    expect(line.tick()).toEqual([]);
    expect(line.tick(1)).toEqual([
      expect.objectContaining({ type: "transition", from: "up", to: "unknown", at: until }),
      expect.objectContaining({ type: "notification", event: "monitor.stopped", at: until }),
    ]);
    expect(line.tick(10 * MINUTE)).toEqual([]);
    expect(staleAt(line.state, settings())).toBeNull();
  });

  it("is announced as over once the monitor is up again, and not where an outage's end says it", () => {
    const line = timeline();
    line.run([".."]);
    line.tick(10 * MINUTE);
    line.run([".."]);
    expect(line.state.stopNotified).toBe(false);
    expect(line.events.findLast(({ type }) => type === "notification")).toMatchObject({
      event: "monitor.up",
      outageAt: null,
    });
    line.run(["xx"]);
    line.tick(10 * MINUTE);
    line.run([".."]);
    expect(line.count("notification", "monitor.up")).toBe(2);
    expect(line.count("notification")).toBe(5);
  });

  it("is not caused by probe faults counting as votes: they do not keep one fresh", () => {
    const line = timeline();
    line.run([".pppp"]);
    line.tick();
    expect(line.state.status).toBe("unknown");
  });

  it("puts the gap into the history even when the next result comes before anybody noticed", () => {
    const line = timeline();
    line.run([".."]);
    const last = line.now;
    line.clockTo(last + 60 * MINUTE);
    line.run(["."]);
    expect(line.statuses()).toEqual(["unknown>up", "up>unknown", "unknown>up"]);
    expect(line.events.at(-2)).toMatchObject({ to: "unknown", at: last + 2 * MINUTE + 10 * SECOND });
    expect(line.count("notification")).toBe(0);
  });

  it("leaves an open outage open, and only a confirmed recovery closes it", () => {
    const line = timeline();
    line.run([".xx"]);
    line.tick(60 * MINUTE);
    expect(line.state.status).toBe("unknown");
    expect(line.count("outage_closed")).toBe(0);
    line.run(["."]);
    expect(line.state.status).toBe("unknown");
    line.run(["."]);
    expect(line.state.status).toBe("up");
    expect([line.count("outage_opened"), line.count("outage_closed")]).toEqual([1, 1]);
  });

  it("is down again, in the same outage, once a location is found failing, however many are not", () => {
    const line = timeline();
    line.run([".xx", "a"], [".xx", "b"]);
    line.tick(60 * MINUTE);
    line.run(["xx", "a"], [".p", "b"]);
    expect(line.state.status).toBe("down");
    expect([line.count("outage_opened"), line.count("outage_closed")]).toEqual([1, 0]);
  });

  it("counts an outage from its start when it is found to be going on, and writes the gap into the history", () => {
    const line = timeline();
    line.run([".xx"]);
    const { startedAt } = line.state.outage ?? { startedAt: 0 };
    expect(line.state.since).toBe(startedAt);
    line.tick(60 * MINUTE);
    const stoppedAt = startedAt + 3 * MINUTE + 10 * SECOND;
    expect(line.state).toMatchObject({ status: "unknown", since: startedAt, historyAt: stoppedAt });
    expect(line.events.slice(-2)).toMatchObject([
      { type: "transition", to: "unknown", at: stoppedAt, since: startedAt },
      { type: "notification", event: "monitor.stopped", at: stoppedAt },
    ]);
    const found = line.now + MINUTE;
    line.run(["xx"]);
    expect(line.state).toMatchObject({ status: "down", since: startedAt });
    expect(line.events.findLast(({ type }) => type === "transition")).toMatchObject({
      from: "unknown",
      to: "down",
      at: found,
      since: startedAt,
    });
    expect(line.state.recentTransitions).toHaveLength(1);
  });

  it("counts an outage that comes again while flapping from when it came again", () => {
    const line = timeline();
    line.run([".xx..xx..xx"]);
    expect(line.state.flapping).not.toBeNull();
    expect(line.state.since).toBe(line.now - MINUTE);
  });

  it("forgets a location that is no longer used, and keeps the others", () => {
    const line = timeline();
    line.run(["..", "moved"], ["..", "stays"]);
    line.run([".".repeat(12), "stays"]);
    expect(Object.keys(line.state.locations)).toEqual(["stays"]);
    expect(line.statuses()).toEqual(["unknown>up"]);
  });

  it("opens no second outage when the monitor is found to be still down", () => {
    const line = timeline();
    line.run([".xx"]);
    line.tick(60 * MINUTE);
    line.run(["xx"]);
    expect(line.state.status).toBe("down");
    expect(line.count("outage_opened")).toBe(1);
  });
});
