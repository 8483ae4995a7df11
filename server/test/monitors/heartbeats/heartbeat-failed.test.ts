import { expect, it } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { GRACE, INTERVAL, serverWithHeartbeat } from "./heartbeat-setup.ts";

const HOUR = 3_600_000;
type On = Awaited<ReturnType<typeof serverWithHeartbeat>>;

const shown = async (on: On) => (await on.server.api("GET", `/api/services/${on.id}`)).body.data;
const reason = async (on: On) => (await shown(on)).lastReason;
const later = (on: On, ms: number) => void (on.clock.ms += ms);

/** What a job says when it fails at T0, and how its reason begins as long as nothing else comes. */
const FAILURES = [
  ["/3", "The job ended with exit code 3 at 2026-11-21 09:00:00 UTC"],
  ["/fail", "The job reported at 2026-11-21 09:00:00 UTC that it failed"],
] as const;

eachEngine("a job that failed and then went silent", (engine) => {
  it.each(FAILURES)("and had said %s, is down for both until it says otherwise", async (path, said) => {
    const on = await serverWithHeartbeat(engine);
    const expected = "one is expected every 5 minutes, with 1 minute of grace.";
    await on.say(path);
    later(on, GRACE);
    for (const missed of [1, 2, 3]) {
      later(on, INTERVAL);
      expect([missed, await on.look(), await on.state(), await reason(on)]).toEqual([
        ...[missed, 1, "down", `${said}; no heartbeat since: ${expected}`],
      ]);
    }
    expect((await shown(on)).heartbeat.lastAt).toBe("2026-11-21T09:00:00.000Z");
    later(on, 1_000);
    await on.say("");
    later(on, INTERVAL + GRACE);
    expect([await on.look(), await reason(on)]).toEqual([
      ...[1, `No heartbeat since 2026-11-21 09:16:01 UTC: ${expected}`],
    ]);
  });

  it("is reported with both, where one failure is not enough", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.server.api("PUT", `/api/services/${on.id}`, { confirmations: 2 });
    await on.say("/3");
    later(on, INTERVAL + GRACE);
    expect([await on.notifications(), await on.look(), await on.state()]).toEqual([[], 1, "down"]);
    const { db } = on.ctx.store;
    const notifications = await db.selectFrom("notifications").select("message").execute();
    expect(notifications.map(({ message }) => message)).toEqual([
      expect.stringContaining("exit code 3 at 2026-11-21 09:00:00 UTC; no heartbeat since: one is expected"),
    ]);
  });

  it("and was paused meanwhile is not down for its failure any more", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/3");
    later(on, INTERVAL + GRACE);
    await on.look();
    for (const enabled of [false, true]) await on.server.api("PUT", `/api/services/${on.id}`, { enabled });
    later(on, INTERVAL + GRACE);
    expect([await on.look(), await reason(on)]).toEqual([
      1,
      "No heartbeat came in time: one is expected every 5 minutes, with 1 minute of grace.",
    ]);
  });

  it.each(FAILURES)(
    "and had said %s, says so beside the run of its cron expression that did not come",
    async (path, said) => {
      const on = await serverWithHeartbeat(engine, { cron: "0 3 * * *", timeZone: "Europe/Berlin" });
      await on.say(path);
      // 03:00 in Berlin is 02:00 UTC.
      later(on, 17 * HOUR + GRACE);
      for (const day of ["2026-11-22", "2026-11-23"]) {
        expect([await on.look(), await reason(on)]).toEqual([
          ...[
            1,
            `${said}; no heartbeat since: a run was due at ${day} 02:00:00 UTC, with 1 minute of grace.`,
          ],
        ]);
        later(on, 24 * HOUR);
      }
    },
  );
});
