import { expect, test } from "vitest";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "../domains/factories.ts";
import { makeService } from "./factories.ts";

interface KeyOptions {
  role?: "viewer";
  scopes?: string[];
  plan?: "free";
}

const REFUSED: KeyOptions[] = [{ role: "viewer" }, { scopes: ["write:domains"] }, { plan: "free" }];

eachEngine("many services at once", (engine) => {
  const start = async (options: KeyOptions = {}) => {
    const server = await serve({ engine });
    const services = [await makeService(server, { name: "A" }), await makeService(server, { name: "B" })];
    const key = Object.keys(options).length > 0 ? await server.createKey(options) : server.key;
    return { server, key, ids: services.map(({ id }) => id), uuids: services.map(({ uuid }) => uuid) };
  };
  const bulk = (server: TestServer, body: object, path = "/api/services/bulk", key = server.key) =>
    server.api("POST", path, body, { key });

  test("are paused, resumed and tagged in both families, by either id", async () => {
    const { server, ids, uuids } = await start();
    const paused = await bulk(server, { action: "pause", ids: [ids[0], uuids[1]] });
    expect([paused.status, paused.body.data.changed]).toEqual([
      200,
      [
        { id: ids[0], uuid: uuids[0] },
        { id: ids[1], uuid: uuids[1] },
      ],
    ]);
    const resumed = await bulk(server, { action: "resume", ids: uuids }, "/v2/services/bulk");
    expect(resumed.body.data.changed).toHaveLength(2);
    await bulk(server, { action: "tag", ids, tags: { add: ["eu"] } });
    const { data } = (await server.api("GET", "/api/services?tag=eu")).body;
    expect(data.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true, true]);
    const { organization } = server.person;
    const log = await server.api(
      "GET",
      `/api/organizations/${organization.id}/audit-log?action=pause+services`,
    );
    expect(log.body.data).toHaveLength(2);
  });

  test("are deleted, also a group with its members; domains and others' services are unknown", async () => {
    const { server, ids, uuids } = await start();
    const group = { name: "G", protocol: "group", protocolConfig: { members: uuids } };
    const { id } = await makeService(server, group);
    const domain = await makeDomain(server);
    const other = await server.createKey({ person: await server.createOrganization() });
    const abroad = await bulk(server, { action: "delete", ids }, "/api/services/bulk", other);
    expect(abroad.body.data.failed.map(({ status }: { status: number }) => status)).toEqual([404, 404]);
    const { data } = (await bulk(server, { action: "delete", ids: [...ids, id, domain.uuid, "x"] })).body;
    expect([data.changed.length, data.failed.map((one: { id: string }) => one.id)]).toEqual([
      3,
      expect.arrayContaining([domain.uuid, "x"]),
    ]);
    expect((await server.api("GET", "/api/services")).body.data).toEqual([]);
    expect((await server.api("GET", `/api/domains/${domain.id}`)).status).toBe(200);
  });

  test("403, 422: need the role, the scope and the plan, and an action that there is", async () => {
    for (const options of REFUSED) {
      const { server, key, ids } = await start(options);
      expect((await bulk(server, { action: "pause", ids }, "/api/services/bulk", key)).status).toBe(403);
    }
    const { server } = await start();
    const bad = await bulk(server, { action: "melt", ids: [] });
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ["action", "ids"]]);
  });
});
