import { expect, test } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { missSignals } from "../../../src/monitors/miss-signals.ts";
import { failed, probed } from "../../app/pipeline/setup.ts";
import { eachEngine } from "../../harness/stores.ts";
import { HOUR, NOW, serve } from "../domains/factories.ts";
import { makeService, type ServiceBody } from "./factories.ts";

const TCP = { protocol: "tcp", protocolConfig: { host: "db.test", port: 22 } };
const HEARTBEAT = { protocol: "heartbeat", protocolConfig: { grace: 300 } };

eachEngine("a service whose protocol changes", (engine) => {
  const made = async (body: ServiceBody) => {
    const clock = { ms: NOW, now: () => clock.ms };
    const server = await serve({ engine, clock });
    const { id } = await makeService(server, body);
    const put = (change: object) => server.api("PUT", `/api/services/${id}`, change);
    const read = async () => (await server.api("GET", `/api/services/${id}`)).body.data;
    const missed = async () => {
      const found: number[] = [];
      await missSignals(server.ctx, [], async (results) => {
        found.push(...results.map(({ monitorId }) => monitorId));
      });
      return found;
    };
    return { server, clock, id, put, read, missed };
  };

  test("has what is usual of the new one where nothing else is sent", async () => {
    const { put } = await made({ ...TCP, timeout: 30, confirmations: 3, tags: ["eu"] });
    const heartbeat = await put(HEARTBEAT);
    expect(heartbeat.body.data).toMatchObject({ confirmations: 1, recoveries: 1, timeout: 10, tags: ["eu"] });
    const tcp = await put({ ...TCP, recoveries: 4 });
    expect(tcp.body.data).toMatchObject({ confirmations: 2, recoveries: 4, timeout: 10, checkInterval: 60 });
  });

  test("gets a timeout below its interval", async () => {
    const { put } = await made({ ...HEARTBEAT, checkInterval: 10 });
    const { status, body } = await put(TCP);
    expect([status, body.data?.timeout]).toEqual([200, 9]);
  });

  test.each([
    ["passed", probed],
    ["failed", failed],
  ])("is unknown until its first heartbeat, though its last check %s", async (_, result) => {
    const { server, clock, id, put, read, missed } = await made({ ...TCP, confirmations: 1 });
    await ingestBatch(server.ctx, [result(id, NOW, { revision: 1 })]);
    expect((await read()).status).not.toBe("unknown");
    await put(HEARTBEAT);
    expect(await read()).toMatchObject({ status: "unknown", lastCheck: null, consecutiveFailures: 0 });
    await ingestBatch(server.ctx, [result(id, NOW + 1, { revision: 1 })]);
    clock.ms += 24 * HOUR;
    expect([await missed(), (await read()).status]).toEqual([[], "unknown"]);
  });

  test("is so if it is paused meanwhile, too", async () => {
    const { server, clock, id, put, missed } = await made(TCP);
    await ingestBatch(server.ctx, [probed(id, NOW, { revision: 1 })]);
    await put({ enabled: false });
    await put(HEARTBEAT);
    await put({ enabled: true });
    clock.ms += 24 * HOUR;
    expect(await missed()).toEqual([]);
  });

  test("says in its history why it is unknown", async () => {
    const { server, id, put } = await made({ ...TCP, confirmations: 1 });
    await ingestBatch(server.ctx, [failed(id, NOW, { revision: 1 })]);
    await put(HEARTBEAT);
    const rows = await server.ctx.store.db
      .selectFrom("transitions")
      .select(["to_status", "reason"])
      .where("monitor_id", "=", id)
      .orderBy("id")
      .execute();
    expect(rows.at(-1)).toEqual({ to_status: "unknown", reason: '{"code":"watch.changed"}' });
  });
});

eachEngine("the timeout of a heartbeat", (engine) => {
  test("is shown as usual whatever its grace, and may be sent back", async () => {
    const server = await serve({ engine });
    const { api } = server;
    const { id } = await makeService(server, HEARTBEAT);
    const { body } = await api("GET", `/api/services/${id}`);
    expect(body.data).toMatchObject({ timeout: 10, protocolConfig: { grace: 300 } });
    const { name, protocol, protocolConfig, checkInterval, timeout, confirmations } = body.data;
    const read = { name, protocol, protocolConfig, checkInterval, timeout, confirmations };
    const { status, body: changed } = await api("PUT", `/api/services/${id}`, read);
    expect([status, changed.data]).toEqual([200, expect.objectContaining(read)]);
    const list = await api("GET", "/v2/services");
    expect(list.body.data.find((one: { id: number }) => one.id === id)).toMatchObject({ timeout: 10 });
  });

  test("422: cannot be another, as it has none", async () => {
    const server = await serve({ engine });
    const { id } = await makeService(server, HEARTBEAT);
    const errors = {
      timeout: ["A check of type heartbeat has no timeout, as it sends nothing. Leave it out."],
    };
    const changed = await server.api("PUT", `/api/services/${id}`, { timeout: 5 });
    expect([changed.status, changed.body.errors]).toEqual([422, errors]);
    const created = await server.api("POST", "/api/services", { name: "Job", ...HEARTBEAT, timeout: 30 });
    expect([created.status, created.body.errors]).toEqual([422, errors]);
  });
});
