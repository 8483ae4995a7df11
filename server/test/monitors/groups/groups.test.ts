import { expect, it, onTestFinished } from "vitest";
import { followEvents } from "../../../src/app/engine.ts";
import { createLive } from "../../../src/app/live/hub.ts";
import { ingestBatch, sweepStale } from "../../../src/app/pipeline.ts";
import { type Followed, followMembers } from "../../../src/monitors/find-members.ts";
import { installation } from "../../app/engine/setup.ts";
import { failed, probed } from "../../app/pipeline/setup.ts";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer } from "../../harness/server.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { makeDomain } from "../domains/factories.ts";
import { makeService } from "../services/factories.ts";

const T0 = Date.UTC(2026, 10, 21, 9);
const MINUTE = 60_000;

/** A server with a clock of the test's own, on which monitors get their results and groups look on demand. */
async function serverWithGroups(engine: EngineName) {
  const clock = { ms: T0, now: () => clock.ms };
  const followed: Followed[] = [];
  const server = await startTestServer({
    engine,
    clock,
    startEngine: async (ctx) => {
      followed.push(followMembers(ctx));
      return {
        ...ctx.engine,
        monitorChanged: (id) => followed[0]?.changed(id),
        stop: async () => {},
      };
    },
  });
  onTestFinished(server.close);
  const { ctx } = server;
  const ids = new Map<string, number>();
  const member = async (name: string, more: object = {}) => {
    const { id, uuid } = await makeDomain(server, {
      ...more,
      url: `https://${name}.test`,
      name,
      confirmations: 1,
      recoveries: 1,
    });
    ids.set(name, id);
    return uuid;
  };
  let at = T0;
  return {
    server,
    ctx,
    clock,
    followed,
    ids,
    member,
    members: (...names: string[]) => Promise.all(names.map((name) => member(name))),
    group: (members: readonly string[], more: object = {}, settings: object = {}) =>
      makeService(server, {
        name: `Group of ${members.length}`,
        protocol: "group",
        protocolConfig: { members, ...more },
        ...settings,
      }),
    /** One check of a member now. */
    async check(name: string, verdict: "ok" | "failed" | "degraded" = "ok") {
      const id = ids.get(name) ?? 0;
      at = Math.max(at + 1, clock.ms);
      clock.ms = at;
      const result = verdict === "failed" ? failed(id, at) : probed(id, at, { verdict });
      await ingestBatch(ctx, [result]);
      for (const one of followed) one.changed(id);
    },
    look: async () => {
      for (const one of followed) await one.look();
    },
    read: async (id: number) => (await server.api("GET", `/api/services/${id}`)).body.data,
    results: async (id: number) => {
      const rows = ctx.store.db.selectFrom("results").selectAll().where("monitor_id", "=", id);
      return (await rows.orderBy("scheduled_at").execute()).map(({ outcome }) => outcome);
    },
    notifications: async (id: number) => {
      const rows = ctx.store.db.selectFrom("notifications").selectAll().where("monitor_id", "=", id);
      return (await rows.orderBy("id").execute()).map(({ event }) => event);
    },
  };
}

