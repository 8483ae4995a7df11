import { expect, onTestFinished, test } from "vitest";
import { insertMember } from "../../src/accounts/queries/members.ts";
import { findUserByEmail } from "../../src/platform/access/queries/users.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { PASSWORD, signedIn } from "./browser.ts";

/** A server, a member of its organization, and the ways in which a person gets a role there. */
async function start(engine: "sqlite" | "postgres") {
  const server = await startTestServer({ engine, config: { signup: "open" } });
  onTestFinished(server.close);
  const { organization } = server.person;
  const guest = await server.createOrganization();
  const member = { userId: guest.userId, organizationId: organization.id, role: "viewer" } as const;
  await insertMember(server.ctx.store.db, member, 1);
  let count = 0;
  const address = () => `new${++count}.${organization.id}@vedette.test`;
  const at = `/api/organizations/${organization.id}`;
  const ways = (role: string): [method: string, path: string, body: object][] => [
    ["POST", `${at}/members`, { email: address(), password: PASSWORD, role }],
    ["POST", `${at}/invitations`, { email: address(), role }],
    ["PUT", `${at}/members/${guest.userId}`, { role }],
    ["POST", `/v2/organizations/${organization.uuid}/invitations`, { email: address(), role }],
  ];
  return { server, at, guest, ways, as: (key: string) => tryAll(server, key) };
}

const tryAll = (server: TestServer, key: string) => async (ways: [string, string, object][]) => {
  const answers = [];
  for (const [method, path, body] of ways) {
    const { status, body: said } = await server.api(method, path, body, { key });
    answers.push(status < 300 ? status : `${status} ${said.fact?.code}`);
  }
  return answers;
};

eachEngine("a key that may change the organization", (engine) => {
  test("gives no one a role that includes more than its scopes", async () => {
    const { server, at, ways, as } = await start(engine);
    for (const scopes of [["write:organization"], ["write:organization", "read:*"]]) {
      const key = await server.createKey({ scopes });
      for (const role of ["admin", "member"]) {
        expect([scopes, role, await as(key)(ways(role))]).toEqual([
          scopes,
          role,
          Array(4).fill("403 access.grant_role"),
        ]);
      }
    }
    const reader = await server.createKey({ scopes: ["write:organization", "read:*"] });
    expect(await as(reader)(ways("viewer"))).toEqual([201, 201, 200, 201]);
    const narrow = await server.createKey({ scopes: ["write:organization"] });
    expect(await as(narrow)(ways("viewer"))).toEqual(Array(4).fill("403 access.grant_role"));
    const members = (await server.api("GET", `${at}/members`)).body.data;
    expect(members.map((one: { role: string }) => one.role).sort()).toEqual(["owner", "viewer", "viewer"]);
  });

  test("that expires gives no one a role, which would outlast it", async () => {
    const { server, ways } = await start(engine);
    const owner = await server.createKey({ scopes: ["*:*"] });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = await server.api(
      "POST",
      "/api-keys",
      { name: "For an hour", scopes: ["*:*"], expiresAt },
      { key: owner },
    );
    const key = made.body.data.token as string;
    for (const role of ["admin", "viewer"])
      expect(await tryAll(server, key)(ways(role))).toEqual(Array(4).fill("403 access.grant_lasting"));
  });

  test("neither ends an organization nor hands it over, whatever its scopes", async () => {
    const { server, at, guest } = await start(engine);
    const key = await server.createKey({ scopes: ["*:*"], allOrganizations: true });
    const { organization } = server.person;
    expect((await server.api("POST", "/api/organizations", { name: "Second" }, { key })).status).toBe(201);
    const name = encodeURIComponent(organization.name);
    const ways: [string, string, object?][] = [
      ["DELETE", `${at}?name=${name}`],
      ["DELETE", `/v2/organizations/${organization.uuid}?name=${name}`],
      ["POST", `${at}/keep`, {}],
      ["POST", `${at}/transfer`, { member: guest.userId, password: PASSWORD }],
    ];
    for (const [method, path, body] of ways) {
      const answer = await server.api(method, path, body, { key });
      expect([method, path, answer.status, answer.body.fact?.code]).toEqual([
        method,
        path,
        403,
        "access.session",
      ]);
    }
    expect((await server.api("GET", at)).body.data.deletesAt).toBeNull();
  });

  test("makes, changes and removes no owner, whatever its scopes", async () => {
    const { server, at, ways, guest } = await start(engine);
    const key = await server.createKey({ scopes: ["*:*"] });
    expect(await tryAll(server, key)(ways("owner"))).toEqual(Array(4).fill("403 access.owner_session"));
    const owner = await server.createOrganization();
    const { organization } = server.person;
    const second = { userId: owner.userId, organizationId: organization.id, role: "owner" } as const;
    await insertMember(server.ctx.store.db, second, 1);
    const more: [string, string, object][] = [
      ["PUT", `${at}/members/${owner.userId}`, { role: "viewer" }],
      ["DELETE", `${at}/members/${owner.userId}`, {}],
    ];
    expect(await tryAll(server, key)(more)).toEqual(Array(2).fill("403 access.owner_session"));
    expect(await tryAll(server, key)(ways("admin"))).toEqual([201, 201, 200, 201]);
    // An invitation to be an owner, which one has made in a session, is not sent anew by a key either.
    const { browser, email } = await signedIn(server);
    const user = await findUserByEmail(server.ctx.store.db, email);
    await insertMember(server.ctx.store.db, { ...second, userId: user?.id ?? 0 }, 1);
    const asOwner = { email: `owner.${organization.id}@vedette.test`, role: "owner" };
    const made = await browser.send("POST", `${at}/invitations`, asOwner);
    expect(made.status).toBe(201);
    const again: [string, string, object][] = [["POST", `${at}/invitations/${made.body.data.id}/resend`, {}]];
    expect(await tryAll(server, key)(again)).toEqual(["403 access.owner_session"]);
    expect((await browser.send("PUT", `${at}/members/${guest.userId}`, { role: "owner" })).status).toBe(200);
  });
});
