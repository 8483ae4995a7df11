import { expect, it } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { followParents } from "../../src/monitors/find-members.ts";
import { saveParents } from "../../src/monitors/queries/monitor-changes.ts";
import { failed } from "../app/pipeline/setup.ts";
import { eachEngine } from "../harness/stores.ts";
import { addMonitor, outage, recovery, serverOn } from "./setup.ts";

eachEngine("what is down behind another", (engine) => {
  it("is named by the parent's incident, and names the parent, in both families", async () => {
    const server = await serverOn(engine);
    const one = async (id: number) => (await server.api("GET", `/api/domains/${id}`)).body.data;
    const router = await outage(server, server.person, "router");
    const { uuid } = await one(router);
    const ids = [
      await addMonitor(server, server.person, "b c"),
      await addMonitor(server, server.person, "d"),
    ];
    const [shop = 0, inner = 0] = ids;
    await saveParents(server.ctx.store.db, shop, [router]);
    await saveParents(server.ctx.store.db, inner, [shop]);
    const now = server.ctx.clock.now();
    for (const id of ids) await ingestBatch(server.ctx, [failed(id, now - 2_000), failed(id, now - 1_000)]);
    expect(await one(shop)).toMatchObject({
      ...{ status: "down", suppressedBy: { id: router, uuid, kind: "domain", name: "router" } },
    });
    const listed = (await server.api("GET", "/v2/domains")).body.data;
    const suppressors = Object.fromEntries(
      listed.map((domain: { name: string; suppressed_by: { name: string } | null }) => [
        ...[domain.name, domain.suppressed_by?.name ?? null],
      ]),
    );
    expect(suppressors).toEqual({ router: null, "b c": "router", d: "b c" });
    const [incident, ...more] = (await server.api("GET", "/api/incidents")).body.data;
    expect([incident.title, more]).toEqual(["router is down", []]);
    const heldBack = async (family: string, ref: unknown) =>
      (await server.api("GET", `${family}/incidents/${ref}`)).body.data.suppressed.map(
        ({ name }: { name: string }) => name,
      );
    expect(await heldBack("/api", incident.id)).toEqual(["b c", "d"]);
    expect(await heldBack("/v2", incident.uuid)).toEqual(["b c", "d"]);
    await recovery(server, router);
    expect(await heldBack("/api", incident.id)).toEqual([]);
  });

  it("counts as down in metrics, and is let go when its parents are paused or deleted in bulk", async () => {
    for (const action of ["pause", "delete"]) {
      const server = await serverOn(engine);
      const router = await outage(server, server.person, "router");
      const shop = await addMonitor(server, server.person, "shop");
      await saveParents(server.ctx.store.db, shop, [router]);
      const now = server.ctx.clock.now();
      await ingestBatch(server.ctx, [failed(shop, now - 2_000), failed(shop, now - 1_000)]);
      const read = async () => (await server.api("GET", `/api/domains/${shop}`)).body.data;
      expect((await read()).suppressedBy.id).toBe(router);
      const { domains } = (await server.api("GET", "/api/dashboard/stats")).body.data;
      expect(domains).toMatchObject({ total: 2, down: 2, up: 0 });
      const bulk = await server.api("POST", "/api/domains/bulk", { action, ids: [router] });
      expect(bulk.status).toBe(200);
      await followParents(server.ctx);
      expect(await read()).toMatchObject({ status: "down", suppressedBy: null });
    }
  });
});
