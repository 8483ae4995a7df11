import { expect, test } from "vitest";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "../domains/factories.ts";
import { makeService } from "../services/factories.ts";

let groups = 0;
const groupOf = (members: readonly string[], more: object = {}) => ({
  name: `Group ${++groups}`,
  protocol: "group",
  protocolConfig: { members, ...more },
});
const makeGroup = (server: TestServer, members: readonly string[], more: object = {}) =>
  makeService(server, groupOf(members, more));
let domains = 0;
const someDomains = async (server: TestServer, count: number) => {
  const made = [];
  for (let n = 0; n < count; n += 1)
    made.push(await makeDomain(server, { url: `https://d${++domains}.test` }));
  return made.map(({ uuid }) => uuid);
};

eachEngine("a group", (engine) => {
  test("201: of domains, services and groups, in both families", async () => {
    const server = await serve({ engine });
    const members = [...(await someDomains(server, 2)), (await makeService(server)).uuid];
    const inner = await makeGroup(server, members);
    expect(inner).toMatchObject({
      ...{
        protocol: "group",
        target: "all",
        status: "unknown",
        confirmations: 1,
        recoveries: 1,
        timeout: 10,
      },
      protocolConfig: { members },
    });
    const { status, body } = await server.api("POST", "/v2/services", {
      name: "Outer",
      protocol: "group",
      protocol_config: { members: [inner.uuid.toUpperCase(), members[0]], rule: "count", count: 2 },
    });
    expect([status, body.data.url, body.data.protocol_config]).toEqual([
      201,
      "≥ 2",
      { members: [inner.uuid, members[0]], rule: "count", count: 2 },
    ]);
    const changed = await server.api("PUT", `/api/services/${inner.id}`, {
      protocolConfig: { members: members.slice(0, 1), rule: "any" },
    });
    expect([changed.status, changed.body.data.target]).toEqual([200, "any"]);
  });

  test("422: what cannot be a member, by field, and nothing is stored", async () => {
    const server = await serve({ engine });
    const [one = "", two = ""] = await someDomains(server, 2);
    const gone = await makeDomain(server, { url: "https://gone.test" });
    await server.api("DELETE", `/api/domains/${gone.id}`);
    const noService = crypto.randomUUID();
    const refused = async (config: object) =>
      (await server.api("POST", "/api/services", { ...groupOf([]), protocolConfig: config })).body.errors;
    const field = "protocolConfig.members";
    expect(await refused({})).toEqual({ [field]: [`The ${field} field is required.`] });
    expect(await refused({ members: [] })).toHaveProperty([field]);
    expect(await refused({ members: "all" })).toHaveProperty([field]);
    expect(await refused({ members: ["shop"] })).toHaveProperty([`${field}.0`]);
    expect(await refused({ members: [one, one.toUpperCase()] })).toHaveProperty([field]);
    expect(await refused({ members: Array.from({ length: 101 }, () => crypto.randomUUID()) })).toHaveProperty(
      [field],
    );
    expect(await refused({ members: [one, noService, gone.uuid] })).toEqual({
      [field]: [`There is no domain or service ${noService}.`, `There is no domain or service ${gone.uuid}.`],
    });
    expect(await refused({ members: [one, two], rule: "count", count: 3 })).toEqual({
      "protocolConfig.count": ["At most 2, as many as the group has members."],
    });
    expect(await refused({ members: [one], rule: "most" })).toHaveProperty(["protocolConfig.rule"]);
    expect((await server.api("GET", "/api/services")).body.data).toEqual([]);
  });

  test("422: a group in itself, at whatever depth, and one nested too deep from above or below", async () => {
    const server = await serve({ engine });
    const [leaf = ""] = await someDomains(server, 1);
    const chain = [await makeGroup(server, [leaf])];
    for (let level = 2; level <= 5; level += 1) {
      chain.push(await makeGroup(server, [chain.at(-1)?.uuid]));
    }
    const [first, , third, , fifth] = chain;
    const put = async (group: { id: number }, members: string[]) =>
      (await server.api("PUT", `/api/services/${group.id}`, { protocolConfig: { members } })).body;
    const field = "protocolConfig.members";
    expect((await put(first, [first.uuid])).errors).toEqual({ [field]: ["A group cannot contain itself."] });
    expect((await put(first, [leaf, fifth.uuid])).errors).toEqual({
      [field]: [`"${fifth.name}" leads back to this group, and a group cannot contain itself.`],
    });
    const deep = ["Groups can be nested 5 deep at most."];
    const sixth = await server.api("POST", "/api/services", groupOf([fifth.uuid]));
    expect([sixth.status, sixth.body.errors]).toEqual([422, { [field]: deep }]);
    const other = await makeGroup(server, [leaf]);
    expect((await put(first, [leaf, other.uuid])).errors).toEqual({ [field]: deep });
    expect((await put(fifth, [leaf, third.uuid])).success).toBe(true);
  });

  test("422: two changes at once make no circle together", async () => {
    const server = await serve({ engine });
    const [leaf = ""] = await someDomains(server, 1);
    const [a, b] = [await makeGroup(server, [leaf]), await makeGroup(server, [leaf])];
    const answers = await Promise.all(
      [
        [a, b],
        [b, a],
      ].map(([one, other]) =>
        server.api("PUT", `/api/services/${one.id}`, { protocolConfig: { members: [leaf, other.uuid] } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("404 in other words: what another organization has, and what the key may not read", async () => {
    const server = await serve({ engine });
    const foreign = await server.createKey({ role: "owner" });
    const { uuid } = await makeDomain(server, { url: "https://foreign.test" }, foreign);
    const [own = ""] = await someDomains(server, 1);
    const refusal = async (member: string, key?: string) =>
      (await server.api("POST", "/api/services", groupOf([member]), key ? { key } : {})).body.errors;
    const unknown = (member: string) => ({
      "protocolConfig.members": [`There is no domain or service ${member}.`],
    });
    expect(await refusal(uuid)).toEqual(unknown(uuid));
    const forServices = await server.createKey({ scopes: ["write:services"] });
    expect(await refusal(own, forServices)).toEqual(unknown(own));
    const forBoth = await server.createKey({ scopes: ["write:services", "read:domains"] });
    expect(await refusal(own, forBoth)).toBeUndefined();
  });

  test("422: it needs no timeout; a change of kind leaves no member behind", async () => {
    const server = await serve({ engine });
    const [leaf = ""] = await someDomains(server, 1);
    const group = await makeGroup(server, [leaf]);
    const { body } = await server.api("PUT", `/api/services/${group.id}`, { timeout: 5 });
    expect(body.errors).toEqual({
      timeout: ["A check of type group has no timeout, as it sends nothing. Leave it out."],
    });
    const other = { protocol: "tcp", protocolConfig: { host: "127.0.0.1", port: 1 } };
    expect((await server.api("PUT", `/api/services/${group.id}`, other)).status).toBe(200);
    const rows = server.ctx.store.db.selectFrom("group_members").selectAll();
    expect(await rows.where("group_id", "=", group.id).execute()).toEqual([]);
    const free = { protocolConfig: { members: [group.uuid] } };
    expect((await server.api("POST", "/api/services", { ...groupOf([]), ...free })).status).toBe(201);
  });
});
