import type { Static, TSchema } from "typebox";
import { expect, onTestFinished, test } from "vitest";
import { createKey } from "../../src/accounts/keys.ts";
import { setPlan } from "../../src/accounts/organizations.ts";
import { createUser } from "../../src/accounts/users.ts";
import { callVerb } from "../../src/platform/operations/call.ts";
import type { Verb } from "../../src/platform/operations/operation.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { PASSWORD, signedIn } from "./browser.ts";

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ engine: "sqlite", alone: true, ...options });
  onTestFinished(server.close);
  return server;
}

const operate = <I extends TSchema, R>({ ctx }: TestServer, verb: Verb<I, TSchema, R>, input: Static<I>) =>
  callVerb({ ...ctx, operator: true }, verb, input);

const auditOf = (server: TestServer) =>
  server.ctx.store.db.selectFrom("audit_log").selectAll().orderBy("id").execute();

eachEngine("the audit log", (engine) => {
  test("has one row for each write that happened, none for reads and refusals", async () => {
    const server = await start({ engine, allOrganizations: true });
    const { organization, userId } = server.person;
    const created = await server.api(
      "POST",
      "/api/organizations",
      { name: "Audited" },
      { headers: { "x-request-id": "req-1" } },
    );
    await server.api("GET", "/api/organizations");
    await server.api("POST", "/api/organizations", {});
    await server.api("DELETE", "/api-keys/999999");
    await server.api("PUT", `/v2/organizations/${created.body.data.uuid}`, { name: "Again" });
    const rows = await auditOf(server);
    const second = created.body.data.id as number;
    expect(
      rows.map(({ action, resource, resource_id, organization_id }) => [
        action,
        resource,
        resource_id,
        organization_id,
      ]),
    ).toEqual([
      ["create organization", "organization", String(second), organization.id],
      ["update organization", "organization", String(second), second],
    ]);
    expect(rows[0]).toMatchObject({ user_id: userId, request_id: "req-1", address: "127.0.0.1" });
    expect(rows[0]?.api_key_id).toBeTypeOf("number");
  });

  test("records who signed in", async () => {
    const server = await start({ engine });
    const { browser, email } = await signedIn(server);
    await browser.send("POST", "/api/auth/sign-in", { email, password: PASSWORD });
    expect((await auditOf(server)).map(({ action }) => action)).toEqual(["create account", "sign in"]);
  });
});

eachEngine("the command line's verbs", (engine) => {
  test("make a person with an organization, a key that works, and set its plan", async () => {
    const server = await start({ engine });
    const user = await operate(server, createUser, {
      email: "Ada@vedette.test",
      password: PASSWORD,
      organization: "Analytical",
    });
    expect(user).toMatchObject({
      email: "ada@vedette.test",
      name: "ada",
      organization: { slug: "analytical", role: "owner" },
    });
    const { token } = await operate(server, createKey, {
      email: "ADA@vedette.test",
      name: "cli",
      scopes: ["*:*"],
    });
    const me = async () =>
      (await server.api("GET", "/api/auth/me", undefined, { key: token })).body.data.organization;
    expect(await me()).toMatchObject({ name: "Analytical", plan: "expert" });
    expect(
      await operate(server, setPlan, { organization: "Analytical", plan: "free", reports: false }),
    ).toMatchObject({ plan: "free" });
    expect(await me()).toMatchObject({ plan: "free", reports: false });
    await operate(server, setPlan, { organization: user.organization.uuid, plan: "pro" });
    expect(await me()).toMatchObject({ plan: "pro", reports: false });
    const colleague = await operate(server, createUser, {
      email: "b@vedette.test",
      password: PASSWORD,
      organization: "Analytical",
    });
    expect(colleague.organization).toMatchObject({ id: user.organization.id, role: "member" });
  });

  test("refuse what cannot be", async () => {
    const server = await start({ engine });
    await expect(operate(server, setPlan, { organization: "none", plan: "free" })).rejects.toThrow(
      "Resource not found.",
    );
    await expect(operate(server, setPlan, { organization: "1", plan: "gold" as "pro" })).rejects.toThrow(
      "invalid",
    );
    await expect(
      operate(server, createKey, { email: "no@vedette.test", name: "x", scopes: ["*:*"] }),
    ).rejects.toThrow("not found");
    await operate(server, createUser, { email: "a@vedette.test", password: PASSWORD });
    await expect(
      operate(server, createUser, { email: "A@vedette.test", password: PASSWORD }),
    ).rejects.toMatchObject({
      fields: { email: [{ code: "account.email_taken" }] },
    });
  });
});
