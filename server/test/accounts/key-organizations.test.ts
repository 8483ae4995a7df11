import { expect, onTestFinished, test } from "vitest";
import { insertMember } from "../../src/accounts/queries/members.ts";
import type { Role } from "../../src/platform/access/roles-and-scopes.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";

/** A person of two organizations: `server.person` in the first, `role` in the second. */
async function startInTwo(engine: "sqlite" | "postgres", role: Role = "owner") {
  const server = await startTestServer({ engine });
  onTestFinished(server.close);
  const { organization } = await server.createOrganization({ name: "Second" });
  const membership = { userId: server.person.userId, organizationId: organization.id, role };
  await insertMember(server.ctx.store.db, membership, 1);
  return { server, second: organization };
}

/** Every address that takes the second organization, with what names it. */
const addresses = (name: string | number): [method: string, path: string, body?: object][] => [
  ["GET", `/api/domains?organization=${name}`],
  ["GET", `/v2/domains?organization=${name}`],
  ["GET", `/api/domains/stats?organization=${name}`],
  ["GET", `/api/domains/response-time-trends?organization=${name}`],
  ["GET", `/api/incidents?organizationId=${name}`],
  ["GET", `/api/dashboard/stats?organizationId=${name}`],
  ["GET", `/v2/dashboard/recent-activity?organization=${name}`],
  ["GET", `/api-keys?organizationId=${name}`],
  ["GET", `/api/events?organization=${name}`],
  ["GET", `/api/organizations/${name}`],
  ["GET", `/v2/organizations/${name}/members`],
  ["PUT", `/v2/organizations/${name}`, { name: "Taken over" }],
  ["POST", "/api-keys", { name: "x", scopes: ["read:*"], organizationId: String(name) }],
  ["POST", "/api/domains", { url: "https://shop.test", organization: String(name) }],
  ["POST", `/v2/domains?organization=${name}`, { url: "https://shop.test", name: "Shop" }],
  ["GET", `/api/domains/limits?organization=${name}`],
  ["GET", `/v2/organizations/${name}/invitations`],
  ["POST", "/v2/api-keys", { name: "x", scopes: ["read:*"], organization: String(name) }],
];

const idsOf = async (server: TestServer, path: string, key: string) =>
  (await server.api("GET", path, undefined, { key })).body.data.map((one: { id: number }) => one.id);

eachEngine("a key and its organizations", (engine) => {
  test("a key acts in its own organization only, though its person belongs to others", async () => {
    const { server, second } = await startInTwo(engine);
    for (const name of [second.id, second.uuid, second.slug]) {
      for (const [method, path, body] of addresses(name)) {
        const answer = await server.api(method, path, body);
        expect([method, path, answer.status]).toEqual([method, path, 404]);
      }
    }
    const own = server.person.organization.id;
    expect(await idsOf(server, "/api/organizations", server.key)).toEqual([own]);
    expect(await idsOf(server, "/v2/organizations", server.key)).toEqual([own]);
    const me = (await server.api("GET", "/api/auth/me")).body.data;
    expect(me.organizations.map((one: { id: number }) => one.id)).toEqual([own]);
    expect((await server.api("GET", `/api/domains?organization=${own}`)).status).toBe(200);
  });

  test("a key made for all organizations acts in each with the person's role there", async () => {
    const { server, second } = await startInTwo(engine, "viewer");
    const made = await server.api(
      "POST",
      "/api-keys",
      { name: "Everywhere", scopes: ["*:*"], allOrganizations: true },
      { key: await server.createKey({ allOrganizations: true }) },
    );
    expect([made.status, made.body.data.allOrganizations]).toEqual([201, true]);
    const key = made.body.data.token as string;
    for (const path of ["/api/organizations", "/v2/organizations"]) {
      expect(await idsOf(server, path, key)).toEqual([server.person.organization.id, second.id]);
    }
    const at = `/api/organizations/${second.id}`;
    expect((await server.api("GET", at, undefined, { key })).body.data.role).toBe("viewer");
    expect((await server.api("PUT", at, { name: "x" }, { key })).status).toBe(403);
    const listed = await server.api("GET", "/v2/api-keys", undefined, { key });
    expect(listed.body.data.map((one: { all_organizations: boolean }) => one.all_organizations)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("a key of one organization neither makes a key of all, nor founds another organization", async () => {
    const { server } = await startInTwo(engine);
    const minted = await server.api("POST", "/v2/api-keys", {
      name: "x",
      scopes: ["read:domains"],
      all_organizations: true,
    });
    expect([minted.status, minted.body.message]).toEqual([
      403,
      "This API key cannot make one for all organizations: it acts in its own only.",
    ]);
    const founded = await server.api("POST", "/api/organizations", { name: "Third" });
    expect([founded.status, founded.body.message]).toEqual([
      403,
      "This API key acts in its own organization only. Make one for all of your organizations, or sign in.",
    ]);
  });
});
