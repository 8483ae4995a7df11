import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, makeLocation, serve } from "./factories.ts";

eachEngine("what may be set of domains", (engine) => {
  test("are the plan's limits, how many of them are used, and the locations to check from", async () => {
    const server = await serve({ engine, alone: true, plan: "pro" });
    await makeLocation(server.ctx.store, "local");
    await makeDomain(server, { name: "one" });
    const gone = await makeDomain(server, { name: "two" });
    await server.api("DELETE", `/api/domains/${gone.id}`);
    const { status, body } = await server.api("GET", "/api/domains/limits");
    expect([status, body.data]).toEqual([
      200,
      {
        plan: "pro",
        monitors: 100,
        monitorsUsed: 1,
        minCheckInterval: 60,
        locationsPerMonitor: 3,
        locations: [{ code: "local", name: expect.any(String) }],
      },
    ]);
  });

  test("are null where the plan sets none, and the same in v2", async () => {
    const server = await serve({ engine, alone: true });
    const { body } = await server.api("GET", "/v2/domains/limits");
    expect(body.data).toEqual({
      plan: "expert",
      monitors: null,
      monitors_used: 0,
      min_check_interval: 10,
      locations_per_monitor: null,
      locations: [],
    });
  });

  test("an empty list of locations, as it is read, can be sent back", async () => {
    const server = await serve({ engine });
    await makeLocation(server.ctx.store, "local");
    const { id } = await makeDomain(server, { locations: ["local"] });
    const { status, body } = await server.api("PUT", `/api/domains/${id}`, { locations: [] });
    expect([status, body.data.locations]).toEqual([200, []]);
  });
});
