import { createHmac } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { bearer, openEvents } from "../app/live/event-source.ts";
import { eachEngine } from "../harness/stores.ts";
import { startIntegrating } from "./setup.ts";

eachEngine("a live stream of integrations", (engine) => {
  async function listening(scopes?: string[]) {
    const setup = await startIntegrating(engine);
    const { server } = setup;
    const key = scopes ? await server.createKey({ scopes }) : server.key;
    const client = await openEvents(`${server.url}/api/events`, bearer(key));
    onTestFinished(client.close);
    const reported = async (count: number) =>
      (await client.waitFor(count)).map(({ event, data }) => [event, data]);
    return { ...setup, client, reported };
  }

  test("receives that an account was read, and that it could not be", async () => {
    const { link, sync, providers, reported } = await listening();
    const { id } = await link("coolify");
    await sync(id);
    await providers.close();
    await sync(id);
    expect(await reported(2)).toEqual([
      ["integration", { integrationId: id }],
      ["integration", { integrationId: id }],
    ]);
  });

  test("receives a deployment, what becomes of it, and that it was deleted", async () => {
    const { server, reported } = await listening();
    const site = await server.api("POST", "/api/domains", { url: "https://shop.test", name: "Shop" });
    const monitorIds = [site.body.data.id];
    const body = { name: "Shop", externalId: "7", status: "started", monitors: monitorIds.map(String) };
    const { id } = (await server.api("POST", "/api/deployments", body)).body.data;
    await server.api("PUT", `/api/deployments/${id}`, { status: "failed" });
    await server.api("DELETE", `/api/deployments/${id}`);
    const [, ...events] = await reported(4);
    const event = ["deployment", { deploymentId: id, monitorIds }];
    expect(events).toEqual([event, event, event]);
  });

  test("receives that a webhook was made, and that something came in by it, refused or not", async () => {
    const { server, reported } = await listening();
    const made = await server.api("POST", "/api/deployments/webhooks", { name: "Shop", provider: "github" });
    const { uuid, secret } = made.body.data as { uuid: string; secret: string };
    const text = JSON.stringify({ zen: "Keep it logically awesome." });
    for (const own of [secret, "another secret of theirs"]) {
      const signature = `sha256=${createHmac("sha256", own).update(text).digest("hex")}`;
      const headers = { "x-github-event": "ping", "x-hub-signature-256": signature };
      await server.api("POST", `/api/webhooks/deployments/${uuid}`, text, { key: null, headers });
    }
    const event = ["deployment", { deploymentId: null, monitorIds: [] }];
    expect(await reported(3)).toEqual([event, event, event]);
  });

  test("receives nothing with a key that may not see integrations", async () => {
    const { server, reported } = await listening(["read:domains"]);
    await server.api("POST", "/api/deployments", { name: "Shop" });
    await server.api("POST", "/api/domains", { url: "https://shop.test", name: "Shop" });
    expect((await reported(1)).map(([event]) => event)).toEqual(["monitor.changed"]);
  });
});
