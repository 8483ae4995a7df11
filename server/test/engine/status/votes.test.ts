import { describe, expect, it } from "vitest";
import { MINUTE, result, SECOND, T0, timeline } from "./timeline.ts";

describe("a location's vote", () => {
  it.each([
    ["the first success is ok at once", ".", "ok"],
    ["one slow answer is ok", "s", "ok"],
    ["the first failure makes it suspect", "x", "suspect"],
    ["one failure after successes makes it suspect", "..x", "suspect"],
    ["two failures in a row make it failing", "..xx", "failing"],
    ["a success between two failures starts the count anew", "..x.x", "suspect"],
    ["a success after one failure is ok again", "..x.", "ok"],
    ["one success after failing is recovering", "xx.", "recovering"],
    ["two successes in a row after failing are ok", "xx..", "ok"],
    ["a failure while recovering is suspect, not failing at once", "xx.x", "suspect"],
    ["and the next success is recovering again", "xx.x.", "recovering"],
    ["and a second failure is failing", "xx.xx", "failing"],
    ["a probe's own fault is no vote", "..p", "ok"],
    ["a probe's own fault between two failures does not part them", ".xpx", "failing"],
  ])("%s", (_sentence, pattern, vote) => {
    const line = timeline();
    line.run([pattern]);
    expect(line.state.locations.local?.vote).toBe(vote);
  });

  it.each([1, 3, 10])("takes as many failures in a row as the monitor is set to: %i", (confirmations) => {
    const line = timeline({ confirmations });
    line.run([`.${"x".repeat(confirmations - 1)}`]);
    expect(line.state.status).toBe("up");
    line.run(["x"]);
    expect(line.state).toMatchObject({ status: "down", locations: { local: { vote: "failing" } } });
  });

  it.each([1, 3, 10])("takes as many successes in a row as the monitor is set to: %i", (recoveries) => {
    const line = timeline({ recoveries });
    line.run([`.xx${".".repeat(recoveries - 1)}`]);
    expect(line.state.status).toBe("down");
    line.run(["."]);
    expect(line.state.status).toBe("up");
  });

  it("starts its runs anew after a silence, so that old failures confirm nothing", () => {
    const line = timeline();
    line.run([".x"]);
    line.tick(60 * MINUTE);
    line.run(["x"]);
    expect(line.state).toMatchObject({
      status: "unknown",
      locations: { local: { vote: "suspect", failures: 1 } },
    });
  });
});

