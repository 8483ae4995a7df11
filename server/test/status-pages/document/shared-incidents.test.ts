import { expect, test } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { failed } from "../../app/pipeline/setup.ts";
import { eachEngine } from "../../harness/stores.ts";
import { addMonitor, serverOn } from "../../incidents/setup.ts";
import { componentRow, makePage, publicOf } from "../factories.ts";

eachEngine("an incident that a page shares with what it does not show", (engine) => {
  test("never reveals its name, whatever people change of it or take out of it", async () => {
    const server = await serverOn(engine);
    const { organization } = server.person;
    const secret = await addMonitor(server, server.person, "db-01.secret.internal");
    const shop = await addMonitor(server, server.person, "b");
    const now = server.ctx.clock.now();
    const at = { address: "192.0.2.1" };
    await ingestBatch(server.ctx, [failed(secret, now - 9000, at), failed(secret, now - 8000, at)]);
    await ingestBatch(server.ctx, [failed(shop, now - 7000, at), failed(shop, now - 6000, at)]);
    const page = await makePage(server);
    const component = componentRow(page, organization.id, shop, { display_name: "Shop" });
    await insertMany(server.ctx.store.db, "status_page_components", [component]);
    const titles = async () =>
      (await publicOf(server, page.slug)).incidents.map((each: { title: string }) => each.title);
    const change = async (method: "PUT" | "POST", path: string, body: object) => {
      const { status } = await server.api(method, `/api/incidents/${path}`, body);
      expect(status).toBe(200);
      return titles();
    };
    const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
    expect(await titles()).toEqual(["Shop is not available"]);
    expect(await change("PUT", `${id}`, { description: "Ticket 4711" })).toEqual(["Shop is not available"]);
    expect(await change("POST", `${id}/split`, { monitorId: secret })).toEqual(["Shop is not available"]);
    expect(await change("PUT", `${id}`, { title: "Orders fail" })).toEqual(["Orders fail"]);
  });
});
