import fc from "fast-check";
import { expect } from "vitest";
import { createActiveWindows } from "../../src/maintenance/active-windows.ts";
import { followWindows } from "../../src/maintenance/follow-windows.ts";
import { wants } from "../../src/notification/channel/filter.ts";
import { decodeState } from "../../src/status/encode-state.ts";
import { respond, type TargetRequest } from "../harness/behaviours.ts";
import type { EngineName } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

const NAMES = ["Shop", "Bank", "Cards"] as const;
const HOUR_MS = 3_600_000;
/** Of channels to which messages come late. */
const LATE = /weak|night/;
type Path = "all" | "own" | "grave" | "weak" | "night";
const which = fc.nat({ max: 2 });
const some = fc.uniqueArray(which, { minLength: 1, maxLength: 3 });

/** What happens to outages and to their incidents. */
export const step = fc.oneof(
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
/** What is late besides: a channel's hours begin or end, and the other side of another fails for a while. */
export const lateStep = fc.oneof(
  { weight: 4, arbitrary: step },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constantFrom("later" as const, "break" as const, "mend" as const) }),
  },
);
export type Step = typeof lateStep extends fc.Arbitrary<infer T> ? T : never;

interface Heard {
  says: "down" | "flapping" | "up" | "still" | "other";
  names: string[];
}
const SAID = {
  down: "down",
  flapping: "flapping",
  "up again": "up",
  "still down": "still",
  settled: "up",
} as const;
const SAID_OF_MANY = {
  "went down": "down",
  "began to flap": "flapping",
  "came up again": "up",
  settled: "up",
} as const;

/** What a message says, and of whom. */
function read({ title, text }: { title: string; text: string }): Heard[] {
  const namesIn = (list: string) => NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(list));
  if (!/^While messages were held|^\d+ monitors? /.test(title)) {
    const [, list = "", what = ""] =
      /^(.*?) (?:is|are|has) (down|flapping|up again|still down|settled)$/.exec(title) ?? [];
    return [{ says: SAID[what as keyof typeof SAID] ?? "other", names: namesIn(list) }];
  }
  return text.split(/\n(?=\d)/).map((part) => {
    const [, what = ""] = /^\d+ monitors? (went down|began to flap|came up again|settled)/.exec(part) ?? [];
    return { says: SAID_OF_MANY[what as keyof typeof SAID_OF_MANY] ?? "other", names: namesIn(part) };
  });
}

/** What a channel has heard, and what of that it believes to be down. */
class Listener {
  readonly believed = new Set<string>();
  /** What somebody else has acknowledged while it was still to be told of that. */
  readonly excused = new Set<string>();
  readonly reminded: string[] = [];
  readonly log: string[] = [];
  heard = 0;

  /** `isLate`: what it hears may have been so before. `isAll`: and nothing is still to come. */
  listen(
    messages: readonly { title: string; text: string }[],
    down: ReadonlySet<string>,
    { isLate, isAll }: { isLate: boolean; isAll: boolean },
  ): void {
    const told = messages.slice(this.heard).flatMap(read);
    this.log.push(...messages.slice(this.heard).map(({ title }) => title));
    told.forEach(({ says, names }, at) => {
      if (says === "down" || says === "flapping") for (const name of names) this.believed.add(name);
      if (says === "still") this.reminded.push(...names);
      const after = told.slice(at + 1);
      const isSaid = (name: string, what: Heard["says"]) =>
        after.some((one) => one.says === what && one.names.includes(name));
      // What was down is down, or its end is told, too.
      const stale = names.filter((name) => !down.has(name) && !isSaid(name, "up"));
      if (says === "down" && isAll) expect(stale, `up already: ${this.log.join(" | ")}`).toEqual([]);
      if (says !== "up") return;
      // Nobody hears the end of what they did not hear the beginning of, nor of what is down.
      const known = names.filter((name) => this.believed.has(name) || this.excused.has(name));
      expect(known, `unheard: ${this.log.join(" | ")}`).not.toEqual([]);
      const wrong = names.filter((name) => down.has(name) && !isSaid(name, "down"));
      if (!isLate) expect(wrong, `still down: ${this.log.join(" | ")}`).toEqual([]);
      for (const name of names) this.believed.delete(name);
    });
    this.heard = messages.length;
  }
}

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

