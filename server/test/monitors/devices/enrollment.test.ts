import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { agentOf, SECOND, serverWithDevices, T0 } from "./device-setup.ts";

const machine = (more: object = {}) => ({
  ...{
    instance: randomUUID(),
    machineId: "machine-1",
    hostname: "db-1",
    platform: "linux",
    architecture: "x64",
  },
  ...more,
});

eachEngine("an enrollment token", (engine) => {
  async function setUp(plan: "free" | "expert" = "expert") {
    const all = await serverWithDevices(engine, { plan });
    const { api, server } = all;
    const enroll = async (token: string, body: object) => {
      const answer = await fetch(`${server.url}/api/agent/enroll`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      // biome-ignore lint/suspicious/noExplicitAny: the body of an API answer.
      return { status: answer.status, body: (await answer.json()) as any };
    };
    const make = async (body: object = {}) =>
      (await api("POST", "/api/devices/enrollment-tokens", { name: "Machines", ...body })).body.data;
    return { ...all, enroll, make };
  }

  it("makes machines devices, each with a token of its own and the machine's name", async () => {
    const { api, enroll, make, server } = await setUp();
    const made = await make();
    expect(made).toMatchObject({ name: "Machines", devices: 0, lastUsedAt: null, expiresAt: null });
    expect(made.token).toMatch(/^vde_[\w-]{43}$/);
    const first = await enroll(made.token, machine());
    const second = await enroll(made.token, machine());
    expect([first.status, second.status]).toEqual([200, 200]);
    const agent = agentOf(server, first.body.data.token);
    expect((await agent.report()).status).toBe(200);
    const names = (await api("GET", "/api/devices")).body.data.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(["db-1", "db-1 (2)"]);
    const [listed] = (await api("GET", "/api/devices/enrollment-tokens")).body.data;
    expect(listed).toMatchObject({ devices: 2, lastUsedAt: new Date(T0).toISOString() });
    expect(listed).not.toHaveProperty("token");
    const actions = (
      await api("GET", `/api/organizations/${server.person.organization.id}/audit-log`)
    ).body.data.map(({ action }: { action: string }) => action);
    expect(actions).toContain("enroll device");
  });

  it("gives an agent that enrolls again, as the answer was lost, the same device; one that has reported is another's", async () => {
    const { api, enroll, make, server } = await setUp();
    const { token } = await make();
    const details = machine();
    const lost = await enroll(token, details);
    const again = await enroll(token, details);
    expect(again.body.data.deviceId).toBe(lost.body.data.deviceId);
    expect((await agentOf(server, lost.body.data.token).report()).status).toBe(401);
    expect((await agentOf(server, again.body.data.token).report()).status).toBe(200);
    const another = await enroll(token, details);
    expect(another.body.data.deviceId).not.toBe(lost.body.data.deviceId);
    expect((await api("GET", "/api/devices")).body.data).toHaveLength(2);
  });

  it("ends when it is revoked, when its time is over, and with the person who made it", async () => {
    const { api, clock, ctx, enroll, make, server } = await setUp();
    const revoked = await make();
    expect((await api("DELETE", `/api/devices/enrollment-tokens/${revoked.id}`)).status).toBe(200);
    const short = await make({ expiresAt: new Date(T0 + 60 * SECOND).toISOString() });
    const left = await make();
    expect((await enroll(short.token, machine())).status).toBe(200);
    clock.ms += 60 * SECOND;
    expect((await enroll(revoked.token, machine())).status).toBe(401);
    expect((await enroll(short.token, machine())).status).toBe(401);
    expect((await enroll(left.token, machine())).status).toBe(200);
    await ctx.store.db.updateTable("memberships").set({ role: "viewer" }).execute();
    expect((await enroll(left.token, machine())).status).toBe(403);
    await ctx.store.db.deleteFrom("memberships").where("user_id", "=", server.person.userId).execute();
    expect((await enroll(left.token, machine())).status).toBe(401);
  });

  it("lets in no more than the plan has devices", async () => {
    const { enroll, make } = await setUp("free");
    const { token } = await make();
    expect((await enroll(token, machine())).status).toBe(200);
    const refused = await enroll(token, machine());
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain("1 devices");
  });

  it("is good for nothing else, and nothing else is good for it", async () => {
    const { addDevice, api, enroll, make, send, server } = await setUp();
    const { token } = await make();
    const device = await addDevice();
    const body = agentOf(server, "").bodyOf([{}]);
    expect((await send(token, body)).status).toBe(401);
    expect((await send(server.key, body)).status).toBe(401);
    expect((await enroll(device.token, machine())).status).toBe(401);
    expect((await enroll(server.key, machine())).status).toBe(401);
    for (const other of [token, device.token]) {
      const answer = await fetch(`${server.url}/api/devices`, {
        headers: { authorization: `Bearer ${other}` },
      });
      expect(answer.status).toBe(401);
    }
    expect((await api("GET", "/api/devices")).body.data).toHaveLength(1);
  });

  it.each([
    ["a name with control characters", { hostname: "web\u001b[31m" }, "hostname"],
    ["no name", { hostname: "" }, "hostname"],
    ["a name of spaces alone", { hostname: "   " }, "hostname"],
    ["a name that is too long", { hostname: "x".repeat(256) }, "hostname"],
    ["an instance that is no uuid", { instance: "1" }, "instance"],
    ["more than is known", { isRoot: true }, "isRoot"],
  ])("refuses %s, and names the field", async (_, change, field) => {
    const { enroll, make } = await setUp();
    const { token } = await make();
    const answer = await enroll(token, machine(change));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });
});
