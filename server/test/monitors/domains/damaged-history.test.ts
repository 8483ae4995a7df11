import { expect, onTestFinished, test } from "vitest";
import { runPacking } from "../../../src/engine/results/pack-results.ts";
import { makeResult } from "../../harness/results.ts";
import { startTestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { HOUR, makeDomain, makeLocation, NOW, observe } from "./factories.ts";

eachEngine("a domain's packed history", (engine) => {
  test("leaves out an hour that cannot be read, says so in the log, and shows all the rest", async () => {
    const server = await startTestServer({ engine, alone: true, clock: { now: () => NOW } });
    onTestFinished(server.close);
    const { store, log } = server.ctx;
    const locationId = await makeLocation(store, "local");
    const a = await makeDomain(server, { name: "a", url: "https://a.test" });
    const ages = [1, 5, 6, 7];
    await observe(
      store,
      ages.map((hours) => makeResult({ monitorId: a.id, locationId, scheduledAt: NOW - hours * HOUR })),
    );
    await runPacking({ store, log, clock: { now: () => NOW } });
    const at = (item: { timestamp: string }) => (NOW - Date.parse(item.timestamp)) / HOUR;
    const history = async () => {
      const { status, body } = await server.api("GET", `/api/domains/${a.id}/monitoring/history?range=24h`);
      expect(status).toBe(200);
      return body.data.map(at);
    };
    expect(await history()).toEqual(ages);
    const [, second] = await store.db
      .selectFrom("packs")
      .select(["hour_at", "data"])
      .orderBy("hour_at")
      .execute();
    const data = Uint8Array.from(second?.data ?? []).fill(0, 9);
    await store.db
      .updateTable("packs")
      .set({ data })
      .where("hour_at", "=", second?.hour_at ?? 0)
      .execute();
    expect(await history()).toEqual([1, 5, 7]);
    const { body } = await server.api("GET", `/api/domains/${a.id}/monitoring/locations?range=24h`);
    expect(body.data.local.map(at)).toEqual([1, 5, 7]);
    const said = "An hour of results cannot be read and is left out of the history";
    expect(server.problems.map(({ message }) => message)).toEqual([said, said]);
  });
});
