import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";

eachEngine("the log of an organization", (engine) => {
  async function start() {
    const server = await startTestServer({ engine });
    onTestFinished(server.close);
    const person = await server.createOrganization();
    const key = await server.createKey({ person });
    const at = `/api/organizations/${person.organization.id}/audit-log`;
    const read = async (query = "", address = at) =>
      (await server.api("GET", `${address}${query}`, undefined, { key })).body;
    const create = (name: string) =>
      server.api("POST", "/api/domains", { name, url: "https://shop.test" }, { key });
    return { server, person, key, read, create };
  }

  test("says who did what, when, with which key and from where, the newest first", async () => {
    const { server, person, key, read, create } = await start();
    const { id } = (await create("Shop")).body.data;
    await server.api("DELETE", `/api/domains/${id}`, undefined, { key });
    const { data } = await read();
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      "delete domains",
      "create domains",
    ]);
    const { data: activity } = await server
      .api("GET", "/api/dashboard/recent-activity?type=change", undefined, { key })
      .then(({ body }) => body);
    expect(data[0]).toEqual({
      id: activity[0].id,
      timestamp: expect.stringMatching(/Z$/),
      action: "delete domains",
      message: activity[0].message,
      resource: "domains",
      resourceId: String(id),
      subject: "Shop",
      userId: person.userId,
      userName: expect.any(String),
      userEmail: expect.stringContaining("@"),
      apiKeyId: expect.any(Number),
      apiKeyName: expect.any(String),
      address: "127.0.0.1",
      requestId: expect.any(String),
    });
  });

  test("is narrowed to an action, a person and a span, and read in pages; v2 says the same", async () => {
    const { person, read, create } = await start();
    for (const name of ["One", "Two", "Three"]) await create(name);
    const [three, , one] = (await read()).data;
    const subjects = async (query: string) =>
      (await read(query)).data.map(({ subject }: { subject: string }) => subject);
    expect(await subjects("?action=delete+domains")).toEqual([]);
    expect(await subjects("?action=create+domains")).toHaveLength(3);
    expect(await subjects(`?userId=${person.userId}`)).toHaveLength(3);
    expect(await subjects(`?userId=${person.userId + 1}`)).toEqual([]);
    expect(await subjects(`?from=${three.timestamp}`)).toContain("Three");
    expect(await subjects(`?to=${one.timestamp}`)).toEqual([]);
    const page = await read("?page=2&limit=2");
    expect([page.data[0].subject, page.pagination.total]).toEqual(["One", 3]);
    const v2 = await read("?per_page=1", `/v2/organizations/${person.organization.uuid}/audit-log`);
    expect([v2.data[0].subject, v2.data[0].user_id, v2.pagination.total_pages]).toEqual([
      "Three",
      person.userId,
      3,
    ]);
  });

  test("is for owners and admins, and of another organization unknown", async () => {
    const { server, person } = await start();
    const at = `/api/organizations/${person.organization.id}/audit-log`;
    for (const role of ["admin", "member", "viewer"] as const) {
      const other = await server.createOrganization({ role });
      const key = await server.createKey({ person: other });
      const own = `/api/organizations/${other.organization.id}/audit-log`;
      const { status } = await server.api("GET", own, undefined, { key });
      expect([role, status]).toEqual([role, role === "admin" ? 200 : 403]);
      expect((await server.api("GET", at, undefined, { key })).status).toBe(role === "admin" ? 404 : 403);
    }
  });

  test.each(["action=fly", "userId=0", "from=yesterday", "to=2026-13-01T00:00:00Z"])(
    "refuses %s",
    async (query) => {
      const { read } = await start();
      expect(Object.keys((await read(`?${query}`)).errors)).toEqual([query.split("=")[0]]);
    },
  );
});