/** Three monitors of one host, and channels that want to hear of different ones. `isLate`: two more, to which messages come late. */
export async function startStory(engine: EngineName, { isLate }: { isLate: boolean }) {
  const group = await startGroup(engine);
  const { server, ids, addChannel, target, pass, deliver } = group;
  /** Whether the other side of the channels to which messages come late fails, and how often it has done so for hours. */
  let broken: null | { hours: number } = null;
  const taken: TargetRequest[] = [];
  target.set((socket, request) => {
    const fails = broken !== null && LATE.test(request.path);
    if (!fails) taken.push(request);
    respond({ status: fails ? 503 : 200 })(socket, request);
  });
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
  const paths = new Map<number, Path>([[first.id, "all"]]);
  paths.set(await addChannel({ config: { url: `${target.url}own` }, tags: ["own"] }), "own");
  paths.set(await addChannel({ config: { url: `${target.url}grave` }, severities: ["critical"] }), "grave");
  await addChannel({ type: "webhook", config: { url: `${target.url}program` } });
  if (isLate) {
    await server.api("PUT", `/api/domains/${ids[0]}`, { severity: "low" });
    paths.set(await addChannel({ config: { url: `${target.url}weak` } }), "weak");
    const hours = { from: "08:00", to: "20:00" };
    paths.set(await addChannel({ config: { url: `${target.url}night` }, hours }), "night");
    // An hour before they end.
    pass(7 * HOUR_MS);
  }
  const bodies = (path: string) =>
    taken.filter((request) => request.path.endsWith(path)).map(({ body }) => JSON.parse(body));
  const messages = (path: string): { title: string; text: string }[] =>
    bodies(path).map(({ attachments: [one] }) => one);
  /** Names of what has an open outage. */
  const down = async () => {
    const rows = await db
      .selectFrom("monitor_states")
      .innerJoin("monitors", "monitors.id", "monitor_states.monitor_id")
      .select(["monitors.id", "monitors.name", "monitors.severity", "monitors.tags"])
      .select(["monitor_states.rules", "monitor_states.maintenance_until as until"])
      .where("monitors.deleted_at", "is", null)
      .execute();
    return rows.flatMap(({ rules, ...row }) => {
      const { outage, flapping } = decodeState(rules);
      if (outage === null) return [];
      // What begins while it flaps is told as flapping alone.
      return [{ ...row, isFlap: flapping !== null && outage.detectedAt >= flapping.since }];
    });
  };
  const listeners: Record<Path, Listener> = {
    ...{ all: new Listener(), own: new Listener(), grave: new Listener() },
    ...{ weak: new Listener(), night: new Listener() },
  };
  /** What waits, of which channel, and for how long. */
  const waiting = async () => {
    const rows = await db
      .selectFrom("outbox")
      .leftJoin("channel_threads as thread", "thread.id", "outbox.thread_id")
      .select(["outbox.channel_id as channelId", "outbox.event", "attempts", "thread.told_at as toldAt"])
      .select(["next_try_at as nextTryAt", "held_until as heldUntil"])
      .where("state", "=", "waiting")
      .execute();
    return rows.map((row) => ({ ...row, path: paths.get(row.channelId ?? 0) }));
  };
  const drain = async () => {
    for (let left = 1; left > 0; ) {
      pass(6_000);
      await deliver();
      const now = server.ctx.clock.now();
      const due = (await waiting()).filter(({ path = "all", nextTryAt, heldUntil }) =>
        LATE.test(path) ? !broken && !((heldUntil ?? 0) > now && nextTryAt > now) : true,
      );
      left = due.length;
    }
    const names = new Set((await down()).map(({ name }) => name));
    const left = await waiting();
    for (const [path, listener] of Object.entries(listeners)) {
      const isAll = left.every((one) => one.path !== path);
      listener.listen(messages(path), names, { isLate: LATE.test(path), isAll });
    }
    if (broken) return;
    // Whoever was told of something is told of its end at once.
    const ends = left.filter(({ event, toldAt }) => event === "monitor.up" && toldAt !== null);
    expect(ends).toEqual([]);
  };
  const mend = async () => {
    broken = null;
    const again = (await waiting()).filter(({ attempts }) => attempts > 0).map((one) => one.nextTryAt);
    pass(Math.max(0, ...again.map((at) => at - server.ctx.clock.now())));
  };
  const beLater = async () => {
    // What fails for a day is given up.
    if (broken && ++broken.hours > 2) await mend();
    pass(6 * HOUR_MS);
    await look();
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
    const left = new Set((await waiting()).map(({ path }) => path));
    for (const { channelId, name } of rows) {
      const path = paths.get(channelId);
      if (path) listeners[path][left.has(path) ? "excused" : "believed"].add(name);
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
    else if (one.is === "later") await beLater();
    else if (one.is === "break") broken ??= { hours: 0 };
    else if (one.is === "mend") await mend();
    else if (one.is === "split") await on("split", { monitorId: id });
    else if (one.is === "splitAll") await on("split");
    else if (one.is === "merge") await (other && on("merge", { into: incident.id }, other));
    else if (one.is === "acknowledge") {
      await on("acknowledge");
      await know();
    } else if (one.is === "forget") await (incident && server.api("DELETE", `/api/incidents/${incident.id}`));
    else if (one.is === "window") {
      await server.api("POST", "/api/maintenance", { title: "Work", monitorIds: [id], duration: 300 });
      await look();
    } else if (one.is === "quiet") {
      pass(600_000);
      await look();
    } else if (!gone.has(at)) {
      const isOn = paused.has(at);
      const wasDown = (await down()).some((one) => one.id === id);
      if (one.is === "remove") await server.api("DELETE", `/api/domains/${id}`);
      else await server.api("PUT", `/api/domains/${id}`, { enabled: isOn });
      if (one.is === "remove") gone.add(at);
      paused[isOn ? "delete" : "add"](at);
      // Who stopped it knows; that it was up by then is told with what it was down with.
      if (!wasDown) return;
      for (const { believed } of Object.values(listeners)) believed.delete(NAMES[at] ?? "");
    }
  };
  /** Each outage that a channel is to hear of is in one open thread, and the channel believes that something is wrong. */
  const inspect = async () => {
    const channels = (await server.api("GET", "/api/notifications/channels")).body.data;
    const left = new Set((await waiting()).map(({ path }) => path));
    for (const { id, severity, name, isFlap, ...monitor } of await down()) {
      if (isFlap) continue;
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
        if (goingOn.length === 0 || monitor.until !== null || path === undefined || left.has(path)) continue;
        const { believed, excused, log } = listeners[path];
        expect([...believed, ...excused], `${path}, of ${name}: ${log.join(" | ")}`).not.toEqual([]);
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
    if (isLate) {
      await mend();
      await drain();
      const day = 24 * HOUR_MS;
      pass((day + day / 2 - (server.ctx.clock.now() % day)) % day);
      await look();
      await drain();
      await inspect();
    }
    await remind();
    pass(600_000);
    await look();
    // Long enough that nothing flaps any more.
    for (let each = 0; each < 14; each += 1) {
      pass(60_000);
      await group.check(watched([0, 1, 2]), "ok");
    }
    await drain();
    for (const [path, { believed, log }] of Object.entries(listeners))
      expect([...believed], `${path}: ${log.join(" | ")}`).toEqual([]);
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
}
