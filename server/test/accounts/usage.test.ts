import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";

eachEngine("what an organization uses of its plan", (engine) => {
  test("is counted beside what the plan allows, for every role, in both families", async () => {
    const server = await startTestServer({ engine, plan: "pro" });
    onTestFinished(server.close);
    const { organization } = server.person;
    const at = `/api/organizations/${organization.id}`;
    await server.api("POST", "/api/domains", { url: "http://127.0.0.1:1/" });
    const service = { name: "Port", protocol: "tcp", protocolConfig: { host: "127.0.0.1", port: 1 } };
    await server.api("POST", "/api/services", service);
    await server.api("POST", `${at}/invitations`, { email: "one@vedette.test", role: "viewer" });
    const { data } = (await server.api("GET", `${at}/usage`)).body;
    expect(data).toEqual({
      plan: "pro",
      reports: true,
      monitors: { used: 2, limit: 100 },
      domains: 1,
      services: 1,
      devices: { used: 0, limit: 10 },
      members: { used: 1, limit: null },
      invitations: { used: 1, limit: 200 },
      apiKeys: { used: 1, limit: null },
      minCheckInterval: 60,
      locationsPerMonitor: 3,
      rawResultDays: 30,
      requestsPerMinute: { read: 300, write: 60, toolbox: 20 },
    });
    const viewer = await server.createOrganization({ role: "viewer" });
    const key = await server.createKey({ person: viewer });
    const theirs = await server.api("GET", `/v2/organizations/${viewer.organization.uuid}/usage`, undefined, {
      key,
    });
    expect(theirs.body.data).toMatchObject({ plan: "expert", members: { used: 2 }, api_keys: { used: 1 } });
    expect((await server.api("GET", `${at}/usage`, undefined, { key })).status).toBe(404);
  });
});
