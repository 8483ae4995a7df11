import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { agentOf, metrics, SECOND, serverWithDevices, storingEngine, system, T0 } from "./device-setup.ts";

eachEngine("a device", (engine) => {
  it("is shown as its agent describes it, in lists, by itself and in metrics", async () => {
    const { addDevice, api } = await serverWithDevices(engine);
    const { id, agent } = await addDevice({ tags: ["web"] });
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({
      ...{
        name: "web-1",
        hostname: null,
        status: "unknown",
        isOnline: false,
        lastSeen: null,
        healthStatus: null,
      },
    });
    const answer = await agent.report({ system: system(), metrics: metrics() });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      acknowledged: 1,
      serverTime: T0,
      intervals: { metrics: 10, processes: 60, connections: 60, applications: 21_600 },
      limits: { bodyBytes: 2 * 1024 * 1024, reports: 100 },
    });
    const seen = {
      ...{ id, name: "web-1", hostname: "web-1", platform: "linux", status: "online", isOnline: true },
      ...{ lastSeen: new Date(T0).toISOString(), healthStatus: "healthy", tags: ["web"] },
      metrics: { cpuUsage: 12.5, memoryUsage: 41, diskUsage: 70 },
    };
    expect((await api("GET", "/api/devices")).body.data).toEqual([expect.objectContaining(seen)]);
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({
      ...seen,
      ...{ architecture: "x64", cpuCores: 4, totalMemory: 8 * 1024 ** 3, agentVersion: "1.0.0" },
      ...{ rival: null, copies: [], linkedMonitors: [], clockAheadSeconds: 0 },
    });
    expect((await api("GET", "/api/devices/stats")).body.data).toMatchObject({
      ...{ total: 1, online: 1, offline: 0, healthy: 1, warning: 0, critical: 0, activeIncidents: 0 },
    });
    const v2 = (await api("GET", "/v2/devices")).body;
    expect(v2.data[0]).toMatchObject({
      status: "online",
      os: "Debian GNU/Linux 13 (trixie)",
      metrics: { cpu_usage: 12.5 },
    });
    expect(v2.pagination).toMatchObject({ total: 1 });
  });

  it("is offline after three intervals of silence, which is an incident, and online with the next report", async () => {
    const { addDevice, api, clock, look } = await serverWithDevices(engine);
    const { id, agent } = await addDevice();
    await agent.report();
    clock.ms += 29 * SECOND;
    await look();
    expect((await api("GET", `/api/devices/${id}`)).body.data.status).toBe("online");
    clock.ms += 2 * SECOND;
    await look();
    const off = (await api("GET", `/api/devices/${id}`)).body.data;
    expect(off).toMatchObject({ status: "offline", isOnline: false });
    expect(off.lastReason).toContain("has not reported since");
    expect((await api("GET", "/api/devices/stats")).body.data).toMatchObject({
      offline: 1,
      activeIncidents: 1,
    });
    const { data: incidents } = (await api("GET", "/api/incidents")).body;
    expect(incidents).toMatchObject([{ title: "web-1 is down", status: "open" }]);
    await agent.report();
    expect((await api("GET", `/api/devices/${id}`)).body.data.status).toBe("online");
    expect((await api("GET", "/api/devices/stats")).body.data).toMatchObject({
      online: 1,
      activeIncidents: 0,
    });
  });

  it("takes each sequence once, however often it is sent", async () => {
    const { addDevice, ctx, server } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    const body = agent.bodyOf([
      { metrics: metrics() },
      { metrics: metrics({ "cpu.usage": 99 }), at: T0 - 5 * SECOND },
    ]);
    const { sendReport } = await import("./device-setup.ts");
    const answers = await Promise.all([1, 2, 3].map(() => sendReport(server.url, token, body)));
    expect(answers.map(({ status, body: { data } }) => [status, data.acknowledged])).toEqual(
      Array.from({ length: 3 }, () => [200, 2]),
    );
    const rows = await ctx.store.db
      .selectFrom("device_reports")
      .select("at")
      .where("monitor_id", "=", id)
      .execute();
    expect(rows.map(({ at }) => at).sort()).toEqual([T0 - 5 * SECOND, T0]);
  });

  it("takes each sequence once, whatever their order in a request and however often they are in it", async () => {
    const { addDevice, ctx, send } = await serverWithDevices(engine);
    const { agent, token } = await addDevice();
    const [second, first] = [2, 1].map((sequence) => ({ sequence, metrics: metrics(), at: T0 - 5 * SECOND }));
    const sent = [
      [{ ...second, at: T0 - SECOND }, first],
      [{ ...second, at: T0 - 2 * SECOND }],
      [3, 4].map((ago) => ({ sequence: 3, metrics: metrics(), at: T0 - ago * SECOND })),
    ];
    const acknowledged: number[] = [];
    for (const reports of sent)
      acknowledged.push((await send(token, agent.bodyOf(reports as object[]))).body.data.acknowledged);
    expect(acknowledged).toEqual([2, 2, 3]);
    const rows = await ctx.store.db.selectFrom("device_reports").select("at").orderBy("at").execute();
    expect(rows.map(({ at }) => (at - T0) / SECOND)).toEqual([-5, -3, -1]);
  });

  it("is not evaluated by what its agent queued while it could not reach the server, all of which is stored", async () => {
    const { addDevice, api, clock, ctx, send } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    await agent.report();
    const full = metrics({ "disk./.usage": 97 });
    /** What was queued meanwhile, each ten seconds after the one before, of which the last was `ago` seconds ago. */
    const bring = (count: number, values: Record<string, number>, ago: number) =>
      send(
        token,
        agent.bodyOf(
          Array.from({ length: count }, (_, at) => ({
            metrics: values,
            at: clock.ms - (ago + 10 * (count - 1 - at)) * SECOND,
          })),
        ),
      );
    const health = async () => (await api("GET", `/api/devices/${id}`)).body.data.healthStatus;
    clock.ms += 3_600 * SECOND;
    expect((await bring(60, full, 1_800)).status).toBe(200);
    expect(await health()).toBe("healthy");
    expect((await bring(60, metrics(), 30)).status).toBe(200);
    expect(await health()).toBe("healthy");
    const stored = await ctx.store.db.selectFrom("device_reports").select("at").execute();
    expect(stored).toHaveLength(121);
    expect((await api("GET", "/api/incidents")).body.data).toEqual([]);
    // Only what is of now counts.
    for (let left = 8; left > 0; left -= 1) {
      clock.ms += 10 * SECOND;
      await bring(1, full, 0);
    }
    expect(await health()).toBe("critical");
    // It was well for a while, and how it is now is unknown: the level stays until that is known.
    clock.ms += 3_600 * SECOND;
    await bring(60, metrics(), 1_800);
    expect(await health()).toBe("critical");
    for (let left = 8; left > 0; left -= 1) {
      await bring(1, metrics(), 0);
      clock.ms += 10 * SECOND;
    }
    expect(await health()).toBe("healthy");
  });

  it("is silent, whatever it was before, and only reports move when it was last seen", async () => {
    const { addDevice, api, clock, ctx, look } = await serverWithDevices(engine);
    const { id, agent } = await addDevice();
    for (let left = 8; left > 0; left -= 1) {
      clock.ms += 10 * SECOND;
      await agent.report({ metrics: metrics({ "disk./.usage": 97 }) });
    }
    const lastSeen = new Date(clock.ms).toISOString();
    const shown = async () => (await api("GET", `/api/devices/${id}`)).body.data;
    expect(await shown()).toMatchObject({ status: "online", healthStatus: "critical", lastSeen });
    const reports = async () =>
      (
        await ctx.store.db
          .selectFrom("events")
          .select("payload")
          .where("type", "=", "device.reported")
          .execute()
      ).length;
    const before = await reports();
    for (let left = 12; left > 0; left -= 1) {
      clock.ms += 10 * SECOND;
      await look();
    }
    expect(await shown()).toMatchObject({
      ...{ status: "offline", state: "down", isOnline: false, healthStatus: null, lastSeen },
      lastReason: expect.stringContaining("The agent has not reported since"),
    });
    expect((await api("GET", "/api/devices")).body.data).toMatchObject([
      { status: "offline", healthStatus: null, lastSeen },
    ]);
    expect((await api("GET", "/api/devices/stats")).body.data).toMatchObject({ offline: 1, critical: 0 });
    expect(await reports()).toBe(before);
    await agent.report();
    expect(await shown()).toMatchObject({ status: "online", lastSeen: new Date(clock.ms).toISOString() });
    expect(await reports()).toBe(before + 1);
  });

  it("says which of its mounts do not answer, and is no better for not knowing how full they are", async () => {
    const { addDevice, api, clock } = await serverWithDevices(engine);
    const { id, agent } = await addDevice();
    const shown = async () => (await api("GET", `/api/devices/${id}`)).body.data;
    expect((await shown()).unresponsiveMounts).toEqual([]);
    const report = async (one: object, count: number) => {
      for (let left = count; left > 0; left -= 1) {
        clock.ms += 10 * SECOND;
        expect((await agent.report(one)).status).toBe(200);
      }
    };
    await report({ metrics: metrics({ "disk./mnt/nas.usage": 97 }) }, 8);
    const unresponsiveMounts = ["/mnt/nas", "/mnt/other"];
    await report({ metrics: metrics(), unresponsiveMounts }, 30);
    expect(await shown()).toMatchObject({ healthStatus: "critical", unresponsiveMounts });
    expect((await api("GET", `/v2/devices/${(await shown()).uuid}`)).body.data.unresponsive_mounts).toEqual(
      unresponsiveMounts,
    );
    // It was unmounted.
    await report({ metrics: metrics() }, 8);
    expect(await shown()).toMatchObject({ healthStatus: "healthy", unresponsiveMounts: [] });
    await report({ metrics: metrics(), unresponsiveMounts: ["/mnt/nas", "/mnt/nas"] }, 1);
    expect((await shown()).unresponsiveMounts).toEqual(["/mnt/nas"]);
  });

  it("takes absolute paths alone for mounts that do not answer", async () => {
    const { addDevice } = await serverWithDevices(engine);
    const { agent } = await addDevice();
    for (const path of ["", " ", "nas", "/a\n", `/${"a".repeat(1_024)}`]) {
      const { status, body } = await agent.report({ metrics: metrics(), unresponsiveMounts: [path] });
      expect([status, Object.keys(body.errors)]).toEqual([422, ["reports.0.unresponsiveMounts.0"]]);
    }
  });

  it("is distinguished from a copy that reports with its token, which is refused and shown", async () => {
    const { addDevice, api, clock, server } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    await agent.report({ system: system("original"), metrics: metrics() });
    const copy = agentOf(server, token, { bootId: "boot-2" });
    const refused = await copy.report({ system: system("copy"), metrics: metrics() });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain("Each device needs a token of its own");
    // As long as no other machine has reported since, it may have been the machine itself, started anew.
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({
      hostname: "original",
      rival: null,
    });
    clock.ms += 10 * SECOND;
    expect((await agent.report()).status).toBe(200);
    expect((await copy.report()).status).toBe(409);
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({
      hostname: "original",
      rival: { address: "127.0.0.1" },
    });
  });

  it("may be another machine once it has been silent for as long as it counts as online", async () => {
    const { addDevice, api, clock, server } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    await agent.report({ system: system("old"), metrics: metrics() });
    const next = agentOf(server, token, { bootId: "boot-2" });
    clock.ms += 30 * SECOND;
    expect((await next.report({ system: system("new"), metrics: metrics() })).body.data.acknowledged).toBe(1);
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({
      hostname: "new",
      rival: null,
    });
  });

  it.each([
    ["a day", 86_400],
    ["an hour", 3_600],
    ["two minutes", 120],
  ])(
    "is evaluated, and may be another machine, also after the server's clock was %s ahead",
    async (_, ahead) => {
      const { addDevice, api, clock, server } = await serverWithDevices(engine);
      const { id, agent, token } = await addDevice();
      clock.ms += ahead * SECOND;
      await agent.report();
      clock.ms = T0;
      for (let left = 8; left > 0; left -= 1) {
        clock.ms += 10 * SECOND;
        await agent.report({ metrics: metrics({ "disk./.usage": 97 }) });
      }
      expect((await api("GET", `/api/devices/${id}`)).body.data.healthStatus).toBe("critical");
      const before = clock.ms;
      clock.ms += ahead * SECOND;
      await agent.report();
      clock.ms = before;
      const next = agentOf(server, token, { bootId: "boot-2" });
      expect((await next.report()).status).toBe(200);
    },
  );

  it("goes on at once when its agent is started again, but not when the former one comes back", async () => {
    const { addDevice, server } = await serverWithDevices(engine);
    const { agent, token } = await addDevice();
    await agent.report();
    const restarted = agentOf(server, token, { ...agent.agent, run: randomUUID() });
    restarted.bodyOf([{}]);
    expect((await restarted.report()).body.data.acknowledged).toBe(2);
    expect((await agent.report()).status).toBe(409);
  });

  it("goes on at once when its machine was started anew since its last report", async () => {
    const { addDevice, api, clock, server } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice();
    await agent.report({ system: system(), metrics: metrics() });
    const rebooted = agentOf(server, token, { ...agent.agent, bootId: "boot-2", run: randomUUID() });
    rebooted.bodyOf([{}]);
    clock.ms += 20 * SECOND;
    // By the device's clock, which may be wrong.
    const bootedAt = (secondsAgo: number) => ({ ...system(), bootedAt: clock.ms - secondsAgo * SECOND });
    // A copy that has been running for longer than the device has been silent is no machine that was started anew.
    const copy = agentOf(server, token, { ...agent.agent, bootId: "boot-3", run: randomUUID() });
    copy.bodyOf([{}]);
    expect((await copy.report({ system: bootedAt(21), metrics: metrics() })).status).toBe(409);
    expect((await rebooted.report({ system: bootedAt(15), metrics: metrics() })).body.data).toMatchObject({
      acknowledged: 2,
    });
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({ isOnline: true, rival: null });
    expect((await agent.report({ system: system(), metrics: metrics() })).status).toBe(409);
    expect((await rebooted.report({ metrics: metrics() })).status).toBe(200);
  });

  it("is not taken over by a copy that is started between two of its reports", async () => {
    const { addDevice, api, clock, server } = await serverWithDevices(engine);
    const { id, agent, token } = await addDevice({ checkInterval: 60 });
    await agent.report({ system: system(), metrics: metrics() });
    const copy = agentOf(server, token, { ...agent.agent, bootId: "boot-2", run: randomUUID() });
    clock.ms += 30 * SECOND;
    const started = { system: { ...system("copy"), bootedAt: clock.ms - 20 * SECOND }, metrics: metrics() };
    expect((await copy.report(started)).status).toBe(409);
    clock.ms += 32 * SECOND;
    expect((await agent.report()).status).toBe(200);
    expect((await copy.report(started)).status).toBe(409);
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({ rival: { hostname: "copy" } });
    // Started anew it is at once, once its next report is late.
    clock.ms += 100 * SECOND;
    const rebooted = agentOf(server, token, { ...agent.agent, bootId: "boot-3", run: randomUUID() });
    const late = { system: { ...system(), bootedAt: clock.ms - 20 * SECOND }, metrics: metrics() };
    expect((await rebooted.report(late)).status).toBe(200);
  });

  it("names other devices with the same machine id", async () => {
    const { addDevice, api } = await serverWithDevices(engine);
    const one = await addDevice();
    const two = await addDevice({ name: "web-2" });
    await one.agent.report();
    await two.agent.report();
    expect((await api("GET", `/api/devices/${one.id}`)).body.data.copies).toEqual([
      { id: two.id, uuid: two.uuid, name: "web-2" },
    ]);
  });

  it("is found by its name, its tags and the name that the machine has, whatever their case", async () => {
    const { addDevice, api } = await serverWithDevices(engine);
    const { agent } = await addDevice({ tags: ["ledger"] });
    await addDevice({ name: "web-2" });
    await agent.report({ system: system("Db-07.Northwind.test"), metrics: metrics() });
    const found = async (search: string) => {
      const { data } = (await api("GET", `/api/devices?search=${search}`)).body;
      return data.map(({ name }: { name: string }) => name);
    };
    expect(await found("db-07.NORTH")).toEqual(["web-1"]);
    expect(await found("ledger")).toEqual(["web-1"]);
    expect(await found("WEB-2")).toEqual(["web-2"]);
    expect(await found("nothing")).toEqual([]);
  });

  it.each(["/api/devices", "/v2/devices"])("is found by its status in both words, at %s", async (address) => {
    const { addDevice, api, clock, look } = await serverWithDevices(engine);
    const gone = await addDevice({ name: "gone" });
    const there = await addDevice({ name: "there" });
    await addDevice({ name: "never" });
    await gone.agent.report();
    clock.ms += 40 * SECOND;
    await there.agent.report();
    await look();
    const found = async (status: string) => {
      const { data } = (await api("GET", `${address}?status=${status}`)).body;
      return data.map(({ name }: { name: string }) => name);
    };
    expect(await found("online")).toEqual(["there"]);
    expect(await found("offline")).toEqual(["gone"]);
    expect(await found("up")).toEqual(["there"]);
    expect(await found("down")).toEqual(["gone"]);
    expect(await found("unknown")).toEqual(["never"]);
    const refused = await api("GET", `${address}?status=healthy`);
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors)).toEqual(["status"]);
  });

  it("is refused a name that another one has, in words that name no address", async () => {
    const { addDevice, api } = await serverWithDevices(engine);
    await addDevice();
    const again = await api("POST", "/api/devices", { name: "web-1" });
    expect(again.status).toBe(422);
    expect(again.body.errors).toEqual({
      name: ["There is a device web-1 already. Give this one another name."],
    });
  });

  it("takes no report of a device that is deleted while the report is on its way", async () => {
    let onTheWay = async () => {};
    const { addDevice, api, ctx } = await serverWithDevices(engine, {
      startEngine: async (context) => {
        const own = await storingEngine(context);
        const accept: typeof own.accept = async (...sent) => {
          await onTheWay();
          return own.accept(...sent);
        };
        return { ...own, accept };
      },
    });
    const { id, agent } = await addDevice();
    onTheWay = async () => void (await api("DELETE", `/api/devices/${id}`));
    expect((await agent.report()).status).toBe(401);
    expect(await ctx.store.db.selectFrom("device_reports").selectAll().execute()).toEqual([]);
  });

  it("has another token at once when it is replaced", async () => {
    const { addDevice, api, server } = await serverWithDevices(engine);
    const { id, agent } = await addDevice();
    await agent.report();
    const replaced = await api("POST", `/api/devices/${id}/regenerate-token`);
    expect(replaced.status).toBe(200);
    expect((await agent.report()).status).toBe(401);
    const again = agentOf(server, replaced.body.data.token, agent.agent);
    again.bodyOf([{}, {}]);
    expect((await again.report()).status).toBe(200);
  });
});
