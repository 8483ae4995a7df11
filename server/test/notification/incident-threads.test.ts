import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";

const INCIDENTS = "/api/incidents";

eachEngine("what a channel is told of an incident", (engine) => {
  async function start() {
    const telling = await startTelling(engine);
    const { server } = telling;
    await telling.addChannel();
    const threads = async () => {
      const rows = await server.ctx.store.db
        .selectFrom("channel_threads")
        .select("closed_at as closedAt")
        .where("incident_id", "is not", null)
        .execute();
      return rows.map(({ closedAt }) => (closedAt === null ? "open" : "ended"));
    };
    return { ...telling, threads };
  }

  test.each(["by itself", "for a person", "with its monitor"])(
    "ends with the outage that people wrote of, which is over %s",
    async (how) => {
      const { server, addMonitor, checkOf, threads } = await start();
      const monitor = await addMonitor({ name: "Bank" });
      await checkOf(monitor, "ok", "ok", "failed", "failed");
      const [incident] = (await server.api("GET", INCIDENTS)).body.data;
      const path = `${INCIDENTS}/${incident.id}`;
      await server.api("POST", `${path}/updates`, { message: "We look into it." });
      expect(await threads()).toContain("open");
      if (how === "by itself") await checkOf(monitor, "ok", "ok", "ok");
      if (how === "for a person") await server.api("PUT", path, { status: "resolved" });
      if (how === "with its monitor") await server.api("DELETE", `/api/domains/${monitor}`);
      const { status } = (await server.api("GET", path)).body.data;
      expect([status, ...new Set(await threads())]).toEqual(["resolved", "ended"]);
    },
  );

  test("is its end alone where it was over when it was reported", async () => {
    const { server, deliver, received, threads } = await start();
    const past = { title: "Cards were refused", description: "For an hour.", status: "resolved" };
    await server.api("POST", INCIDENTS, past);
    await deliver();
    expect(received()).toMatchObject([
      { type: "incident.resolved", title: "Cards were refused: resolved", text: "For an hour." },
    ]);
    expect(await threads()).toEqual(["ended"]);
  });
});
