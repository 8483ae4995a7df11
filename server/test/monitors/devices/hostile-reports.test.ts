import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { metrics, serverWithDevices, system, T0 } from "./device-setup.ts";

const YEAR = 366 * 86_400_000;
const process = {
  pid: 1,
  name: "p",
  command: "p",
  cpuPercent: 0,
  memoryMB: 0,
  status: "sleeping",
  user: "root",
};

const LONG = `disk.${"x".repeat(300)}.usage`;

eachEngine("a report that is hostile or broken", (engine) => {
  it.each([
    ["a figure that is not finite", { metrics: { "cpu.usage": "NaN" } }, 422, "reports.0.metrics.cpu.usage"],
    ["a negative size", { system: { ...system(), totalMemory: -1 } }, 422, "reports.0.system.totalMemory"],
    [
      "a negative size of an application",
      {
        applications: {
          total: 1,
          items: [
            { name: "a", version: "1", publisher: null, installPath: null, size: -1, isRunning: false },
          ],
        },
      },
      ...[422, "reports.0.applications.items.0.size"],
    ],
    [
      "a process of negative memory",
      { processes: { total: 1, items: [{ ...process, memoryMB: -5 }] } },
      ...[422, "reports.0.processes.items.0.memoryMB"],
    ],
    ["a figure beyond all measure", { metrics: { "cpu.usage": 1e300 } }, 422, "reports.0.metrics.cpu.usage"],
    [
      "a hostname with control characters",
      { system: system("web\u001b[2J") },
      422,
      "reports.0.system.hostname",
    ],
    ["a share below zero", { metrics: { "cpu.usage": -5 } }, 422, "reports.0.metrics.cpu.usage"],
    [
      "a negative size of a disk",
      { metrics: { "disk./srv/x.d.used": -100 } },
      ...[422, "reports.0.metrics.disk./srv/x.d.used"],
    ],
    ["a metric with a name of 300", { metrics: { [LONG]: 1 } }, 422, `reports.0.metrics.${LONG}`],
    ["a metric of no known type", { metrics: { "weather.rain": 1 } }, 422, "reports.0.metrics.weather.rain"],
    [
      "more processes than are taken",
      { processes: { total: 201, items: Array.from({ length: 201 }, () => process) } },
      ...[422, "reports.0.processes.items"],
    ],
    ["a sequence that is none", { sequence: 0 }, 422, "reports.0.sequence"],
  ] as const)("refuses %s, names it and stores nothing", async (_, change, status, field) => {
    const { addDevice, api, ctx, send } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    const answer = await send(token, agent.bodyOf([{ metrics: metrics() }, change as object]));
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body.errors)).toContain(field.replace("reports.0", "reports.1"));
    expect(await ctx.store.db.selectFrom("device_reports").selectAll().execute()).toEqual([]);
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({
      isOnline: false,
      lastSeen: null,
    });
    expect((await agent.report()).status).toBe(200);
  });

  it("takes temperatures below zero, and metrics that it does not know, whatever their sign", async () => {
    const { addDevice } = await serverWithDevices(engine);
    const { agent } = await addDevice();
    const cold = { "cpu.temperature": -4.5, "network.eth0.signal": -61, "disk./a.usage.trend": -1 };
    expect((await agent.report({ metrics: metrics(cold) })).status).toBe(200);
  });

  it("refuses NaN, which is no JSON, with a 400 that says so", async () => {
    const { addDevice, ctx, send } = await serverWithDevices(engine);
    const { agent, token } = await addDevice();
    const text = JSON.stringify(agent.bodyOf([{ metrics: metrics() }])).replace("12.5", "NaN");
    expect(text).toContain(":NaN");
    const answer = await send(token, gzipSync(text));
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/JSON/);
    expect(await ctx.store.db.selectFrom("device_reports").selectAll().execute()).toEqual([]);
  });

  it("refuses a million processes before they are read, however small they are packed", async () => {
    const { addDevice, api, send } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    const items = Array.from({ length: 1_000_000 }, () => process);
    const body = gzipSync(JSON.stringify(agent.bodyOf([{ processes: { total: items.length, items } }])));
    expect(body.length).toBeLessThan(2 * 1024 * 1024);
    const answer = await send(token, body);
    expect(answer.status).toBe(413);
    expect((await api("GET", `/api/devices/${id}/processes`)).body).toMatchObject({ data: [], found: 0 });
  });

  it("refuses an unknown token, one that was revoked, and an API key, each with a 401", async () => {
    const { addDevice, api, ctx, send, server } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    const body = agent.bodyOf([{ metrics: metrics() }]);
    await api("POST", `/api/devices/${id}/regenerate-token`);
    for (const wrong of [`vda_${"x".repeat(43)}`, token, server.key, "", "vda_"])
      expect((await send(wrong, body)).status).toBe(401);
    expect(await ctx.store.db.selectFrom("device_reports").selectAll().execute()).toEqual([]);
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({ lastSeen: null });
  });

  it("disturbs no other agent that reports at the same moment", async () => {
    const { addDevice, send } = await serverWithDevices(engine);
    const bad = await addDevice();
    const others = await Promise.all(
      Array.from({ length: 5 }, (_, at) => addDevice({ name: `other-${at}` })),
    );
    const broken = [
      send(bad.token, bad.agent.bodyOf([{ metrics: { "cpu.usage": 1e300 } }])),
      send(bad.token, gzipSync(Buffer.alloc(64 * 1024 * 1024, " "))),
      send(bad.token, gzipSync("{").subarray(0, 8)),
      send(`vda_${"x".repeat(43)}`, bad.agent.bodyOf([{ metrics: metrics() }])),
    ];
    const good = others.map(({ agent }) => agent.report());
    expect((await Promise.all(good)).map(({ status }) => status)).toEqual(others.map(() => 200));
    expect((await Promise.all(broken)).map(({ status }) => status)).toEqual([422, 413, 400, 401]);
  });

  it("refuses a body that is cut off, a bomb, no JSON and another coding, each for what it is", async () => {
    const { addDevice, send } = await serverWithDevices(engine);
    const { agent, token } = await addDevice();
    const whole = gzipSync(JSON.stringify(agent.bodyOf([{ metrics: metrics() }])));
    const statuses = async (body: Buffer, headers?: Record<string, string>) =>
      (await send(token, body, headers)).status;
    expect(await statuses(whole.subarray(0, whole.length / 2))).toBe(400);
    expect(await statuses(gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")))).toBe(413);
    expect(await statuses(gzipSync("{"))).toBe(400);
    expect(await statuses(whole, { "content-encoding": "zstd-unknown" })).toBe(415);
    expect((await agent.report()).status).toBe(200);
  });

  it("dates a report of a clock that is a year ahead, or behind, by the server's", async () => {
    const { addDevice, api, ctx, send } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    for (const off of [YEAR, -YEAR]) {
      const sentAt = T0 + off;
      const body = agent.bodyOf([{ metrics: metrics(), at: sentAt - 5_000 + off / YEAR }], { sentAt });
      expect((await send(token, body)).status).toBe(200);
    }
    const rows = await ctx.store.db.selectFrom("device_reports").select("at").orderBy("at").execute();
    expect(rows.map(({ at }) => at - T0)).toEqual([-5_001, -4_999]);
    const { clockAheadSeconds } = (await api("GET", `/api/devices/${id}`)).body.data;
    expect(clockAheadSeconds).toBe(-YEAR / 1000);
  });

  it("shows markup as the text that it is", async () => {
    const { addDevice, api } = await serverWithDevices(engine);
    const { id, agent } = await addDevice();
    const markup = `<img src=x onerror="alert(1)">`;
    await agent.report({
      system: system(markup),
      processes: { total: 1, items: [{ ...process, name: markup }] },
    });
    expect((await api("GET", `/api/devices/${id}`)).body.data.hostname).toBe(markup);
    expect((await api("GET", `/api/devices/${id}/processes`)).body.data[0].name).toBe(markup);
  });
});
