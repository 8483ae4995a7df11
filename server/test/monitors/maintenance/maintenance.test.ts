import { expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { createActiveWindows } from "../../../src/monitors/maintenance/active-windows.ts";
import { type FollowedWindows, followWindows } from "../../../src/monitors/maintenance/apply-window.ts";
import { failed, probed } from "../../app/pipeline/setup.ts";
import { startTestServer } from "../../harness/server.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { makeDomain } from "../domains/factories.ts";
import { makeService } from "../services/factories.ts";

const T0 = Date.UTC(2026, 10, 21, 9);
const MINUTE = 60_000;
const iso = (at: number) => new Date(at).toISOString();

/** A server with a clock of the test's own, on which windows are looked at on demand. */
async function serverWithWindows(engine: EngineName) {
  const clock = { ms: T0, now: () => clock.ms };
  const followed: FollowedWindows[] = [];
  const server = await startTestServer({
    engine,
    clock,
    startEngine: async (ctx) => {
      ctx.windows = createActiveWindows(ctx);
      followed.push(followWindows(ctx, ctx.windows, () => {}));
      return { ...ctx.engine, stop: async () => {} };
    },
  });
  onTestFinished(server.close);
  const { ctx } = server;
  const look = async () => {
    for (const one of followed) {
      one.changed();
      await one.look();
    }
  };
  const domain = await makeDomain(server, { name: "shop", confirmations: 2, recoveries: 1, tags: ["db"] });
  const rowsOf = (table: "notifications" | "incidents" | "transitions" | "results") =>
    ctx.store.db.selectFrom(table).selectAll().execute();
  return {
    ...{ server, ctx, clock, look, followed, domain },
    /** A check a minute from now on, `x` fails; windows are looked at before each. */
    async run(checks: string) {
      for (const check of checks) {
        clock.ms += MINUTE;
        for (const one of followed) await one.look();
        const result = check === "x" ? failed(domain.id, clock.ms) : probed(domain.id, clock.ms);
        await ingestBatch(ctx, [result]);
      }
    },
    async plan(body: object) {
      const { body: answer } = await server.api("POST", "/api/maintenance", { duration: 3600, ...body });
      await look();
      return answer.data;
    },
    read: async () => (await server.api("GET", `/api/domains/${domain.id}`)).body.data,
    counts: async () => ({
      notifications: (await rowsOf("notifications")).length,
      incidents: (await rowsOf("incidents")).length,
    }),
    marks: async () =>
      (await rowsOf("results")).map(({ maintenance }: { maintenance?: number }) => maintenance),
    transitions: () => ctx.store.db.selectFrom("transitions").selectAll().orderBy("id").execute(),
  };
}

eachEngine("a maintenance window", (engine) => {
  it("opens no incident and notifies nobody, marks results, shows until when, and is left out of uptime", async () => {
    const on = await serverWithWindows(engine);
    await on.run("..");
    const window = await on.plan({ tags: ["db"] });
    expect((await on.read()).maintenanceUntil).toBe(window.openUntil);
    await on.run("xxxx");
    expect(await on.read()).toMatchObject({ state: "down", maintenanceUntil: window.openUntil });
    expect(await on.counts()).toEqual({ notifications: 0, incidents: 0 });
    expect(await on.marks()).toEqual([0, 0, 1, 1, 1, 1]);
    expect((await on.read()).uptimePercentage).toBe(100);
    const summary = await on.server.api("GET", `/api/domains/${on.domain.id}/summary`);
    expect(JSON.stringify(summary.body.data)).not.toMatch(/"downSeconds":[1-9]/);
  });

  it("is what lists can be narrowed to, of domains and services, in both families, and what their metrics count", async () => {
    const on = await serverWithWindows(engine);
    const service = await makeService(on.server, { name: "db", tags: ["db"] });
    await makeDomain(on.server, { name: "blog", url: "https://blog.test" });
    await makeService(on.server, { name: "cache" });
    const names = async (path: string) => {
      const { status, body } = await on.server.api("GET", path);
      expect([path, status]).toEqual([path, 200]);
      return [body.data.map((one: { name: string }) => one.name), body.pagination?.total].flat();
    };
    const counted = async (path: string) => (await on.server.api("GET", path)).body.data.maintenance;
    expect(await names("/v2/domains?maintenance=true")).toEqual([0]);
    await on.plan({ tags: ["db"] });
    expect(await names("/api/domains?maintenance=true&page=1")).toEqual(["shop", 1]);
    expect(await names("/api/domains?maintenance=false&page=1")).toEqual(["blog", 1]);
    expect(await names("/v2/domains?maintenance=true&sort=uptime&per_page=1")).toEqual(["shop", 1]);
    expect(await names("/api/domains?maintenance=true&search=blog&page=1")).toEqual([0]);
    expect(await names("/api/services?maintenance=true&page=1")).toEqual(["db", 1]);
    expect(await names("/v2/services?maintenance=false&sort=name")).toEqual(["cache", 1]);
    expect([await counted("/api/domains/stats"), await counted("/v2/services/stats")]).toEqual([1, 1]);
    const refused = await on.server.api("GET", "/api/services?maintenance=soon");
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["maintenance"]]);
    await on.server.api("PUT", `/api/services/${service.id}`, { tags: [] });
    await on.look();
    expect(await names("/v2/services?maintenance=true")).toEqual([0]);
  });

  it("does not swallow an outage that lasts past it: a fresh confirmation opens it", async () => {
    const on = await serverWithWindows(engine);
    await on.run("..");
    await on.plan({ monitorIds: [on.domain.id], duration: 240 });
    await on.run("xxx");
    expect(await on.counts()).toEqual({ notifications: 0, incidents: 0 });
    await on.run("x");
    expect([(await on.read()).maintenanceUntil, (await on.read()).state]).toEqual([null, "unknown"]);
    expect(await on.counts()).toEqual({ notifications: 0, incidents: 0 });
    await on.run("x");
    expect((await on.read()).state).toBe("down");
    expect(await on.counts()).toEqual({ notifications: 1, incidents: 1 });
    const incident = await on.ctx.store.db.selectFrom("incidents").select("started_at").executeTakeFirst();
    expect(incident?.started_at).toBe(on.clock.ms - MINUTE);
  });

  it("leaves an outage open that began before it, quietly", async () => {
    const on = await serverWithWindows(engine);
    await on.run(".xx");
    expect(await on.counts()).toEqual({ notifications: 1, incidents: 1 });
    await on.plan({ everything: true });
    await on.run("xxxx");
    expect(await on.counts()).toEqual({ notifications: 1, incidents: 1 });
    const open = await on.server.api("GET", "/api/incidents?active=true");
    expect(open.body.data).toHaveLength(1);
  });

  it("does not take what was found in it for new when it comes late", async () => {
    const on = await serverWithWindows(engine);
    await on.run("..");
    await on.plan({ everything: true, duration: 120 });
    const inside = on.clock.ms + MINUTE;
    on.clock.ms += 3 * MINUTE;
    for (const one of on.followed) await one.look();
    await ingestBatch(on.ctx, [failed(on.domain.id, inside), failed(on.domain.id, inside + 1_000)]);
    expect(await on.marks()).toEqual([0, 0, 1, 1]);
    expect((await on.read()).state).toBe("up");
    expect(await on.counts()).toEqual({ notifications: 0, incidents: 0 });
  });

  it("is followed after a restart, ended early, extended, and by a second process only once", async () => {
    const on = await serverWithWindows(engine);
    await on.run("..");
    const window = await on.plan({ everything: true });
    const again = createActiveWindows(on.ctx);
    const second = followWindows(on.ctx, again, () => {});
    const before = (await on.transitions()).length;
    await second.look();
    expect((await on.transitions()).length).toBe(before);
    await on.server.api("PUT", `/api/maintenance/${window.id}`, { duration: 7200 });
    second.changed();
    await second.look();
    expect((await on.read()).maintenanceUntil).toBe(iso(Date.parse(window.startsAt) + 7_200_000));
    expect((await on.transitions()).length).toBe(before);
    on.clock.ms += MINUTE;
    await on.server.api("POST", `/api/maintenance/${window.id}/end`, {});
    await on.look();
    expect((await on.read()).maintenanceUntil).toBeNull();
    expect((await on.transitions()).at(-1)).toMatchObject({
      maintenance: 0,
      from_status: "up",
      to_status: "up",
    });
  });

  it("ends with the window's deletion, and covers a monitor that gets its tag", async () => {
    const on = await serverWithWindows(engine);
    await on.run("..");
    const window = await on.plan({ tags: ["later"] });
    expect((await on.read()).maintenanceUntil).toBeNull();
    await on.server.api("PUT", `/api/domains/${on.domain.id}`, { tags: ["later"] });
    await on.run("x");
    expect((await on.read()).maintenanceUntil).toBe(window.openUntil);
    await on.server.api("DELETE", `/api/maintenance/${window.id}`);
    await on.look();
    expect((await on.read()).maintenanceUntil).toBeNull();
  });
});