describe("rechecks", () => {
  const wanted = (line: ReturnType<typeof timeline>) =>
    line.events.filter((event) => event.type === "recheck").map(({ location }) => location);

  it("are requested there and at a second location after the first failure", () => {
    const line = timeline();
    line.run(["..", "a"], ["..", "b"]);
    line.run(["x", "a"], ["", "b"]);
    expect(wanted(line)).toEqual(["a", "b"]);
  });

  it("are requested there alone where no other location exists", () => {
    const line = timeline();
    line.run(["x"]);
    expect(wanted(line)).toEqual(["local"]);
  });

  it("are not requested after later failures, slow answers and probe faults", () => {
    const line = timeline();
    line.run([".xxxxp"]);
    line.run(["s", "other"]);
    expect(wanted(line)).toEqual(["local"]);
  });

  it("are requested after the first success of a recovery", () => {
    const line = timeline();
    line.run([".xxx."]);
    expect(wanted(line)).toEqual(["local", "local"]);
  });

  it("are pointless where one result is enough", () => {
    const line = timeline({ confirmations: 1, recoveries: 1 });
    line.run([".xx.."]);
    expect(wanted(line)).toEqual([]);
  });

  /** One result `afterMs` after the one before it. */
  const next = (
    line: ReturnType<typeof timeline>,
    afterMs: number,
    verdict: "ok" | "failed",
    location = "local",
  ) => {
    line.clockTo(line.now + afterMs);
    return line
      .apply(result(line.now, verdict, location))
      .flatMap((event) => (event.type === "recheck" ? [event.location] : []));
  };

  it("go on until as many failures are counted as the monitor is set to, and successes likewise", () => {
    const line = timeline({ confirmations: 5, recoveries: 4 });
    line.run(["."]);
    const first = line.now + MINUTE;
    expect(next(line, MINUTE, "failed")).toEqual(["local"]);
    for (let n = 2; n < 5; n += 1) expect(next(line, 2 * SECOND, "failed")).toEqual(["local"]);
    expect(line.state.status).toBe("up");
    expect(next(line, 2 * SECOND, "failed")).toEqual([]);
    expect(line.state).toMatchObject({ status: "down", since: first });
    expect(line.now - first).toBe(8 * SECOND);
    expect(next(line, MINUTE, "ok")).toEqual(["local"]);
    for (let n = 2; n < 4; n += 1) expect(next(line, 2 * SECOND, "ok")).toEqual(["local"]);
    expect(next(line, 2 * SECOND, "ok")).toEqual([]);
    expect(line.state.status).toBe("up");
  });

  it("are requested at every location in turn, so that a majority is found within seconds", () => {
    const line = timeline();
    line.run([".", "a"], [".", "b"], [".", "c"]);
    expect(next(line, 30 * SECOND, "failed", "a")).toEqual(["a", "b"]);
    expect(next(line, 50, "failed", "b")).toEqual(["b", "c"]);
    expect(next(line, 2 * SECOND, "failed", "a")).toEqual([]);
    expect(line.state.status).toBe("degraded");
    expect(next(line, 50, "failed", "b")).toEqual([]);
    expect(line.state.status).toBe("down");
  });

  it("begin anew at the next interval where the first ones found nothing", () => {
    const line = timeline({ confirmations: 3 });
    line.run(["."]);
    for (let n = 0; n < 3; n += 1) {
      expect(next(line, 56 * SECOND, "failed")).toEqual(["local"]);
      expect(next(line, 2 * SECOND, "failed")).toEqual(["local"]);
      expect(next(line, 2 * SECOND, "ok")).toEqual([]);
    }
    expect(line.state.status).toBe("up");
  });

  it("never loop at a target that answers every other time", () => {
    const line = timeline();
    line.run([".xx"]);
    const before = wanted(line).length;
    for (let i = 0; i < 100; i += 1) {
      line.clockTo(line.now + 10);
      line.apply(result(line.now, i % 2 === 0 ? "ok" : "failed"));
    }
    expect(wanted(line).length - before).toBe(1);
  });
});

describe("results out of order", () => {
  it("that are older than the location's newest never change anything", () => {
    const line = timeline();
    line.run(["...."]);
    const before = line.state;
    for (const ago of [SECOND, MINUTE, 2 * MINUTE]) {
      expect(line.apply(result(line.now - ago, "failed"))).toEqual([]);
    }
    expect(line.state).toBe(before);
  });

  it("that come again change nothing", () => {
    const line = timeline();
    line.run([".x"]);
    const before = line.state;
    expect(line.apply(result(line.now, "failed"))).toEqual([]);
    expect(line.state).toBe(before);
  });

  it("that are fresh in order but too old to say anything about now leave the status alone", () => {
    const line = timeline();
    line.run(["."]);
    const cutOff = line.now;
    line.tick(60 * MINUTE);
    for (let i = 1; i <= 10; i += 1) line.apply(result(cutOff + i * MINUTE, "failed"));
    expect(line.state.status).toBe("unknown");
    expect(line.count("outage_opened")).toBe(0);
  });
});

describe("a clock that is set back", () => {
  it("stops nothing: results go on to count", () => {
    const line = timeline();
    line.run(["..."]);
    line.clockTo(T0 - 24 * 60 * MINUTE);
    line.run(["xx"]);
    expect(line.state.status).toBe("down");
    expect(line.count("outage_opened")).toBe(1);
    line.run([".."]);
    expect(line.state.status).toBe("up");
  });

  it("never makes the history run backwards", () => {
    const line = timeline();
    line.run(["...xx.."]);
    line.clockTo(T0 - 60 * MINUTE);
    line.run(["xx..xx.."]);
    const times = line.events.filter((event) => event.type === "transition").map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("by a few seconds makes nothing stale and opens nothing", () => {
    const line = timeline();
    line.run(["..."]);
    line.clockTo(line.now - 5 * SECOND);
    line.tick();
    line.run(["..."]);
    expect(line.statuses()).toEqual(["unknown>up"]);
  });
});
