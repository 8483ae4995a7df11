import { expect, test } from "vitest";
import type { TestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { makeDomain, serve } from "./domains/factories.ts";
import { makeService } from "./services/factories.ts";

let domains = 0;
const aDomain = (server: TestServer, more: object = {}) =>
  makeDomain(server, { url: `https://p${++domains}.test`, name: `P${domains}`, ...more });
const putDomain = async (server: TestServer, { id }: { id: number }, parents: unknown) =>
  (await server.api("PUT", `/api/domains/${id}`, { parents })).body;

eachEngine("what a monitor depends on", (engine) => {
  test("is set, changed, listed and left alone in both families, whatever it is", async () => {
    const server = await serve({ engine });
    const router = await makeService(server, { name: "Router" });
    const proxy = await aDomain(server, { parents: [router.uuid.toUpperCase(), router.uuid] });
    const shop = await aDomain(server);
    const read = async (id: number) => (await server.api("GET", `/api/domains/${id}`)).body.data.parents;
    expect([await read(proxy.id), await read(shop.id)]).toEqual([[router.uuid], []]);
    const put = await server.api("PUT", `/v2/domains/${shop.uuid}`, { parents: [proxy.uuid, router.uuid] });
    expect([put.status, put.body.data.parents.toSorted()]).toEqual([
      200,
      [proxy.uuid, router.uuid].toSorted(),
    ]);
    await server.api("PUT", `/api/domains/${shop.id}`, { name: "Renamed" });
    expect(await read(shop.id)).toHaveLength(2);
    const listed = (await server.api("GET", "/v2/domains")).body.data;
    expect(listed.find(({ uuid }: { uuid: string }) => uuid === proxy.uuid).parents).toEqual([router.uuid]);
    const service = await makeService(server, { name: "Behind", parents: [shop.uuid] });
    expect((await server.api("GET", `/v2/services/${service.uuid}`)).body.data.parents).toEqual([shop.uuid]);
    expect((await putDomain(server, shop, [])).data.parents).toEqual([]);
  });

  test("no longer has what was deleted", async () => {
    const server = await serve({ engine });
    const [one, two] = [await aDomain(server), await aDomain(server)];
    const child = await aDomain(server, { parents: [one.uuid, two.uuid] });
    await server.api("DELETE", `/api/domains/${one.id}`);
    const { parents } = (await server.api("GET", `/api/domains/${child.id}`)).body.data;
    expect(parents).toEqual([two.uuid]);
    expect((await putDomain(server, child, parents)).success).toBe(true);
  });

  test("422: what cannot be a parent, naming the field, and nothing is stored", async () => {
    const server = await serve({ engine });
    const [one, gone] = [await aDomain(server), await aDomain(server)];
    await server.api("DELETE", `/api/domains/${gone.id}`);
    const outsider = await server.createKey({ person: await server.createOrganization() });
    const theirs = await makeDomain(server, { url: "https://theirs.test" }, outsider);
    const refused = async (parents: unknown) => (await putDomain(server, one, parents)).errors;
    for (const { uuid } of [gone, theirs, { uuid: crypto.randomUUID() }]) {
      expect(await refused([uuid])).toEqual({ parents: [`There is no domain, service or device ${uuid}.`] });
      const created = await server.api("POST", "/v2/services", {
        ...{ name: "S", protocol: "tcp", protocol_config: { host: "a.test", port: 1 }, parents: [uuid] },
      });
      expect([created.status, Object.keys(created.body.errors)]).toEqual([422, ["parents"]]);
    }
    expect(await refused([one.uuid])).toEqual({ parents: ["A monitor cannot depend on itself."] });
    expect(await refused(Array.from({ length: 11 }, () => crypto.randomUUID()))).toHaveProperty("parents");
    expect(await refused(["router"])).toHaveProperty(["parents.0"]);
    expect(await refused("router")).toHaveProperty("parents");
    expect((await server.api("GET", `/api/domains/${one.id}`)).body.data.parents).toEqual([]);
    expect((await server.api("GET", "/api/services")).body.data).toEqual([]);
  });

  test("422: a circle of any length, through groups too", async () => {
    const server = await serve({ engine });
    const chain = [await aDomain(server)];
    for (let n = 1; n < 12; n += 1) chain.push(await aDomain(server, { parents: [chain.at(-1)?.uuid] }));
    const [first, last] = [chain[0], chain.at(-1)] as [{ id: number; uuid: string }, { uuid: string }];
    expect((await putDomain(server, first, [last.uuid])).errors).toEqual({
      parents: [`"P${domains}" depends on this monitor itself, directly or through others.`],
    });
    const group = await makeService(server, {
      ...{ name: "All", protocol: "group", protocolConfig: { members: [first.uuid] } },
    });
    expect((await putDomain(server, first, [group.uuid])).errors).toHaveProperty("parents");
    const outside = await aDomain(server, { parents: [group.uuid] });
    const joined = await server.api("PUT", `/api/services/${group.id}`, {
      protocolConfig: { members: [first.uuid, outside.uuid] },
    });
    expect([joined.status, Object.keys(joined.body.errors)]).toEqual([422, ["protocolConfig.members"]]);
  });

  test("422: two changes at once make no circle together", async () => {
    const server = await serve({ engine });
    const [a, b] = [await aDomain(server), await aDomain(server)];
    const answers = await Promise.all([putDomain(server, a, [b.uuid]), putDomain(server, b, [a.uuid])]);
    expect(answers.map(({ success }) => success).toSorted()).toEqual([false, true]);
  });

  test("is written into an export by name, and found again by an import", async () => {
    const server = await serve({ engine });
    const router = await makeService(server, { name: "Router" });
    await makeDomain(server, { url: "https://shop.test", name: "Shop", parents: [router.uuid] });
    const exported = (await server.api("GET", "/v2/exports")).body as string;
    expect(exported).toMatch(/parents:\s+- Router/);
    const other = { key: await server.createKey({ person: await server.createOrganization() }) };
    const run = await server.api("POST", "/api/imports", { content: exported, dryRun: false }, other);
    expect(run.body.data.summary).toMatchObject({ created: 2, invalid: 0 });
    const [shop] = (await server.api("GET", "/api/domains", undefined, other)).body.data;
    const [again] = (await server.api("GET", "/api/services", undefined, other)).body.data;
    expect([shop.parents, again.uuid === router.uuid]).toEqual([[again.uuid], false]);
  });
});