eachEngine("a group", (engine) => {
  it("shares the incident of the member that took it down, also minutes later, with one notification", async () => {
    const on = await serverWithGroups(engine);
    const group = await on.group(await on.members("a", "b"), {}, { name: "All" });
    for (const name of ["a", "b"]) await on.check(name);
    await on.look();
    await on.check("a", "failed");
    on.clock.ms += 5 * MINUTE;
    await on.look();
    const incidents = (await on.server.api("GET", "/api/incidents")).body.data;
    expect(incidents.map((one: { title: string; grouping: string }) => [one.title, one.grouping])).toEqual([
      ["a and 1 other monitor are down", "All depends on a."],
    ]);
    const reported = await on.ctx.store.db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "notification")
      .orderBy("id")
      .execute();
    const toasts = reported.map(({ payload }) => JSON.parse(payload)).filter(({ isQuiet }) => !isQuiet);
    expect(toasts.map(({ monitorId }) => monitorId)).toEqual([on.ids.get("a")]);
    await on.check("a");
    await on.look();
    expect((await on.read(group.id)).state).toBe("up");
    const [after] = (await on.server.api("GET", "/api/incidents")).body.data;
    expect([after.status, after.title]).toEqual(["resolved", "a and 1 other monitor were down"]);
  });

  it("joins the incident of a member that had been down before the group was made, however long", async () => {
    const on = await serverWithGroups(engine);
    const members = await on.members("a", "b");
    await on.check("b");
    await on.check("a", "failed");
    on.clock.ms += 60 * MINUTE;
    await on.check("a", "failed");
    await on.check("b");
    const group = await on.group(members, {}, { name: "All" });
    await on.look();
    expect((await on.read(group.id)).state).toBe("down");
    const incidents = (await on.server.api("GET", "/api/incidents")).body.data;
    expect(incidents.map((one: { title: string }) => one.title)).toEqual(["a and 1 other monitor are down"]);
    expect(incidents[0].description).toContain("All depends on a.");
    expect(incidents[0].grouping).toBe("All depends on a.");
  });

  it("joins the incident of its most severe member where two went down together, and opens none of its own", async () => {
    const on = await serverWithGroups(engine);
    const members = [await on.member("a"), await on.member("b", { severity: "critical" })];
    const group = await on.group(members, {}, { name: "All" });
    for (const name of ["a", "b"]) await on.check(name);
    await on.look();
    for (const name of ["a", "b"]) await on.check(name, "failed");
    await on.look();
    const incidents = async () => {
      const { data } = (await on.server.api("GET", "/api/incidents")).body;
      return (data as { title: string; status: string; reason: string }[])
        .map(({ title, status, reason }) => [title, status, reason])
        .toSorted();
    };
    const refused = expect.any(String);
    expect(await incidents()).toEqual([
      ["a is down", "open", refused],
      ["b and 1 other monitor are down", "open", refused],
    ]);
    const toasts = await on.ctx.store.db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "notification")
      .orderBy("id")
      .execute();
    const shown = toasts.map(({ payload }) => JSON.parse(payload)).filter(({ isQuiet }) => !isQuiet);
    expect(shown.map(({ monitorId }) => monitorId)).toEqual([on.ids.get("a"), on.ids.get("b")]);
    // One of them is up, and the other keeps the group down.
    await on.check("b");
    await on.look();
    expect(await on.read(group.id)).toMatchObject({ state: "down", lastReason: "1 of 2 down: a." });
    // Its reason is the one with which the group went down.
    expect(await incidents()).toEqual([
      ["All is down", "open", "2 of 2 down: a, b."],
      ["a is down", "open", refused],
    ]);
    await on.check("a");
    await on.look();
    expect(await incidents()).toEqual([
      ["a was down", "resolved", refused],
      ["b and 1 other monitor were down", "resolved", refused],
    ]);
  });

  it("opens an incident of its own where a member has been down for long, or is acknowledged", async () => {
    const on = await serverWithGroups(engine);
    await on.group(await on.members("a", "b", "c"), { rule: "count", count: 2 }, { name: "All" });
    for (const name of ["a", "b", "c"]) await on.check(name);
    await on.look();
    await on.check("a", "failed");
    await on.look();
    on.clock.ms += 60 * MINUTE;
    await on.check("b", "failed");
    const [second] = (await on.server.api("GET", "/api/incidents")).body.data;
    await on.server.api("POST", `/api/incidents/${second.id}/acknowledge`, {});
    on.clock.ms += 2 * MINUTE;
    await on.look();
    const titles = (await on.server.api("GET", "/api/incidents")).body.data.map(
      (one: { title: string }) => one.title,
    );
    expect(titles.toSorted()).toEqual(["All is down", "a is down", "b is down"]);
  });

  it("follows its members at once: up, degraded, down with an incident, and up again", async () => {
    const on = await serverWithGroups(engine);
    const members = await on.members("shop", "api");
    const { id } = await on.group(members);
    await on.look();
    expect(await on.read(id)).toMatchObject({
      state: "unknown",
      lastReason: "2 of 2 without a known status: shop, api.",
    });
    for (const name of ["shop", "api"]) await on.check(name);
    await on.look();
    expect(await on.read(id)).toMatchObject({ state: "up", lastReason: null });
    await on.check("api", "degraded");
    await on.look();
    expect(await on.read(id)).toMatchObject({
      ...{ state: "degraded", status: "up", lastReason: "1 of 2 degraded: api." },
    });
    await on.check("api", "failed");
    await on.look();
    expect(await on.read(id)).toMatchObject({ state: "down", lastReason: "1 of 2 down: api." });
    await on.check("shop", "failed");
    await on.look();
    expect(await on.read(id)).toMatchObject({ state: "down", lastReason: "2 of 2 down: shop, api." });
    const incidents = await on.ctx.store.db
      .selectFrom("affected_services")
      .selectAll()
      .where("monitor_id", "=", id)
      .execute();
    expect(incidents).toHaveLength(1);
    for (const name of ["shop", "api"]) await on.check(name);
    await on.look();
    expect(await on.read(id)).toMatchObject({ state: "up", flapping: false });
    expect(await on.notifications(id)).toEqual(["monitor.degraded", "monitor.down", "monitor.up"]);
    expect(await on.results(id)).toEqual([0, 2, 1, 1, 0]);
  });

  it("has a result an interval while nothing changes, and none beside it", async () => {
    const on = await serverWithGroups(engine);
    const { id } = await on.group(await on.members("shop"));
    await on.check("shop");
    for (let second = 0; second <= 120; second += 10) {
      on.clock.ms = T0 + 1_000 * second + 1;
      await on.look();
      await on.check("shop");
      await on.look();
    }
    expect(await on.results(id)).toEqual([0, 0, 0]);
    await sweepStale(on.ctx);
    expect((await on.read(id)).state).toBe("up");
  });

  it("goes on after an hour without a server, and says that nothing was known meanwhile", async () => {
    const on = await serverWithGroups(engine);
    const { id } = await on.group(await on.members("shop"));
    await on.check("shop");
    await on.look();
    on.clock.ms += 60 * MINUTE;
    await sweepStale(on.ctx);
    on.followed[0] = followMembers(on.ctx);
    await on.look();
    expect(await on.read(id)).toMatchObject({ state: "unknown" });
    expect(await on.notifications(id)).not.toContain("monitor.down");
    await on.check("shop");
    await on.look();
    expect(await on.read(id)).toMatchObject({ state: "up" });
  });

  it("finds at its start what was changed while it was not running", async () => {
    const on = await serverWithGroups(engine);
    const { id } = await on.group(await on.members("shop"), {}, { checkInterval: 86_400 });
    await on.check("shop");
    await on.look();
    const lost = on.followed.splice(0);
    await on.check("shop", "failed");
    await on.look();
    expect((await on.read(id)).state).toBe("up");
    on.followed.push(followMembers(on.ctx));
    await on.look();
    expect([lost.length, (await on.read(id)).state]).toEqual([1, "down"]);
  });

  it("leaves out who is paused, and is unknown when everybody is", async () => {
    const on = await serverWithGroups(engine);
    const { id } = await on.group(await on.members("shop", "api"));
    await on.check("shop");
    await on.check("api", "failed");
    await on.look();
    expect((await on.read(id)).state).toBe("down");
    const setEnabled = (name: string, enabled: boolean) =>
      on.server.api("PUT", `/api/domains/${on.ids.get(name)}`, { enabled });
    await setEnabled("api", false);
    await on.look();
    expect((await on.read(id)).state).toBe("up");
    await setEnabled("shop", false);
    await on.look();
    expect(await on.read(id)).toMatchObject({
      state: "unknown",
      lastReason: "All members (2) are paused or in maintenance.",
    });
    await setEnabled("shop", true);
    await on.look();
    expect((await on.read(id)).lastReason).toBe("1 of 1 without a known status: shop.");
    on.clock.ms += 10;
    await on.check("shop");
    await on.look();
    expect((await on.read(id)).state).toBe("up");
  });

  it("keeps an outage open while nothing is known, and ends it by what is known next", async () => {
    const on = await serverWithGroups(engine);
    const { id } = await on.group(await on.members("shop", "api"), { rule: "any" });
    for (const name of ["shop", "api"]) await on.check(name, "failed");
    await on.look();
    expect((await on.read(id)).state).toBe("down");
    for (let minute = 0; minute < 4; minute += 1) {
      on.clock.ms += MINUTE;
      await on.check("shop", "failed");
      await on.look();
    }
    await sweepStale(on.ctx);
    on.followed[0]?.changed(on.ids.get("api") ?? 0);
    await on.look();
    expect(await on.read(id)).toMatchObject({
      state: "unknown",
      lastReason: "1 of 2 without a known status: api.",
    });
    expect(await on.notifications(id)).toEqual(["monitor.down"]);
    await on.check("api");
    await on.look();
    expect((await on.read(id)).state).toBe("up");
    expect(await on.notifications(id)).toEqual(["monitor.down", "monitor.up"]);
  });

  it("loses a member that is deleted, and says so when it was the last one", async () => {
    const on = await serverWithGroups(engine);
    const members = await on.members("shop", "api");
    const { id } = await on.group(members);
    await on.check("shop");
    await on.check("api", "failed");
    await on.look();
    await on.server.api("DELETE", `/api/domains/${on.ids.get("api")}`);
    await on.look();
    expect(await on.read(id)).toMatchObject({ state: "up", protocolConfig: { members: [members[0]] } });
    await on.server.api("DELETE", `/api/domains/${on.ids.get("shop")}`);
    await on.look();
    expect(await on.read(id)).toMatchObject({
      ...{ state: "unknown", lastReason: "The group has no members left.", protocolConfig: { members: [] } },
    });
    expect((await on.server.api("PUT", `/api/services/${id}`, { name: "Empty" })).status).toBe(200);
  });

  it("is a member like any other: the outer group follows the status of the inner one", async () => {
    const on = await serverWithGroups(engine);
    const inner = await on.group(await on.members("shop", "api"), { rule: "any" });
    const outer = await on.group([inner.uuid, await on.member("mail")]);
    for (const name of ["shop", "api", "mail"]) await on.check(name);
    await on.look();
    for (const one of on.followed) one.changed(inner.id);
    await on.look();
    expect((await on.read(outer.id)).state).toBe("up");
    for (const name of ["shop", "api"]) await on.check(name, "failed");
    await on.look();
    for (const one of on.followed) one.changed(inner.id);
    await on.look();
    expect(await on.read(outer.id)).toMatchObject({ state: "down", lastReason: "1 of 2 down: Group of 2." });
  });

  it("needs as many looks to be down as its settings say", async () => {
    const on = await serverWithGroups(engine);
    const { id } = await on.group(await on.members("shop"), {}, { confirmations: 2 });
    await on.check("shop");
    await on.look();
    await on.check("shop", "failed");
    await on.look();
    expect((await on.read(id)).state).toBe("up");
    on.clock.ms += MINUTE;
    await on.look();
    expect((await on.read(id)).state).toBe("down");
  });

  it("is paused and resumed; paused it is not evaluated", async () => {
    const on = await serverWithGroups(engine);
    const { id } = await on.group(await on.members("shop"));
    await on.check("shop", "failed");
    await on.look();
    await on.server.api("PUT", `/api/services/${id}`, { enabled: false });
    on.clock.ms += 5 * MINUTE;
    await on.check("shop");
    await on.look();
    expect(await on.results(id)).toEqual([1]);
    expect((await on.read(id)).state).toBe("paused");
    await on.server.api("PUT", `/api/services/${id}`, { enabled: true });
    await on.look();
    expect((await on.read(id)).state).toBe("up");
  });

  it("goes on being evaluated though the clock is set back, by a little and by a day", async () => {
    const on = await serverWithGroups(engine);
    const { id } = await on.group(await on.members("shop"), {}, { checkInterval: 300 });
    await on.check("shop");
    await on.look();
    on.clock.ms -= MINUTE;
    const setStatus = (status: "up" | "down") =>
      on.ctx.store.db
        .updateTable("monitor_states")
        .set({ status })
        .where("monitor_id", "=", on.ids.get("shop") ?? 0)
        .execute();
    const lookAt = async () => {
      on.followed[0]?.changed(on.ids.get("shop") ?? 0);
      await on.look();
      return (await on.read(id)).state;
    };
    await setStatus("down");
    expect(await lookAt()).toBe("down");
    on.clock.ms -= 1_440 * MINUTE;
    await setStatus("up");
    expect(await lookAt()).toBe("up");
  });

  it("that many processes look at has one result, and no process waits for another", async () => {
    const on = await serverWithGroups(engine);
    const names = Array.from({ length: 20 }, (_, n) => `m${n}`);
    const members = [];
    for (const name of names) members.push(await on.member(name));
    const groups: { id: number }[] = [];
    for (let n = 0; n < 10; n += 1) {
      groups.push(await on.group(members.slice(n, n + 10), {}, { name: `Group ${n}` }));
    }
    for (const name of names) await on.check(name);
    on.followed.push(...Array.from({ length: 3 }, () => followMembers(on.ctx)));
    await Promise.all(on.followed.map((one) => one.look()));
    on.clock.ms += 1_000;
    const at = on.clock.ms;
    const batches = Array.from({ length: 40 }, (_, n) =>
      names.map((name) => failed(on.ids.get(name) ?? 0, at + n)).sort(() => (n % 2 === 0 ? 1 : -1)),
    );
    on.clock.ms += 100;
    const looks = on.followed.map(async (one) => {
      for (let turn = 0; turn < 5; turn += 1) {
        for (const id of on.ids.values()) one.changed(id);
        await one.look();
      }
    });
    await Promise.all([...batches.map((batch) => ingestBatch(on.ctx, batch)), ...looks]);
    for (const id of on.ids.values()) for (const one of on.followed) one.changed(id);
    await Promise.all(on.followed.map((one) => one.look()));
    for (const { id } of groups) {
      expect((await on.read(id)).lastReason).toMatch(/^10 of 10 down: /);
      const outcomes = await on.results(id);
      // Each look at another number of members is a result; once all are down there is nothing new.
      expect(outcomes.filter((outcome) => outcome === 0)).toHaveLength(1);
      expect(await on.notifications(id)).toEqual(["monitor.down"]);
    }
  }, 240_000);
});

