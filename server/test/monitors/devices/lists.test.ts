import { expect, it } from "vitest";
import { deleteProcessSamples } from "../../../src/engine/queries/retention.ts";
import { eachEngine } from "../../harness/stores.ts";
import { metrics, SECOND, serverWithDevices, T0 } from "./device-setup.ts";

const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const processOf = (name: string, cpuPercent: number, memoryMB = 10) => ({
  ...{ pid: 1, name, command: `/usr/bin/${name} --quiet`, cpuPercent, memoryMB },
  ...{ status: "running", user: "www-data" },
});

const connectionTo = (remoteAddress: string | null, remotePort: number | null = null) => ({
  ...{
    localAddress: "10.0.0.1",
    localPort: remoteAddress === null ? 443 : 50_000,
    remoteAddress,
    remotePort,
  },
  ...{
    protocol: "tcp" as const,
    status: remoteAddress === null ? "LISTEN" : "ESTABLISHED",
    processName: "nginx",
  },
});

const application = (name: string, version: string) => ({
  ...{ name, version, publisher: null, installPath: null, size: null, isRunning: false },
});

const listOf = <Item>(items: Item[], total = items.length) => ({ total, items });

eachEngine("what goes on on a device", (engine) => {
  it("is shown as it was reported last, with how much more there is", async () => {
    const { addDevice, api } = await serverWithDevices(engine);
    const { id, uuid, agent } = await addDevice();
    const empty = await api("GET", `/api/devices/${id}/processes`);
    expect(empty.body).toMatchObject({ data: [], at: null, found: 0 });
    await agent.report({
      processes: listOf([processOf("nginx", 80), processOf("sshd", 1)], 143),
      connections: listOf([connectionTo(null), connectionTo("192.0.2.7", 443)]),
      applications: listOf([application("nginx", "1.28.0")]),
      containers: listOf([
        { id: "c1", name: "db", image: "postgres:18", state: "running", status: "Up 2 days" },
      ]),
    });
    const processes = (await api("GET", `/api/devices/${id}/processes`)).body;
    expect(processes).toMatchObject({ at: new Date(T0).toISOString(), found: 143 });
    expect(processes.data[0]).toEqual(processOf("nginx", 80));
    expect((await api("GET", `/api/devices/${id}/network`)).body.data).toEqual([
      connectionTo(null),
      connectionTo("192.0.2.7", 443),
    ]);
    expect((await api("GET", `/api/devices/${id}/applications`)).body.data).toEqual([
      application("nginx", "1.28.0"),
    ]);
    expect((await api("GET", `/api/devices/${id}/containers`)).body.data).toMatchObject([{ name: "db" }]);
    const v2 = (await api("GET", `/v2/devices/${uuid}/processes?per_page=1&page=2`)).body;
    expect(v2.data).toMatchObject([{ name: "sshd", cpu_percent: 1, memory_mb: 10 }]);
    await agent.report({ processes: listOf([processOf("cron", 3)]) });
    expect((await api("GET", `/api/devices/${id}/processes`)).body.data).toMatchObject([{ name: "cron" }]);
  });

  it("keeps the busiest of several looks within a minute that come in one request", async () => {
    const { addDevice, api, ctx, clock } = await serverWithDevices(engine);
    const { id, agent } = await addDevice();
    const busy = (load: number, name: string, secondsAgo: number) => ({
      at: clock.ms - secondsAgo * SECOND,
      metrics: metrics({ "cpu.usage": load }),
      processes: listOf([processOf(name, load)]),
    });
    clock.ms += 50 * SECOND;
    const looks = [busy(20, "first", 30), busy(90, "busiest", 20), busy(30, "last", 10)];
    expect((await agent.report(...looks)).status).toBe(200);
    expect((await api("GET", `/api/devices/${id}/processes`)).body.data).toMatchObject([{ name: "last" }]);
    const samples = await ctx.store.db.selectFrom("device_process_samples").select(["at", "load"]).execute();
    expect(samples).toEqual([{ at: T0 + 30 * SECOND, load: 90 }]);
  });

  it("keeps when applications came, went and were updated", async () => {
    const { addDevice, api, clock } = await serverWithDevices(engine);
    const { id, agent } = await addDevice();
    await agent.report({ applications: listOf([application("nginx", "1.28.0"), application("vim", "9")]) });
    const url = `/api/devices/${id}/applications/changes`;
    expect((await api("GET", url)).body.data).toEqual([]);
    clock.ms += MINUTE;
    await agent.report({ applications: listOf([application("nginx", "1.28.1"), application("htop", "3")]) });
    const at = new Date(T0 + MINUTE).toISOString();
    expect((await api("GET", url)).body.data).toEqual([
      {
        id: expect.any(Number),
        timestamp: at,
        change: "installed",
        name: "htop",
        version: "3",
        formerVersion: null,
      },
      {
        id: expect.any(Number),
        timestamp: at,
        change: "updated",
        name: "nginx",
        version: "1.28.1",
        formerVersion: "1.28.0",
      },
      {
        id: expect.any(Number),
        timestamp: at,
        change: "removed",
        name: "vim",
        version: null,
        formerVersion: "9",
      },
    ]);
  });

  it.each(["/api/devices", "/v2/devices"])(
    "pages changes of one report that share a moment without losing any, at %s",
    async (family) => {
      const { addDevice, api, clock } = await serverWithDevices(engine);
      const { id, uuid, agent } = await addDevice();
      const names = ["a", "b", "c", "d", "e", "f", "g"];
      await agent.report({ applications: listOf([]) });
      for (const part of [names.slice(0, 2), names]) {
        clock.ms += MINUTE;
        await agent.report({ applications: listOf(part.map((name) => application(name, "1"))) });
      }
      const url = `${family}/${family === "/v2/devices" ? uuid : id}/applications/changes`;
      const all = (await api("GET", url)).body.data as { id: number; name: string }[];
      expect(all.map(({ name }) => name)).toEqual(["c", "d", "e", "f", "g", "a", "b"]);
      for (const limit of [1, 2, 3]) {
        const read: typeof all = [];
        for (let before = ""; ; before = `&before=${read.at(-1)?.id}`) {
          const page = (await api("GET", `${url}?limit=${limit}${before}`)).body.data;
          if (page.length === 0) break;
          read.push(...page);
        }
        expect(read).toEqual(all);
      }
      const unknown = await api("GET", `${url}?before=${(all[0]?.id ?? 0) + 1_000}`);
      expect([unknown.status, unknown.body.data]).toEqual([200, []]);
    },
  );

  it("is shown with the incidents of what runs on it, as it was when they began", async () => {
    const { addDevice, api, clock, ctx, look } = await serverWithDevices(engine);
    const made = await api("POST", "/api/services", {
      ...{ name: "Nightly", protocol: "heartbeat", protocolConfig: { grace: 60 }, checkInterval: 60 },
    });
    const service = made.body.data;
    const { id, agent } = await addDevice({ linkedMonitors: [service.uuid] });
    expect((await api("GET", `/api/devices/${id}`)).body.data.linkedMonitors).toMatchObject([
      { name: "Nightly" },
    ]);
    await agent.report({
      connections: listOf([connectionTo(null)]),
      applications: listOf([application("nginx", "1")]),
    });
    await fetch(`${service.heartbeatUrl ?? ""}`).catch(() => {});
    await api("GET", `/api/heartbeats/${service.uuid}/${service.protocolConfig.token}`);
    clock.ms += 30 * SECOND;
    await agent.report({
      metrics: metrics({ "cpu.usage": 96, "cpu.load1": 7 }),
      processes: listOf([
        processOf("miner", 380),
        ...Array.from({ length: 30 }, (_, at) => processOf(`p${at}`, at)),
      ]),
      connections: listOf([connectionTo(null), connectionTo("203.0.113.9", 3333)]),
      applications: listOf([application("nginx", "1"), application("miner", "6")]),
    });
    clock.ms += 3 * MINUTE;
    await agent.report();
    await look();
    const [incident] = (await api("GET", "/api/incidents")).body.data;
    const { data } = (await api("GET", `/api/incidents/${incident.id}/devices`)).body;
    expect(data).toMatchObject([
      {
        device: { id, name: "web-1" },
        at: new Date(T0 + 30 * SECOND).toISOString(),
        figures: { cpuUsage: 96, load: 7, memoryUsage: 41, swapUsage: null },
        newConnections: [{ remoteAddress: "203.0.113.9" }],
        changes: [{ change: "installed", name: "miner" }],
      },
    ]);
    expect(data[0].processes[0]).toMatchObject({ name: "miner", cpuPercent: 380 });
    expect(data[0].processes.length).toBeLessThan(16);
    // A day later it is still shown with the incident; what no incident shows is gone.
    clock.ms += 2 * DAY;
    await agent.report({ processes: listOf([processOf("later", 1)]) });
    clock.ms += 2 * DAY;
    expect(await deleteProcessSamples(ctx.store.db, { before: clock.ms - DAY, limit: 100 })).toBe(1);
    expect((await api("GET", `/api/incidents/${incident.id}/devices`)).body.data[0].processes[0].name).toBe(
      "miner",
    );
  });

  it("is for those who may see devices, also where an incident shows it", async () => {
    const { api, server } = await serverWithDevices(engine);
    const made = await api("POST", "/api/incidents", { title: "Problem" });
    const key = await server.createKey({ scopes: ["read:incidents"], person: server.person });
    const answer = await api("GET", `/api/incidents/${made.body.data.id}/devices`, undefined, { key });
    expect(answer.status).toBe(403);
  });
});
