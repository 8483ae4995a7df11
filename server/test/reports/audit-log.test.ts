import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { AuditRow } from "../../src/platform/access/queries/audit.ts";
import { projectAuditRow } from "../../src/reports/schemas/audit-log.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";

test.each([
  ["a person", { userId: 1, requestId: "r-1", action: "update channels" }, "user"],
  ["a link that needs no account", { userId: null, requestId: "r-2", action: "confirm channels" }, "link"],
  ["the command line", { userId: null, requestId: "", action: "reset two-factor" }, "command_line"],
  ["the service of a channel", { userId: null, requestId: "", action: "update channels" }, "channel"],
])("a row of the audit log names its actor: %s", (_who, own, actor) => {
  const row: AuditRow = {
    ...{ id: 1, at: 0, resource: "account", resourceId: null, subject: null, before: null, after: null },
    ...{ userName: null, userEmail: null, apiKeyId: null, apiKeyName: null, address: "", ...own },
  };
  expect(projectAuditRow(row, { id: "change-1", message: "" }).actor).toBe(actor);
});

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
      before: null,
      after: null,
      actor: "user",
      userId: person.userId,
      userName: expect.any(String),
      userEmail: expect.stringContaining("@"),
      apiKeyId: expect.any(Number),
      apiKeyName: expect.any(String),
      address: "127.0.0.1",
      requestId: expect.any(String),
    });
  });

  test("says which role a person had and was given, as a file and in the recent activity too", async () => {
    const { server, person, key, read } = await start();
    const own = `/api/organizations/${person.organization.id}`;
    const send = async (method: string, path: string, body?: object) => {
      const { status, body: answer } = await server.api(method, own + path, body, { key });
      expect([method, path, status < 300]).toEqual([method, path, true]);
      return answer.data;
    };
    const email = `grace-${person.userId}@vedette.test`;
    await send("POST", "/invitations", { email, role: "admin" });
    const password = "correct horse battery";
    const { id } = await send("POST", "/members", { email, name: "Grace", role: "viewer", password });
    await send("PUT", `/members/${id}`, { role: "admin" });
    await send("DELETE", `/members/${id}`);
    const { data } = await read();
    const reported = data.map(({ action, before, after }: Record<string, string>) => [action, before, after]);
    expect(reported).toEqual([
      ["remove member", "admin", null],
      ["change role", "viewer", "admin"],
      ["add member", null, "viewer"],
      ["invite member", null, "admin"],
    ]);
    const said = "changed the role of Grace from viewer to admin.";
    expect(data[1].message).toMatch(new RegExp(`${said}$`));
    const activity = await server.api("GET", "/api/dashboard/recent-activity?type=change", undefined, {
      key,
    });
    expect(activity.body.data[1].message).toBe(data[1].message);
    const csv = (await server.api("GET", `${own}/audit-log.csv?action=change+role`, undefined, { key })).body;
    expect(csv).toContain(",Grace,viewer,admin,");
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

  test("is narrowed to what was called so, in any case and to the letter", async () => {
    const { read, create } = await start();
    for (const name of ["Shop 100%", "Shop 1000", "Ärzte"]) await create(name);
    const subjects = async (part: string) =>
      (await read(`?subject=${encodeURIComponent(part)}`)).data.map(
        ({ subject }: { subject: string }) => subject,
      );
    expect(await subjects("shop 100")).toEqual(["Shop 1000", "Shop 100%"]);
    expect(await subjects("SHOP 100%")).toEqual(["Shop 100%"]);
    expect(await subjects("Ärz")).toEqual(["Ärzte"]);
    expect(await subjects("_")).toEqual([]);
    expect(Object.keys((await read(`?subject=${"x".repeat(256)}`)).errors)).toEqual(["subject"]);
  });

  test("is a CSV file as well, with the same filters, in both families, and no formulas", async () => {
    const { server, person, key, create } = await start();
    for (const name of ["Shop; =1+1;two", "=1+1", 'Shop, "large"', "Ärzte"]) await create(name);
    const at = `/organizations/${person.organization.uuid}/audit-log.csv`;
    const file = await server.api("GET", `/api${at}`, undefined, { key });
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("content-disposition")).toBe(
      `attachment; filename="audit-log-${person.organization.slug}.csv"`,
    );
    const text = file.body as string;
    const [head, ...lines] = text.trimEnd().split("\n");
    expect(head).toBe(
      "id,timestamp,action,message,resource,resourceId,subject,before,after,actor,userId,userName,userEmail,apiKeyId,apiKeyName,address,requestId",
    );
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain(",Ärzte,");
    expect(lines[1]).toContain(',"Shop, ""large""",');
    expect(lines[2]).toContain(",'=1+1,");
    expect(lines[3]).toContain(",Shop; '=1+1;two,");
    const v2 = await server.api("GET", `/v2${at}?subject=large&user_id=${person.userId}`, undefined, { key });
    expect(v2.body).toMatch(/^id,timestamp,action,message,resource,resource_id,.*\n.*large.*\n$/);
    const none = await server.api("GET", `/api${at}?action=delete+domains`, undefined, { key });
    expect(none.body.split("\n")).toHaveLength(2);
  });

  test("is no file for members, nor one without end", async () => {
    const { server, person, key, create } = await start();
    const member = await server.createOrganization({ role: "member" });
    const at = (id: number) => `/api/organizations/${id}/audit-log.csv`;
    const asMember = { key: await server.createKey({ person: member }) };
    const refused = await server.api("GET", at(member.organization.id), undefined, asMember);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      "Your role in this organization (member) does not permit this.",
    ]);
    const admin = await server.createOrganization();
    const asOutsider = { key: await server.createKey({ person: admin }) };
    expect((await server.api("GET", at(person.organization.id), undefined, asOutsider)).status).toBe(404);
    await create("Shop");
    const { id } = person.organization;
    await sql`insert into audit_log (organization_id, action, resource, request_id, address, at)
      with recursive rows (n) as (select 1 union all select n + 1 from rows where n < 100000)
      select ${id}, 'sign in', 'account', 'r', '', n from rows`.execute(server.ctx.store.db);
    const long = await server.api("GET", at(id), undefined, { key });
    expect([long.status, long.body.errors]).toEqual([
      422,
      { from: ["More than 100000 entries: narrow the list to a shorter time."] },
    ]);
    const shorter = await server.api("GET", `${at(id)}?to=1970-01-01T00:00:01.200Z`, undefined, { key });
    const times = (shorter.body as string)
      .split("\n")
      .slice(1, -1)
      .map((line) => line.split(",")[1]);
    // More than are read at once.
    expect([times.length, new Set(times).size]).toEqual([1_199, 1_199]);
  });

  test("names what is wrong with an action in a sentence, and not every action that there is", async () => {
    const { read } = await start();
    expect((await read("?action=fly")).errors).toEqual({
      action: ["The selected action is invalid. The API documentation (/docs) lists what it may be."],
    });
  });

  test.each(["action=fly", "userId=0", "from=yesterday", "to=2026-13-01T00:00:00Z"])(
    "refuses %s",
    async (query) => {
      const { read } = await start();
      expect(Object.keys((await read(`?${query}`)).errors)).toEqual([query.split("=")[0]]);
    },
  );
});