eachEngine("a group in a running server", (name) => {
  it("follows a member within a second or two, also one whose change another process announced", async () => {
    const near = await installation(name);
    const start = async (house: Awaited<ReturnType<typeof installation>>) => {
      const live = createLive({ ...house.ctx, store: near.store });
      onTestFinished(() => live.close());
      house.ctx.live = live;
      const engine = await house.start();
      followEvents(engine, live);
    };
    await start(near);
    if (name === "postgres") await start(await installation(name, near.store));
    const memberId = await near.addMonitor({ url: "http://127.0.0.1:1/", type: "heartbeat" });
    const { uuid } = await near.store.db
      .selectFrom("monitors")
      .select("uuid")
      .where("id", "=", memberId)
      .executeTakeFirstOrThrow();
    const groupId = await near.addMonitor({ url: "all", type: "group", config: { members: [uuid] } });
    await near.store.db
      .insertInto("group_members")
      .values({ group_id: groupId, monitor_id: memberId })
      .execute();
    const statusOf = async () =>
      (
        await near.store.db
          .selectFrom("monitor_states")
          .select("status")
          .where("monitor_id", "=", groupId)
          .executeTakeFirstOrThrow()
      ).status;
    // Daily: it is looked at because of what its member does, or not at all.
    const checkedAt = Date.now() - 1_000;
    await ingestBatch(near.ctx, [probed(memberId, checkedAt)]);
    await eventually(statusOf, (status) => status === "up", 20_000);
    await ingestBatch(near.ctx, [failed(memberId, checkedAt + 1), failed(memberId, checkedAt + 2)]);
    await eventually(
      () => near.results(groupId),
      (rows) => rows.at(-1)?.outcome === 1,
      20_000,
    );
  }, 40_000);
});
