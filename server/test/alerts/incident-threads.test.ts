import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";

const INCIDENTS = "/api/incidents";

eachEngine("the alert of an incident that people wrote about", (engine) => {
  async function start() {
    const telling = await startTelling(engine);
    const { server } = telling;
    await telling.addChannel();
    const states = async () =>
      (await server.ctx.store.db.selectFrom("alerts").select("state").execute()).map(({ state }) => state);
    return { ...telling, states };
  }

  test.each(["by itself", "by hand", "with its monitor"])(
    "is resolved with the outage, which is over %s",
    async (how) => {
      const { server, addMonitor, checkOf, deliver, received, states } = await start();
      const monitor = await addMonitor({ name: "Bank" });
      await checkOf(monitor, "ok", "ok", "failed", "failed");
      const [incident] = (await server.api("GET", INCIDENTS)).body.data;
      const path = `${INCIDENTS}/${incident.id}`;
      await server.api("POST", `${path}/updates`, { message: "We look into it." });
      await deliver();
      expect(received().map(({ type }) => type)).toEqual(["monitor.down", "incident.updated"]);
      expect(new Set(await states())).toEqual(new Set(["firing"]));
      if (how === "by itself") await checkOf(monitor, "ok", "ok", "ok");
      if (how === "by hand") await server.api("PUT", path, { status: "resolved" });
      if (how === "with its monitor") await server.api("DELETE", `/api/domains/${monitor}`);
      await deliver();
      const { status } = (await server.api("GET", path)).body.data;
      expect(status).toBe("resolved");
      // The monitor is still down where a person says that the incident is resolved.
      const isDown = how === "by hand";
      expect(new Set(await states())).toEqual(new Set(isDown ? ["firing", "resolved"] : ["resolved"]));
    },
  );

  test("is its end alone where it was over when it was reported", async () => {
    const { server, deliver, received, states } = await start();
    const past = { title: "Cards were refused", description: "For an hour.", status: "resolved" };
    await server.api("POST", INCIDENTS, past);
    await deliver();
    expect(received()).toMatchObject([
      { type: "incident.resolved", title: "Cards were refused: resolved", text: "For an hour." },
    ]);
    expect(await states()).toEqual(["resolved"]);
  });
});
