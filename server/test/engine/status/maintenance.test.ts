import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uptimePercentage } from "../../../src/engine/status/uptime.ts";
import { MINUTE, timeline } from "./timeline.ts";

describe("a maintenance window", () => {
  it("goes on watching, but opens no outage and announces nothing", () => {
    const line = timeline();
    line.run([".."]);
    line.set({ maintenance: true });
    line.run(["xxx"]);
    expect(line.state.status).toBe("down");
    expect(line.count("outage_opened") + line.count("notification")).toBe(0);
  });

  it("leaves an edge in the history where it begins and where it ends", () => {
    const line = timeline();
    line.run([".."]);
    line.set({ maintenance: true });
    line.run([".."]);
    line.set({ maintenance: false });
    line.run(["."]);
    expect(line.statuses()).toEqual(["unknown>up", "up>up", "up>up"]);
  });

  it("does not change since when the status is what it is", () => {
    const line = timeline();
    line.run([".."]);
    const { since } = line.state;
    line.set({ maintenance: true });
    line.run([".."]);
    line.set({ maintenance: false });
    line.run(["."]);
    expect(line.state.since).toBe(since);
  });

  it("needs a fresh confirmation afterwards before anything is an outage", () => {
    const line = timeline();
    line.run([".."]);
    line.set({ maintenance: true });
    line.run(["xxxx"]);
    line.set({ maintenance: false });
    line.run(["x"]);
    expect(line.state.status).toBe("unknown");
    expect(line.count("outage_opened")).toBe(0);
    line.run(["x"]);
    expect(line.state.status).toBe("down");
    expect(line.count("outage_opened")).toBe(1);
    expect(line.state.outage?.startedAt).toBe(line.now - MINUTE);
  });

  it("is over without a word when the monitor works afterwards", () => {
    const line = timeline();
    line.run([".."]);
    line.set({ maintenance: true });
    line.run(["xxxx"]);
    line.set({ maintenance: false });
    line.run(["."]);
    expect(line.state.status).toBe("up");
    expect(line.count("notification")).toBe(0);
  });

  it("still announces the end of an outage that was announced before it", () => {
    const line = timeline();
    line.run([".xx"]);
    line.set({ maintenance: true });
    line.run([".."]);
    expect(line.count("outage_closed")).toBe(1);
    expect(line.count("notification", "monitor.up")).toBe(1);
  });

  it("still announces the end of what was announced as degraded", () => {
    const line = timeline();
    line.run([".sss"]);
    line.set({ maintenance: true });
    line.run([".."]);
    expect(line.count("notification", "monitor.up")).toBe(1);
  });

  it("never counts towards flapping", () => {
    const line = timeline({ maintenance: true });
    line.run([".xx..xx..xx..xx.."]);
    expect(line.state.flapping).toBeNull();
  });

  it("is left out of uptime", () => {
    const up = { at: 0, status: "up" as const, maintenance: false };
    const history = [
      up,
      { at: 100, status: "up" as const, maintenance: true },
      { at: 110, status: "down" as const, maintenance: true },
      { at: 200, status: "up" as const, maintenance: false },
    ];
    expect(uptimePercentage(history, 0, 300)).toBe(100);
  });

  /** Any course of checks, with windows that begin (`[`) and end (`]`) wherever they like. */
  const courses = fc.array(fc.constantFrom(".", "x", "s", "[", "]"), { maxLength: 60 });
  const play = (course: readonly string[]) => {
    const line = timeline();
    let isOpen = false;
    for (const one of course) {
      if (one === "[" || one === "]") {
        isOpen = one === "[";
        line.set({ maintenance: isOpen });
        continue;
      }
      const outage = line.state.outage?.startedAt ?? null;
      for (const event of line.run([one])) {
        if (!isOpen) continue;
        expect(event.type).not.toBe("outage_opened");
        // The one thing that is told: that what people were told of before is over.
        if (event.type !== "notification") continue;
        expect(["monitor.up", "monitor.settled"]).toContain(event.event);
        expect(event.outageAt).toBe(outage);
      }
    }
    return line;
  };

  it("never pages, whatever happens in it", () => {
    fc.assert(fc.property(courses, (course) => void play(course)));
  });

  it("never swallows an outage that lasts past it", () => {
    const property = fc.property(courses, (course) => {
      const line = play([...course, "["]);
      line.run(["xx"]);
      line.set({ maintenance: false });
      line.run(["xxx"]);
      expect(line.state.status).toBe("down");
      expect(line.state.outage).not.toBeNull();
    });
    fc.assert(property);
  });
});
