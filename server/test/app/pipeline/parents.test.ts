import { expect, it } from "vitest";
import { insertChannel } from "../../../src/alerts/queries/channels.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { followParents } from "../../../src/monitors/find-members.ts";
import { saveParents } from "../../../src/monitors/queries/monitor-changes.ts";
import type { Db } from "../../../src/platform/database/schema.ts";
import type { MessageDescriptor } from "../../../src/platform/i18n/message.ts";
import { deliverAt } from "../../alerts/deliver-at.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { failed, MINUTE, pipelineOn, probed, T0 } from "./setup.ts";

/** A router, and what is behind it, all of them up. */
async function behindRouter(engine: EngineName, names: readonly string[] = ["shop"]) {
  const world = await pipelineOn(engine);
  const router = await world.addMonitor("router");
  const children: number[] = [];
  for (const name of names) children.push(await world.addMonitor(name));
  for (const id of children) await saveParents(world.db, id, [router]);
  const own = (id: number) => ({ address: `192.0.2.${id}` });
  const down = (id: number, at: number) => [failed(id, at, own(id)), failed(id, at + 2_000, own(id))];
  const up = (id: number, at: number) => [probed(id, at), probed(id, at + 1_000)];
  await world.ingest(...[router, ...children].map((id) => probed(id, T0 - MINUTE)));
  const [shop = 0] = children;
  return {
    ...world,
    ...{ router, children, shop, own, down, up },
    look: (at = world.clock.ms) => {
      world.clock.ms = at;
      return followParents(world.ctx);
    },
    titles: async () => (await world.incidents()).map(({ title, status }) => `${title}: ${status}`),
    reported: async () => (await world.notifications()).length,
    /** A channel that people read. */
    notifyPeople: () => addChannel(world.db, world.organizationId),
    /** What it has been sent by that time. */
    said: async (at = world.clock.ms) => {
      world.clock.ms = at;
      await deliverAt(world.ctx, at);
      const rows = await world.db.selectFrom("outbox").select(["event", "message"]).orderBy("id").execute();
      return rows.map(({ event, message }) => {
        const { descriptor } = JSON.parse(message ?? "") as { descriptor: MessageDescriptor };
        return `${event} ${descriptor.code} ${descriptor.params?.["name"]}`;
      });
    },
    held: async (id: number) => (await world.state(id)).suppressed_by,
  };
}

async function addChannel(db: Db, organizationId: number): Promise<void> {
  const settings = { name: "Ops", type: "mattermost", config: {}, secrets: null, target: "chat.example" };
  const filter = { events: [], severities: [], tags: [], hours: null };
  const reader = { language: "en", timeZone: "UTC", reminder: "never", enabled: true } as const;
  const own = { uuid: crypto.randomUUID(), organizationId, confirmedAt: 0, confirmedAsMember: false };
  await insertChannel(db, { ...settings, ...filter, ...reader, ...own }, 0);
}

