import fc from "fast-check";
import { expect, test } from "vitest";
import { createActiveWindows } from "../../src/maintenance/active-windows.ts";
import { followWindows } from "../../src/maintenance/follow-windows.ts";
import { wants } from "../../src/notification/channel/filter.ts";
import { decodeState } from "../../src/status/encode-state.ts";
import { respond } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

const NAMES = ["Shop", "Bank", "Cards"] as const;
const which = fc.nat({ max: 2 });
const some = fc.uniqueArray(which, { minLength: 1, maxLength: 3 });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant("down" as const), some }) },
  { weight: 5, arbitrary: fc.record({ is: fc.constant("up" as const), some }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("wait" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constantFrom("split" as const, "pause" as const, "window" as const),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constantFrom("splitAll" as const, "merge" as const, "forget" as const, "acknowledge" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom("remove" as const, "quiet" as const), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a title says, and of whom. */
function readTitle(title: string): { says: "down" | "up" | "still" | "other"; names: string[] } {
  const [, list = "", what = ""] =
    /^(.*?) (?:is|are|has) (down|up again|still down|settled)$/.exec(title) ?? [];
  const says = ({ down: "down", "up again": "up", "still down": "still", settled: "up" } as const)[what];
  return {
    says: says ?? "other",
    names: list.split(/, | and /).filter((name) => NAMES.includes(name as never)),
  };
}

/** What a channel has heard, and what of that it believes to be down. */
class Listener {
  readonly believed = new Set<string>();
  readonly reminded: string[] = [];
  heard = 0;

  listen(titles: readonly string[], down: ReadonlySet<string>): void {
    for (const title of titles.slice(this.heard)) {
      const { says, names } = readTitle(title);
      if (says === "down") for (const name of names) this.believed.add(name);
      if (says === "still") this.reminded.push(...names);
      if (says !== "up") continue;
      // Nobody hears the end of what they did not hear the beginning of, nor of what is down.
      expect(
        names.filter((name) => this.believed.has(name)),
        title,
      ).not.toEqual([]);
      expect(
        names.filter((name) => down.has(name)),
        title,
      ).toEqual([]);
      for (const name of names) this.believed.delete(name);
    }
    this.heard = titles.length;
  }
}

eachEngine("whatever happens to outages and to their incidents,", (engine) => {
  const start = async () => {
    const group = await startGroup(engine);
    const { server, ids, addChannel, target, pass, deliver } = group;
    target.set(respond());
    const { ctx } = server;
    const { db } = ctx.store;
    ctx.windows = createActiveWindows(ctx);
    const windows = followWindows(ctx, ctx.windows, () => {});
    const [first] = (await server.api("GET", "/api/notifications/channels")).body.data;
    await server.api("PUT", `/api/notifications/channels/${first.id}`, {
      config: { url: `${target.url}all` },
    });
    for (const at of [0, 2] as const) await server.api("PUT", `/api/domains/${ids[at]}`, { tags: ["own"] });
    await server.api("PUT", `/api/domains/${ids[1]}`, { severity: "critical" });
    const paths = new Map<number, "all" | "own" | "grave">([[first.id, "all"]]);
    paths.set(await addChannel({ config: { url: `${target.url}own` }, tags: ["own"] }), "own");
    paths.set(await addChannel({ config: { url: `${target.url}grave` }, severities: ["critical"] }), "grave");
    await addChannel({ type: "webhook", config: { url: `${target.url}program` } });
    const bodies = (path: string) =>
      target.requests.filter((request) => request.path.endsWith(path)).map(({ body }) => JSON.parse(body));
    const titles = (path: string): string[] => bodies(path).map(({ attachments: [one] }) => one.title);
    /** Names of what has an open outage. */
    const down = async () => {
      const rows = await db
        .selectFrom("monitor_states")
        .innerJoin("monitors", "monitors.id", "monitor_states.monitor_id")
        .select(["monitors.id", "monitors.name", "monitors.severity", "monitors.tags"])
        .select(["monitor_states.rules", "monitor_states.maintenance_until as until"])
        .where("monitors.deleted_at", "is", null)
        .execute();
      return rows.filter(({ rules }) => decodeState(rules).outage !== null);
    };
    const listeners = { all: new Listener(), own: new Listener(), grave: new Listener() };
    const drain = async () => {
      for (let waiting = 1; waiting > 0; ) {
        pass(6_000);
        await deliver();
        const rows = await db.selectFrom("outbox").select("id").where("state", "=", "waiting").execute();
        waiting = rows.length;
      }
      const names = new Set((await down()).map(({ name }) => name));
      for (const [path, listener] of Object.entries(listeners)) listener.listen(titles(path), names);
    };
    const look = async () => {
      windows.changed();
      await windows.look();
    };
    /** Whoever was told of some of what somebody knows of counts as told of all. */
    const know = async () => {
      const rows = await db
        .selectFrom("thread_outages as own")
        .innerJoin("channel_threads as thread", "thread.id", "own.thread_id")
        .innerJoin("monitors", "monitors.id", "own.monitor_id")
        .select(["thread.channel_id as channelId", "monitors.name"])
        .where("own.end_told_at", "is", null)
        .where("own.told_at", "is not", null)
        .execute();
      for (const { channelId, name } of rows) {
        const path = paths.get(channelId);
        if (path) listeners[path].believed.add(name);
      }
    };
    const paused = new Set<number>();
    const gone = new Set<number>();
    const watched = (some: readonly number[]) =>
      some.filter((at) => !paused.has(at) && !gone.has(at)).map((at) => ids[at] ?? 0);
    const take = async (one: Step): Promise<void> => {
      const at = "which" in one ? one.which : 0;
      const id = ids[at] ?? 0;
      const open = (await group.incidents()).filter(
        ({ mergedIntoId }: { mergedIntoId: number | null }) => mergedIntoId === null,
      );
      const [incident, other] = open.toReversed();
      const on = (name: string, body: object = {}, which = incident) =>
        which && server.api("POST", `/api/incidents/${which.id}/${name}`, body);
      if (one.is === "down") await group.check(watched(one.some), "failed");
      else if (one.is === "up") await group.check(watched(one.some), "ok");
      else if (one.is === "wait") pass(120_000);
      else if (one.is === "split") await on("split", { monitorId: id });
      else if (one.is === "splitAll") await on("split");
      else if (one.is === "merge") await (other && on("merge", { into: incident.id }, other));
      else if (one.is === "acknowledge") {
        await on("acknowledge");
        await know();
      } else if (one.is === "forget")
        await (incident && server.api("DELETE", `/api/incidents/${incident.id}`));
      else if (one.is === "window") {
        await server.api("POST", "/api/maintenance", { title: "Work", monitorIds: [id], duration: 300 });
        await look();
      } else if (one.is === "quiet") {
        pass(600_000);
        await look();
      } else if (!gone.has(at)) {
        const isOn = paused.has(at);
        if (one.is === "remove") await server.api("DELETE", `/api/domains/${id}`);
        else await server.api("PUT", `/api/domains/${id}`, { enabled: isOn });
        if (one.is === "remove") gone.add(at);
        paused[isOn ? "delete" : "add"](at);
        // Who stopped it knows.
        for (const { believed } of Object.values(listeners)) believed.delete(NAMES[at] ?? "");
      }
    };
    /** Each outage that a channel is to hear of is in one open thread, and the channel believes that something is wrong. */
    const inspect = async () => {
      const channels = (await server.api("GET", "/api/notifications/channels")).body.data;
      for (const { id, severity, name, ...monitor } of await down()) {
        const tags = JSON.parse(monitor.tags) as string[];
        for (const channel of channels) {
          const filtered = { event: "monitor.down", severity, tags } as const;
          const rows = await db
            .selectFrom("thread_outages as own")
            .innerJoin("channel_threads as thread", "thread.id", "own.thread_id")
            .select(["own.ended_at as endedAt", "thread.closed_at as closedAt"])
            .where("own.monitor_id", "=", id)
            .where("thread.channel_id", "=", channel.id)
            .execute();
          const goingOn = rows.filter(({ endedAt, closedAt }) => endedAt === null && closedAt === null);
          expect(goingOn.length, name).toBe(wants(channel, filtered, false) ? 1 : 0);
          const path = paths.get(channel.id);
          if (goingOn.length === 0 || monitor.until !== null || path === undefined) continue;
          expect([...listeners[path].believed], `${path}, of ${name}`).not.toEqual([]);
        }
      }
    };
    /** Of each incident that nobody has acknowledged, those who were told of it are reminded. */
    const remind = async () => {
      const rows = await db
        .selectFrom("thread_outages as own")
        .innerJoin("channel_threads as thread", "thread.id", "own.thread_id")
        .innerJoin("monitors", "monitors.id", "own.monitor_id")
        .innerJoin("monitor_states as state", "state.monitor_id", "own.monitor_id")
        .innerJoin("affected_services as affected", (join) =>
          join
            .onRef("affected.monitor_id", "=", "own.monitor_id")
            .onRef("affected.outage_started_at", "=", "own.started_at"),
        )
        .innerJoin("incidents", "incidents.id", "affected.incident_id")
        .select(["thread.channel_id as channelId", "monitors.name", "incidents.id"])
        .where("own.ended_at", "is", null)
        .where("incidents.acknowledged_at", "is", null)
        .where("incidents.resolved_at", "is", null)
        .where("state.maintenance_until", "is", null)
        .execute();
      await group.remind();
      await drain();
      for (const [path, { reminded }] of Object.entries(listeners)) {
        const own = rows.filter(({ channelId }) => paths.get(channelId) === path);
        for (const [id, outages] of Map.groupBy(own, (row) => row.id)) {
          const isReminded = outages.some(({ name }) => reminded.includes(name));
          expect(isReminded, `${path}, of incident ${id}`).toBe(true);
        }
      }
    };
    const finish = async () => {
      await remind();
      pass(600_000);
      await look();
      // Long enough that nothing flaps any more.
      for (let each = 0; each < 14; each += 1) {
        pass(60_000);
        await group.check(watched([0, 1, 2]), "ok");
      }
      await drain();
      for (const [path, { believed }] of Object.entries(listeners)) expect([...believed], path).toEqual([]);
      const open = await db
        .selectFrom("channel_threads")
        .select("id")
        .where("closed_at", "is", null)
        .where("incident_id", "is", null)
        .execute();
      expect(open).toEqual([]);
      for (const name of NAMES) expect(alternates(bodies("program"), name), name).toBe(true);
    };
    return { ...group, take, drain, inspect, finish, listeners };
  };

  /** A program hears of each beginning, and of its end, in turn. */
  const alternates = (sent: readonly { type: string; title: string; severity?: string }[], name: string) => {
    let isDown = false;
    for (const { type, title } of sent.filter((one) => one.title?.startsWith(`${name} `))) {
      if (type === "monitor.down" && isDown) return false;
      if (type === "monitor.down") isDown = true;
      const isEnd = type === "monitor.up" || title.endsWith("has settled") || type === "monitor.stopped";
      if (isEnd) isDown = false;
    }
    return !isDown;
  };

  test("each told outage has one told end, and none before it is over", { timeout: 1_200_000 }, async () => {
    const steps = fc.array(step, { minLength: 3, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const story = await start();
        for (const one of all) {
          await story.take(one);
          await story.drain();
          await story.inspect();
        }
        await story.finish();
      }),
      { numRuns: engine === "sqlite" ? 12 : 4 },
    );
  });
});
