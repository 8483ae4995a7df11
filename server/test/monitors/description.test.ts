import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { makeDomain, serve } from "./domains/factories.ts";

const TEXT = "The shop's payments.\nOn call: +49 30 1234";

eachEngine("the description of a monitor", (engine) => {
  test("is none unless it is set, is stored by both families, and stays through other changes", async () => {
    const server = await serve({ engine });
    const { id, uuid } = await makeDomain(server);
    expect((await server.api("GET", `/api/domains/${id}`)).body.data.description).toBe("");
    const set = await server.api("PUT", `/v2/domains/${uuid}`, { description: `  ${TEXT}\n` });
    expect([set.status, set.body.data.description]).toEqual([200, TEXT]);
    await server.api("PUT", `/api/domains/${id}`, { name: "Renamed" });
    expect((await server.api("GET", `/api/domains/${id}`)).body.data.description).toBe(TEXT);
    const off = await server.api("PUT", `/api/domains/${id}`, { description: "" });
    expect(off.body.data.description).toBe("");
  });

  test("is one of services and of devices as well", async () => {
    const server = await serve({ engine });
    const service = { protocol: "tcp", name: "Till", protocolConfig: { host: "a.test", port: 1 } };
    const made = await server.api("POST", "/v2/services", {
      name: "Till",
      protocol: "tcp",
      protocol_config: service.protocolConfig,
      description: TEXT,
    });
    expect([made.status, made.body.data.description]).toEqual([201, TEXT]);
    const device = await server.api("POST", "/api/devices", { name: "Server", description: TEXT });
    expect([device.status, device.body.data.device.description]).toEqual([201, TEXT]);
    const read = await server.api("GET", `/v2/devices/${device.body.data.device.uuid}`);
    expect(read.body.data.description).toBe(TEXT);
  });

  test.each([["description", ["x".repeat(2001), 5, null]]] as const)(
    "is refused where it is too long or no text, by name",
    async (field, values) => {
      const server = await serve({ engine });
      const { id, uuid } = await makeDomain(server);
      for (const value of values) {
        const legacy = await server.api("PUT", `/api/domains/${id}`, { [field]: value });
        expect([legacy.status, Object.keys(legacy.body.errors)]).toEqual([422, [field]]);
        const v2 = await server.api("PUT", `/v2/domains/${uuid}`, { [field]: value });
        expect([v2.status, Object.keys(v2.body.errors)]).toEqual([422, [field]]);
      }
    },
  );

  test("is found by search, also after tags have changed", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { name: "Shop", description: TEXT, tags: ["eu"] });
    const found = async () =>
      (await server.api("GET", "/api/domains?search=PAYMENTS")).body.data.map(
        (one: { id: number }) => one.id,
      );
    expect(await found()).toEqual([id]);
    const bulk = await server.api("POST", "/api/domains/bulk", {
      action: "tag",
      ids: [id],
      tags: { add: ["web"] },
    });
    expect(bulk.status).toBe(200);
    expect(await found()).toEqual([id]);
  });
});
