import { expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { createActiveWindows } from "../../../src/monitors/maintenance/active-windows.ts";
import { type FollowedWindows, followWindows } from "../../../src/monitors/maintenance/apply-window.ts";
import { failed, MINUTE, probed, T0 } from "../../app/pipeline/setup.ts";
import { startTestServer } from "../../harness/server.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { addMonitor } from "../setup.ts";

/** Until the answer of a check is there. */
const TOOK_MS = 2;

interface Change {
  to: string;
}

/** A monitor that is checked every minute, under windows that are followed when the test says so. */
async function start(engine: EngineName) {
  const clock = { ms: T0, now: () => clock.ms };
  let checkedAt = T0;
  let followed: FollowedWindows | undefined;
  const server = await startTestServer({
    engine,
    clock,
    alone: true,
    startEngine: async (ctx) => {
      ctx.windows = createActiveWindows(ctx);
      followed = followWindows(ctx, ctx.windows, () => {});
      return { ...ctx.engine, stop: async () => {} };
    },
  });
  onTestFinished(server.close);
  const id = await addMonitor(server, server.person, "Shop");
  return {
    /** A check a minute, `x` fails; windows are looked at before each. */
    async run(checks: string) {
      for (const check of checks) {
        checkedAt += MINUTE;
        clock.ms = checkedAt;
        await followed?.look();
        clock.ms += TOOK_MS;
        await ingestBatch(server.ctx, [(check === "x" ? failed : probed)(id, checkedAt)]);
      }
    },
    async mute(seconds: number) {
      const planned = await server.api("POST", "/api/maintenance", { duration: seconds, monitorIds: [id] });
      expect(planned.status).toBe(201);
      followed?.changed();
      await followed?.look();
    },
    async affected() {
      const { data } = (await server.api("GET", "/api/incidents")).body;
      const one = (await server.api("GET", `/api/incidents/${data[0].id}`)).body.data;
      expect(one.affected).toEqual(data[0].affected);
      return one.affected;
    },
    async explain(query = "") {
      const { data } = (await server.api("GET", "/api/incidents")).body;
      expect(data).toHaveLength(1);
      const { body } = await server.api("GET", `/api/incidents/${data[0].id}/explain${query}`);
      return body.data.outages;
    },
  };
}

eachEngine("the explanation of an outage by which there was maintenance", (engine) => {
  it("begins with the first failure after the window, which had failures of its own", async () => {
    const { run, mute, explain } = await start(engine);
    await run(".....");
    await mute(210);
    await run("xxx");
    await run("xx..");
    const [outage, ...others] = await explain("?confirmations=3");
    expect(others).toEqual([]);
    expect(outage).toMatchObject({ isReproduced: true, notes: [], startedAt: "2026-11-21T09:09:00.000Z" });
    const down = outage.transitions.find(({ to }: Change) => to === "down");
    expect(down).toMatchObject({
      from: "unknown",
      message:
        "Down: 2 failures in a row at the Vedette server, 2 needed. First failure 2026-11-21 09:09:00 UTC. The connection was refused.",
      results: [{ at: "2026-11-21T09:09:00.000Z" }, { at: "2026-11-21T09:10:00.000Z" }],
    });
    expect(outage.whatIf.alarms).toBe(1);
  });

  it("goes on through a window that opens and ends while it is down", async () => {
    const { run, mute, explain } = await start(engine);
    await run(".....xx");
    await mute(150);
    await run("xxxxxx..");
    const [outage] = await explain("?recoveries=1");
    expect(outage).toMatchObject({ isReproduced: true, notes: [], startedAt: "2026-11-21T09:06:00.000Z" });
    expect(outage.transitions.map(({ to }: Change) => to)).toEqual(["down", "down", "down", "up"]);
    expect(outage.whatIf.alarms).toBe(1);
  });

  it("says that there is maintenance now, as does the incident, and no longer once that is over", async () => {
    const { run, mute, explain, affected } = await start(engine);
    await run(".....xx");
    expect([(await explain())[0], ...(await affected())]).toMatchObject([
      { maintenanceUntil: null, notes: [] },
      { maintenanceUntil: null },
    ]);
    await mute(150);
    const until = "2026-11-21T09:09:30.002Z";
    expect((await explain())[0]).toMatchObject({
      maintenanceUntil: until,
      notes: [
        {
          message:
            "It is in maintenance until 2026-11-21 09:09:30 UTC: it is still checked, but no notifications are sent.",
        },
      ],
    });
    expect(await affected()).toMatchObject([{ name: "Shop", maintenanceUntil: until }]);
    await run("xxx");
    expect([(await explain())[0], ...(await affected())]).toMatchObject([
      { maintenanceUntil: null, notes: [] },
      { maintenanceUntil: null },
    ]);
  });

  it("says of an outage that ended within a window what it says of others", async () => {
    const { run, mute, explain } = await start(engine);
    await run(".....xx");
    await mute(600);
    await run("xx....");
    const [outage] = await explain();
    expect(outage).toMatchObject({ isReproduced: true, notes: [], endedAt: "2026-11-21T09:10:00.000Z" });
    expect(outage.transitions.at(-1)).toMatchObject({
      to: "up",
      message:
        "Up again: 2 successes in a row at the Vedette server, 2 needed. First success 2026-11-21 09:10:00 UTC.",
    });
  });
});
