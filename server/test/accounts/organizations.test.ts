import { expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { PASSWORD, sessionOf, signedIn } from "./browser.ts";

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ engine: "sqlite", ...options });
  onTestFinished(server.close);
  return server;
}

eachEngine("organizations", (engine) => {
  test("a person founds, names and finds their organizations by id, uuid and slug, in both families", async () => {
    const server = await start({ engine, allOrganizations: true });
    const created = await server.api("POST", "/api/organizations", { name: "Größe" });
    expect([created.status, created.body.data]).toMatchObject([
      201,
      { name: "Größe", slug: "grosse", role: "owner" },
    ]);
    const { id, uuid, slug } = created.body.data;
    for (const name of [id, uuid, slug]) {
      expect((await server.api("GET", `/api/organizations/${name}`)).body.data.id).toBe(id);
      expect((await server.api("GET", `/v2/organizations/${name}`)).body.data.created_at).toBeTypeOf(
        "string",
      );
    }
    expect((await server.api("PUT", `/v2/organizations/${uuid}`, { name: "Neu" })).body.data).toMatchObject({
      name: "Neu",
      slug,
    });
    const list = await server.api("GET", "/api/organizations?limit=1&page=2");
    expect(list.body.data.map((one: { id: number }) => one.id)).toEqual([id]);
    expect(list.body.pagination).toEqual({ page: 2, limit: 1, total: 2, totalPages: 2 });
    expect((await server.api("GET", "/api/organizations")).body.pagination).toBeUndefined();
    const again = await server.api("POST", "/v2/organizations", { name: "Größe" });
    expect(again.body.data.slug).toMatch(/^grosse-[0-9a-f]{6}$/);
  });

  test("a name is neither empty, nor longer than 255 characters, nor a megabyte", async () => {
    const server = await start({ engine });
    const at = `/api/organizations/${server.person.organization.id}`;
    const answers = await Promise.all(
      ["", "x".repeat(256), "x".repeat(1_000_000)].map((name) => server.api("PUT", at, { name })),
    );
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 413]);
    expect((await server.api("GET", at)).body.data.name).toBe(server.person.organization.name);
  });

  test("another tenant's organization is unknown, whatever it is called by", async () => {
    const server = await start({ engine });
    const { organization } = await server.createOrganization();
    for (const name of [organization.id, organization.uuid, organization.slug]) {
      for (const path of [
        `/api/organizations/${name}`,
        `/v2/organizations/${name}/members`,
        `/api-keys?organizationId=${name}`,
      ]) {
        const { status, body } = await server.api("GET", path);
        expect([path, status, body.message]).toEqual([path, 404, "Resource not found."]);
      }
      expect((await server.api("PUT", `/api/organizations/${name}`, { name: "Mine" })).status).toBe(404);
    }
  });

  test("in another of one's organizations, the role and the plan there count", async () => {
    const server = await start({ engine, allOrganizations: true });
    const other = await server.createOrganization({ plan: "free" });
    const { db } = server.ctx.store;
    const membership = {
      user_id: server.person.userId,
      organization_id: other.organization.id,
      role: "viewer" as const,
      created_at: 1,
    };
    await db.insertInto("memberships").values(membership).execute();
    const at = `/api/organizations/${other.organization.id}`;
    expect((await server.api("GET", at)).body.data.role).toBe("viewer");
    expect((await server.api("PUT", at, { name: "x" })).body.message).toContain("(viewer)");
    const keys = await server.api("GET", `/api-keys?organizationId=${other.organization.id}`);
    expect([keys.status, keys.body.message]).toEqual([403, "This feature requires a Pro Plan subscription."]);
  });

  test("people are taken in, given roles and let go; the last owner stays", async () => {
    const server = await start({ engine });
    const at = `/api/organizations/${server.person.organization.id}/members`;
    const unknown = await server.api("POST", at, { email: "taken-in@vedette.test", role: "member" });
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ["password"]]);
    const body = { email: "taken-in@vedette.test", role: "member", password: PASSWORD, name: "New" };
    const added = await server.api("POST", at, body);
    expect([added.status, added.body.data]).toMatchObject([
      201,
      { email: "taken-in@vedette.test", name: "New", role: "member" },
    ]);
    expect((await server.api("POST", at, body)).body.errors.email).toEqual([
      "The email has already been taken.",
    ]);
    const { id, uuid } = added.body.data;
    expect((await server.api("PUT", `${at}/${uuid}`, { role: "admin" })).body.data.role).toBe("admin");
    const browser = await sessionOf(server, server.person);
    const own = `${at}/${server.person.userId}`;
    expect((await browser.send("PUT", own, { role: "member" })).status).toBe(409);
    expect((await browser.send("DELETE", own)).status).toBe(409);
    expect((await server.api("GET", at)).body.data).toHaveLength(2);
    expect((await server.api("DELETE", `${at}/${id}`)).body.data).toEqual({ id });
    expect((await server.api("DELETE", `${at}/${id}`)).status).toBe(404);
  });

  test("of two owners who remove each other at once, one stays", async () => {
    const server = await start({ engine });
    const { organization, userId } = server.person;
    const at = `/api/organizations/${organization.id}/members`;
    const browser = await sessionOf(server, server.person);
    const second = await browser.send("POST", at, {
      email: "second@vedette.test",
      role: "owner",
      password: PASSWORD,
    });
    const other = await sessionOf(server, { userId: second.body.data.id as number, organization });
    const answers = await Promise.all([
      browser.send("DELETE", `${at}/${second.body.data.id}`),
      other.send("DELETE", `${at}/${userId}`),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const owners = await server.ctx.store.db
      .selectFrom("memberships")
      .select("user_id")
      .where("organization_id", "=", organization.id)
      .execute();
    expect(owners).toHaveLength(1);
  });

  test("an admin runs the organization but cannot make or unmake owners", async () => {
    const server = await start({ engine, role: "admin" });
    const { organization } = server.person;
    const at = `/v2/organizations/${organization.uuid}/members`;
    const people = (await server.api("GET", at)).body.data;
    const owner = people.find((one: { role: string }) => one.role === "owner");
    const refused = "Only an owner may make or change an owner.";
    const answers = [
      await server.api("PUT", `${at}/${owner.uuid}`, { role: "viewer" }),
      await server.api("DELETE", `${at}/${owner.uuid}`),
      await server.api("PUT", `${at}/${server.person.userId}`, { role: "owner" }),
      await server.api("POST", at, { email: "x@vedette.test", role: "owner", password: PASSWORD }),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(Array(4).fill([403, refused]));
    expect(
      (await server.api("POST", at, { email: "x@vedette.test", role: "viewer", password: PASSWORD })).status,
    ).toBe(201);
  });

  test("a removed member's keys and sessions end at once", async () => {
    const server = await start({ engine });
    const at = `/api/organizations/${server.person.organization.id}/members`;
    const added = await server.api("POST", at, {
      email: "gone@vedette.test",
      role: "admin",
      password: PASSWORD,
    });
    const person = {
      userId: added.body.data.id as number,
      organization: server.person.organization,
      role: "admin" as const,
    };
    const key = await server.createKey({ person });
    expect((await server.api("GET", at, undefined, { key })).status).toBe(200);
    await server.api("DELETE", `${at}/${person.userId}`);
    expect((await server.api("GET", at, undefined, { key })).status).toBe(401);
  });

  test("a session moves between its person's organizations, and nowhere else", async () => {
    const server = await start({ engine });
    const { browser } = await signedIn(server);
    const { slug } = (await browser.send("POST", "/api/organizations", { name: "Second" })).body.data;
    expect(
      (await browser.send("PUT", "/api/auth/organization", { organization: slug })).body.data.organization
        .slug,
    ).toBe(slug);
    const me = (await browser.send("GET", "/api/auth/me")).body.data;
    expect([me.organization.slug, me.organizations.length]).toEqual([slug, 2]);
    const foreign = server.person.organization.slug;
    expect((await browser.send("PUT", "/api/auth/organization", { organization: foreign })).status).toBe(404);
  });
});