/** As many as there are connections, and none waits for one. */
async function eightAtATime(ids: readonly number[], work: (id: number) => Promise<unknown>): Promise<void> {
  const left = [...ids];
  const worker = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await work(id);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

eachEngine("a monitor behind another", (engine) => {
  it("opens no incident while that one is down, and is reported once it is up and the monitor still fails", async () => {
    const on = await behindRouter(engine);
    await on.ingest(...on.down(on.router, T0));
    await on.ingest(...on.down(on.shop, T0 + 5_000));
    expect([await on.titles(), await on.held(on.shop)]).toEqual([["router is down: open"], on.router]);
    expect((await on.state(on.shop)).status).toBe("down");
    await on.look(T0 + 2 * MINUTE);
    await on.ingest(...on.down(on.shop, T0 + 2 * MINUTE));
    const said = await on.reported();
    expect(await on.titles()).toHaveLength(1);
    await on.ingest(...on.up(on.router, T0 + 3 * MINUTE));
    await on.look();
    expect([await on.held(on.shop), (await on.state(on.shop)).status]).toEqual([null, "down"]);
    await on.ingest(failed(on.shop, T0 + 4 * MINUTE));
    expect(await on.titles()).toEqual(["router is down: resolved"]);
    await on.ingest(failed(on.shop, T0 + 5 * MINUTE));
    expect(await on.titles()).toEqual(["router is down: resolved", "shop is down: open"]);
    expect((await on.incidents())[1]).toMatchObject({
      ...{ started_at: T0 + 5_000, detected_at: T0 + 5 * MINUTE },
    });
    expect(await on.reported()).toBeGreaterThan(said);
    await on.ingest(...on.up(on.shop, T0 + 6 * MINUTE));
    expect((await on.titles())[1]).toBe("shop is down: resolved");
  });

  it("has its incident led by that one, which is notified too, where it was the first to be notified", async () => {
    const on = await behindRouter(engine);
    await on.notifyPeople();
    await on.ingest(...on.down(on.shop, T0));
    const first = ["monitor.down notification.down shop"];
    expect(await on.said()).toEqual(first);
    await on.ingest(...on.down(on.router, T0 + 8_000));
    expect(await on.titles()).toEqual(["router and 1 other monitor are down: open"]);
    expect(await on.said()).toEqual(first);
    const downs = [...first, "monitor.down notification.down router"];
    expect(await on.said(T0 + MINUTE + 5_000)).toEqual(downs);
    await on.ingest(...on.up(on.router, T0 + 3 * MINUTE));
    const routerUp = [...downs, "monitor.up notification.recovered router"];
    expect(await on.said()).toEqual(routerUp);
    await on.ingest(...on.up(on.shop, T0 + 4 * MINUTE));
    expect(await on.said()).toEqual([...routerUp, "monitor.up notification.recovered shop"]);
  });

  it("is not named by the first message where both are confirmed at once", async () => {
    const on = await behindRouter(engine);
    await on.notifyPeople();
    await on.ingest(...on.down(on.shop, T0), ...on.down(on.router, T0 + 1_000));
    expect((await on.titles())[0]).toMatch(/^router .*: open$/);
    expect(await on.said()).toEqual(["monitor.down notification.down router"]);
  });

  it("recovers without a word", async () => {
    const on = await behindRouter(engine);
    await on.ingest(...on.down(on.router, T0));
    const said = await on.reported();
    await on.ingest(...on.down(on.shop, T0 + 5_000));
    await on.ingest(...on.up(on.shop, T0 + MINUTE));
    await on.look();
    expect([await on.reported(), await on.held(on.shop), (await on.state(on.shop)).status]).toEqual([
      ...[said, null, "up"],
    ]);
  });

  it("waits for one that fails, unconfirmed, and is held back with it, also further down", async () => {
    const on = await behindRouter(engine);
    const inner = await on.addMonitor("inner");
    await saveParents(on.db, inner, [on.shop]);
    await on.ingest(failed(on.router, T0), ...on.down(on.shop, T0));
    await on.ingest(...on.down(inner, T0));
    expect(await on.titles()).toEqual([]);
    await on.ingest(failed(on.router, T0 + 3_000));
    await on.look();
    expect(await on.titles()).toEqual(["router is down: open"]);
    expect([await on.held(on.shop), await on.held(inner)]).toEqual([on.router, on.shop]);
    expect((await on.state(on.shop)).suppressed_until).toBeNull();
  });

  it("is reported when that one was well after all, or takes more than its time", async () => {
    const on = await behindRouter(engine, ["shop", "blog"]);
    await on.ingest(failed(on.router, T0), ...on.down(on.shop, T0));
    await on.look(T0 + 10_000);
    expect(await on.titles()).toEqual([]);
    await on.ingest(probed(on.router, T0 + 11_000));
    await on.look();
    expect(await on.titles()).toEqual(["shop is down: open"]);
    await on.ingest(failed(on.router, T0 + 5 * MINUTE));
    await on.ingest(...on.down(on.children[1] ?? 0, T0 + 5 * MINUTE));
    await on.look(T0 + 6 * MINUTE + 1_000);
    expect(await on.titles()).toHaveLength(1);
    await on.look(T0 + 6 * MINUTE + 2_000);
    expect((await on.titles())[1]).toBe("blog is down: open");
  });

  it("shares its incident with one that goes down after it within a minute, and with its siblings", async () => {
    const on = await behindRouter(engine, ["shop", "blog"]);
    await on.ingest(...on.down(on.shop, T0));
    await on.ingest(...on.down(on.children[1] ?? 0, T0 + 10_000));
    await on.ingest(...on.down(on.router, T0 + 30_000));
    expect(await on.titles()).toEqual(["router and 2 others are down: open"]);
    expect((await on.updates()).at(-1)?.message).toBe("router went down, and the others depend on it.");
  });

  it("is reported after a fresh confirmation when that one was deleted", async () => {
    const on = await behindRouter(engine);
    await on.ingest(...on.down(on.router, T0), ...on.down(on.shop, T0 + 1_000));
    expect(await on.held(on.shop)).toBe(on.router);
    await on.db.updateTable("monitors").set({ deleted_at: T0 }).where("id", "=", on.router).execute();
    await on.look(T0 + MINUTE);
    expect(await on.held(on.shop)).toBeNull();
    await on.ingest(...on.down(on.shop, T0 + MINUTE));
    expect((await on.titles()).at(-1)).toBe("shop is down: open");
  });

  it("is reported after a fresh confirmation when it no longer depends on it, or that one was paused", async () => {
    for (const change of [
      async (on: World) => saveParents(on.db, on.shop, []),
      async (on: World) => {
        on.clock.ms = T0 + MINUTE;
        await on.pause(on.router);
      },
    ]) {
      const on = await behindRouter(engine);
      await on.ingest(...on.down(on.router, T0), ...on.down(on.shop, T0 + 1_000));
      await change(on);
      await on.look(T0 + MINUTE);
      await on.ingest(...on.down(on.shop, T0 + MINUTE));
      expect((await on.titles()).at(-1)).toBe("shop is down: open");
    }
  });

  it("does not wait for one that failed and was paused", async () => {
    const on = await behindRouter(engine);
    await on.ingest(failed(on.router, T0));
    await on.pause(on.router);
    await on.ingest(...on.down(on.shop, T0 + 1_000));
    expect(await on.titles()).toEqual(["shop is down: open"]);
  });

  it("is one incident in whatever order 20 of them and the router come at once, by two processes", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `child-${n}`);
    const on = await behindRouter(engine, names);
    on.clock.ms = T0 + 3_000;
    const batches = [...on.children.slice(0, 10), on.router, ...on.children.slice(10)];
    await eightAtATime(batches, (id) => ingestBatch(on.ctx, on.down(id, T0)));
    await Promise.all([on.look(), on.look()]);
    expect(await on.incidents()).toHaveLength(1);
    const members = (await on.affected()).length;
    const held = await Promise.all(on.children.map((id) => on.held(id)));
    expect(members + held.filter((by) => by === on.router).length).toBe(21);
    on.clock.ms = T0 + MINUTE + 2_000;
    await eightAtATime(batches, (id) => ingestBatch(on.ctx, on.up(id, T0 + MINUTE)));
    await Promise.all([on.look(), on.look()]);
    expect((await on.incidents()).map(({ status }) => status)).toEqual(["resolved"]);
    expect(await Promise.all(on.children.map((id) => on.held(id)))).toEqual(names.map(() => null));
  });

  it("is let go by one of two processes only, once", async () => {
    const on = await behindRouter(engine);
    await on.ingest(...on.down(on.router, T0), ...on.down(on.shop, T0 + 1_000));
    await on.ingest(...on.up(on.router, T0 + MINUTE));
    await Promise.all([on.look(), on.look(), on.look()]);
    const rows = (await on.transitions()).filter(({ reason }) => reason?.includes("watch.released"));
    expect(rows).toHaveLength(1);
  });
});

type World = Awaited<ReturnType<typeof behindRouter>>;
