import { describe, expect, it } from "vitest";
import { MINUTE, timeline } from "./timeline.ts";

/** Four confirmed transitions in eight intervals. */
const FLAPS = ".xx..xx..";

describe("flapping", () => {
  it("starts with the fourth confirmed transition within ten intervals, and notifies once", () => {
    const line = timeline();
    line.run([".xx..xx."]);
    expect(line.state.flapping).toBeNull();
    line.run(["."]);
    expect(line.state.flapping).not.toBeNull();
    line.run(["xx..xx..xx.."]);
    expect(line.count("notification", "monitor.flapping")).toBe(1);
  });

  it("is not four transitions spread over more than ten intervals", () => {
    const line = timeline();
    line.run([".xx.......xx.......xx......xx......"]);
    expect(line.count("notification", "monitor.flapping")).toBe(0);
    expect(line.count("outage_opened")).toBe(4);
    expect(line.count("outage_closed")).toBe(4);
  });

  it("is not caused by failures that were never confirmed", () => {
    const line = timeline();
    line.run([".x.x.x.x.x.x.x.x.x.x."]);
    expect(line.statuses()).toEqual(["unknown>up"]);
  });

  it("holds one outage open, whatever the status does meanwhile, and notifies no more", () => {
    const line = timeline();
    line.run([FLAPS]);
    const open = line.count("outage_opened") - line.count("outage_closed");
    const reported = line.count("notification");
    expect(open).toBe(1);
    line.run(["xx..xx..xx..xx.."]);
    expect(line.count("outage_opened") - line.count("outage_closed")).toBe(1);
    expect(line.count("outage_opened")).toBe(2);
    expect(line.count("notification")).toBe(reported);
    expect(line.state.status).toBe("up");
  });

  it("ends after ten stable intervals, and only then closes the outage and says so", () => {
    const line = timeline();
    line.run([FLAPS]);
    line.run([".".repeat(9)]);
    expect(line.state.outage).not.toBeNull();
    const events = line.run(["."]);
    expect(events.map((event) => event.type)).toEqual(["outage_closed", "notification"]);
    expect(events[1]).toMatchObject({ event: "monitor.settled" });
    expect(line.state).toMatchObject({ outage: null, flapping: null, status: "up" });
  });

  it("begins its ten stable intervals anew with every failure", () => {
    const line = timeline();
    line.run([FLAPS, undefined]);
    line.run([`${".".repeat(8)}x${".".repeat(9)}`]);
    expect(line.state.outage).not.toBeNull();
    line.run(["."]);
    expect(line.state.outage).toBeNull();
  });

  it("ends as a plain outage when the monitor stays down", () => {
    const line = timeline();
    line.run([FLAPS]);
    line.run(["x".repeat(14)]);
    expect(line.count("notification", "monitor.settled")).toBe(1);
    expect(line.state).toMatchObject({ flapping: null, status: "down" });
    expect(line.state.since).toBe(line.state.outage?.startedAt);
    line.run([".."]);
    expect(line.count("outage_opened")).toBe(line.count("outage_closed"));
  });

  it("is released when time passes, also at a clock that was set back in between", () => {
    const line = timeline();
    line.run([FLAPS]);
    line.clockTo(line.now - 60 * MINUTE);
    line.run([".".repeat(11)]);
    expect(line.state).toMatchObject({ flapping: null, outage: null, status: "up" });
  });

  it("may begin again, and then notifies again", () => {
    const line = timeline();
    line.run([`${FLAPS}${".".repeat(11)}xx..xx..`]);
    expect(line.count("notification", "monitor.flapping")).toBe(2);
  });
});
