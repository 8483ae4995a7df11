import fc from "fast-check";
import { expect } from "vitest";
import type { Condition } from "../../src/alerts/alert.ts";
import { createActiveWindows } from "../../src/maintenance/active-windows.ts";
import { followWindows } from "../../src/maintenance/follow-windows.ts";
import { followParents } from "../../src/monitor/follow-parents.ts";
import { channelTransport } from "../../src/notification/channel/channel-transport.ts";
import type { Message } from "../../src/notification/channel/message.ts";
import { deliverOutbox } from "../../src/notification/deliver.ts";
import type { OpenDelivery, Outcome } from "../../src/notification/transport.ts";
import { ingestBatch } from "../../src/pipeline.ts";
import { decodeState } from "../../src/status/encode-state.ts";
import { fact } from "../../src/texts/fact.ts";
import { TRANSPORTS } from "../../src/transports.ts";
import type { TestServer } from "../harness/server.ts";
import { failed, probed } from "../pipeline/setup.ts";

const MONITORS = 10;
const CHANNELS = ["everything", "critical", "tagged", "by day", "machine", "pager"] as const;
type Name = (typeof CHANNELS)[number];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const which = fc.nat({ max: MONITORS - 1 });
const some = fc.uniqueArray(which, { minLength: 1, maxLength: 4 });
const channel = fc.nat({ max: CHANNELS.length - 1 });
const act = <T extends string>(...is: T[]) => fc.record({ is: fc.constantFrom(...is), which });

/** What happens: to monitors, to what people make of it, to receivers, and to servers. */
export const happening = fc.oneof(
  { weight: 9, arbitrary: fc.record({ is: fc.constantFrom("down" as const, "up" as const), some }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant("pass" as const),
      ms: fc.constantFrom(6_000, 61_000, HOUR_MS, 7 * HOUR_MS),
    }),
  },
  { weight: 2, arbitrary: act("pause", "window", "severity", "tag") },
  { weight: 2, arbitrary: act("merge", "split", "acknowledge", "forget") },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constantFrom("break" as const, "refuse" as const, "fix" as const),
      channel,
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom("switch" as const), channel }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom("kill" as const, "race" as const) }) },
);
export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** What one receiver was sent: the oracle's own book. */
interface Book {
  name: Name;
  id: number;
  believed: Map<string, Condition>;
  log: string[];
  answers: "takes" | "fails" | "refuses";
  isOn: boolean;
  /** The uuids of what it has: the same one may come again where a server died. */
  taken: Set<string>;
}

/** What a message says of monitors, by name. `isNews`: it says so of its own accord, and not beside something else. */
interface Said {
  name: string;
  condition: Condition;
  isNews: boolean;
}

const CONDITIONS: Readonly<Record<string, Condition>> = {
  "monitor.down": "down",
  "monitor.up": "ok",
  "monitor.settled": "ok",
  "monitor.flapping": "flapping",
  "monitor.degraded": "degraded",
  "monitor.stopped": "stopped",
  reminder: "down",
};

/** What a message says, from its facts. */
function saidBy(message: Message): Said[] {
  const { event, type, monitor, alert, digest } = message;
  if (digest)
    return digest.groups.flatMap(({ event: own, names }) => {
      const condition = CONDITIONS[own];
      return condition ? names.map((name) => ({ name, condition, isNews: own !== "reminder" })) : [];
    });
  const own = event === "monitor.settled" && type === "error" ? "down" : CONDITIONS[event];
  if (!monitor || !own) return [];
  const named = alert && alert.named.length > 0 ? alert.named.map(({ name }) => name) : [monitor.name];
  const isOver = own === "ok" || (event === "monitor.stopped" && type === "info");
  const condition = isOver ? "ok" : own;
  const items = new Map(alert?.named.map((item) => [item.name, item.condition]));
  return [
    ...named.map((name) => ({
      ...{ name, isNews: event !== "reminder" },
      condition: isOver ? ("ok" as const) : (items.get(name) ?? condition),
    })),
    ...(alert?.goingOn ?? []).map(({ name, condition: at }) => ({ name, condition: at, isNews: false })),
    ...(alert?.recovered ?? []).map(({ name }) => ({ name, condition: "ok" as const, isNews: true })),
  ];
}

/** The names in a reminder, by itself or in a digest. The channels are reminded as new ones are. */
const remindedIn = (message: Message): string[] =>
  message.event === "reminder"
    ? saidBy(message).map(({ name }) => name)
    : (message.digest?.groups ?? []).flatMap(({ event, names }) => (event === "reminder" ? names : []));

const isQuietAt = (at: number): boolean => {
  const hour = Math.floor((at % DAY_MS) / HOUR_MS);
  return hour < 8 || hour >= 20;
};

/** An organization with ten monitors, of which some share a host and one depends on another, and six channels. */
export async function startStory(server: TestServer, clock: { ms: number }) {
  const { ctx } = server;
  const { db } = ctx.store;
  clock.ms = Math.ceil(clock.ms / DAY_MS) * DAY_MS + 12 * HOUR_MS;
  const person = await server.createOrganization();
  const key = await server.createKey({ person });
  const api = async (method: string, path: string, body?: object) => {
    const answer = await server.api(method, path, body, { key });
    return { status: answer.status, data: answer.body?.data };
  };
  ctx.windows = createActiveWindows(ctx);
  const windows = followWindows(ctx, ctx.windows, () => {});
  const ids: number[] = [];
  const names: string[] = [];
  const uuids: string[] = [];
  for (let at = 0; at < MONITORS; at += 1) {
    const host = at < 4 ? "one" : `host${at}`;
    const name = `M${at}`;
    const severity = (["low", "medium", "high", "critical"] as const)[at % 4];
    const tags = at % 2 === 0 ? ["own"] : [];
    const parents = at === 7 || at === 8 ? [uuids[6]] : [];
    const { status, data } = await api("POST", "/api/domains", {
      ...{ name, url: `https://${host}.example/${at}`, severity, tags, parents },
    });
    if (status !== 201) throw new Error(JSON.stringify(data));
    ids.push(data.id);
    uuids.push(data.uuid);
    names.push(name);
  }
  const books: Book[] = [];
  for (const name of CHANNELS) {
    const type = name === "machine" ? "webhook" : name === "pager" ? "pagerduty" : "mattermost";
    const config = name === "pager" ? { key: "k" } : { url: "https://receiver.example/" };
    const filter = {
      ...(name === "critical" && { severities: ["critical"] }),
      ...(name === "tagged" && { tags: ["own"] }),
      ...(name === "by day" && { hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" }),
    };
    const { status, data } = await api("POST", "/api/notifications/channels", {
      name,
      type,
      config,
      ...filter,
    });
    if (status !== 201) throw new Error(`${name}: ${status}`);
    const book = {
      name,
      id: data.id,
      believed: new Map(),
      log: [],
      answers: "takes",
      isOn: true,
      taken: new Set(),
    };
    books.push(book as unknown as Book);
  }
  const byChannel = new Map(books.map((book) => [book.id, book]));

  /** What is true, whether or not it was sent: the rules' own state. */
  const truth = async () => {
    const rows = await db
      .selectFrom("monitors")
      .innerJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
      .select(["monitors.name", "monitors.severity", "monitors.tags", "monitors.enabled"])
      .select(["monitor_states.rules", "monitor_states.maintenance_until as until"])
      .where("monitors.organization_id", "=", person.organization.id)
      .where("monitors.deleted_at", "is", null)
      .execute();
    return new Map(
      rows.map(({ name, rules, until, ...row }) => {
        const { outage, flapping, suppressed, status, degradedTold, stoppedTold } = decodeState(rules);
        // What is up again in front of it leaves it to be confirmed.
        const isBehind = (suppressed !== null && suppressed.until === null) || (status === "down" && !outage);
        let condition: Condition = "ok";
        if (row.enabled !== 1) condition = "ok";
        else if (flapping) condition = "flapping";
        else if (outage || isBehind) condition = "down";
        else if (status === "unknown" && stoppedTold) condition = "stopped";
        else if (status === "degraded" && degradedTold) condition = "degraded";
        const isHeld = until !== null;
        return [name, { ...row, condition, isHeld, isBehind, isOff: row.enabled !== 1 }];
      }),
    );
  };

  const take = async (book: Book, { message: json, uuid }: OpenDelivery): Promise<Outcome> => {
    if (book.answers === "fails") return { is: "postponed", why: fact("delivery.error") };
    if (book.answers === "refuses") return { is: "refused", why: fact("delivery.error") };
    const now = await truth();
    const message = JSON.parse(json ?? "{}") as Message;
    const said = saidBy(message);
    const isMachine = book.name === "machine";
    const line = `${message.event}: ${said.map(({ name, condition }) => `${name} ${condition}`).join(", ")}`;
    book.log.push(line);
    const about = `${book.name}: ${book.log.join(" | ")}`;
    let isNews = said.every((one) => !one.isNews) || book.taken.has(uuid);
    for (const name of remindedIn(message)) {
      expect(now.get(name)?.severity, `${about}: reminded of ${name}`).toBe("critical");
      expect(book.believed.get(name), `${about}: reminded of ${name}`).toBe("down");
    }
    for (const { name, condition, isNews: isOwn } of said) {
      const believed = book.believed.get(name) ?? "ok";
      const so = now.get(name);
      if (so && !isMachine) expect(so.condition, `${about}: ${name} is not so`).toBe(condition);
      if (condition === "ok" && book.name !== "by day" && !book.taken.has(uuid))
        expect(believed, `${about}: ${name} was not known`).not.toBe("ok");
      if (believed !== condition) isNews = true;
      if (isOwn && isMachine && !book.taken.has(uuid))
        expect(believed, `${about}: twice`).not.toBe(condition);
    }
    if (book.name !== "by day") expect(isNews, `${about}: nothing new`).toBe(true);
    if (book.name === "by day" && isQuietAt(clock.ms) && said.length > 0) {
      const isUrgent = said.some(
        ({ name, condition }) => condition === "ok" || now.get(name)?.severity === "critical",
      );
      expect(isUrgent, `${about}: quiet`).toBe(true);
    }
    for (const { name, condition } of said) book.believed.set(name, condition);
    book.taken.add(uuid);
    return { is: "sent", said: fact("delivery.accepted", { where: "", status: 200 }) };
  };

  let isDying = false;
  const dying = {
    ...ctx,
    store: {
      ...ctx.store,
      transaction: ((work: never) =>
        isDying
          ? Promise.reject(new Error("killed"))
          : ctx.store.transaction(work)) as typeof ctx.store.transaction,
    },
  };
  const send = (kills: boolean) => async (_: unknown, delivery: OpenDelivery) => {
    const book = byChannel.get(delivery.channelId ?? 0);
    if (!book) return { is: "sent" as const, said: fact("delivery.accepted", { where: "", status: 200 }) };
    const outcome = await take(book, delivery);
    if (kills) isDying = true;
    return outcome;
  };
  const deliver = async (kills = false) => {
    const through = { ...channelTransport, send: send(kills) };
    const transports = { ...TRANSPORTS, channel: through, person: through };
    const { signal } = new AbortController();
    if (!kills) return deliverOutbox(ctx, transports as never, signal);
    await deliverOutbox(dying as never, transports as never, signal).catch(() => {});
    isDying = false;
  };
  const look = async () => {
    windows.changed();
    await windows.look();
    await followParents(ctx);
  };
  const check = async (some: readonly number[], isUp: boolean) => {
    const now = await truth();
    const watched = some.filter((at) => !now.get(names[at] ?? "")?.isOff);
    for (let times = 0; times < 2; times += 1) {
      clock.ms += 5_000;
      const results = watched.map((at) => (isUp ? probed : failed)(ids[at] ?? 0, clock.ms));
      if (results.length > 0) await ingestBatch(ctx, results);
    }
    await followParents(ctx);
  };
  const incidents = async () =>
    (await api("GET", "/api/incidents")).data.filter(
      (one: { mergedIntoId: number | null }) => one.mergedIntoId === null,
    );
  const onIncident = async (is: "merge" | "split" | "acknowledge" | "forget") => {
    const [first, second] = await incidents();
    if (!first) return;
    if (is === "merge" && second) await api("POST", `/api/incidents/${second.id}/merge`, { into: first.id });
    if (is === "split") await api("POST", `/api/incidents/${first.id}/split`, {});
    if (is === "acknowledge") await api("POST", `/api/incidents/${first.id}/acknowledge`, {});
    if (is === "forget") await api("DELETE", `/api/incidents/${first.id}`);
  };
  const onMonitor = async (is: "pause" | "window" | "severity" | "tag", at: number) => {
    const id = ids[at];
    const now = await truth();
    const own = now.get(names[at] ?? "");
    if (is === "pause") {
      await api("PUT", `/api/domains/${id}`, { enabled: own?.isOff === true });
      // Who stopped it knows.
      for (const book of books)
        if (!own?.isOff && book.name !== "machine" && book.name !== "pager")
          book.believed.delete(names[at] ?? "");
    }
    if (is === "severity")
      await api("PUT", `/api/domains/${id}`, { severity: own?.severity === "critical" ? "low" : "critical" });
    if (is === "tag") await api("PUT", `/api/domains/${id}`, { tags: own?.tags === "[]" ? ["own"] : [] });
    if (is === "window") {
      await api("POST", "/api/maintenance", { title: "Work", monitorIds: [id], duration: 1_800 });
      await look();
    }
  };

  const take1 = async (one: Happening): Promise<void> => {
    const book = "channel" in one ? (books[one.channel] as Book) : undefined;
    switch (one.is) {
      case "down":
      case "up":
        return check(one.some, one.is === "up");
      case "pass":
        clock.ms += one.ms;
        return look();
      case "break":
      case "refuse":
      case "fix":
        if (book) book.answers = one.is === "fix" ? "takes" : one.is === "break" ? "fails" : "refuses";
        return;
      case "switch":
        if (!book) return;
        book.isOn = !book.isOn;
        await api("PUT", `/api/notifications/channels/${book.id}`, { enabled: book.isOn });
        return;
      case "kill":
        await deliver(true);
        clock.ms += 121_000;
        return;
      case "race":
        await Promise.all([deliver(), deliver()]);
        return;
      case "merge":
      case "split":
      case "acknowledge":
      case "forget":
        return onIncident(one.is);
      case "pause":
      case "window":
      case "severity":
      case "tag":
        return onMonitor(one.is, one.which);
    }
  };
  /** Sends everything that becomes due within that time. */
  const settle = async (ms: number) => {
    const until = clock.ms + ms;
    for (let rounds = 0; ; rounds += 1) {
      if (rounds > 500) throw new Error("it never ends");
      await deliver();
      const next = await db
        .selectFrom("alerts")
        .select(({ fn }) => fn.min("next_at").as("at"))
        .where("organization_id", "=", person.organization.id)
        .executeTakeFirst();
      const waiting = await db
        .selectFrom("outbox")
        .select(({ fn }) => fn.min("next_try_at").as("at"))
        .where("organization_id", "=", person.organization.id)
        .where("state", "=", "waiting")
        .executeTakeFirst();
      const at = Math.min(next?.at ?? Infinity, waiting?.at ?? Infinity);
      if (at > until) break;
      clock.ms = Math.max(clock.ms + 1, at);
    }
  };
  /** Everything works again, and it is day: each channel knows what is so. */
  const finish = async () => {
    for (const book of books) {
      book.answers = "takes";
      if (!book.isOn) await api("PUT", `/api/notifications/channels/${book.id}`, { enabled: true });
    }
    clock.ms += HOUR_MS;
    await look();
    await settle(HOUR_MS);
    if (isQuietAt(clock.ms)) {
      clock.ms = Math.ceil((clock.ms - 8 * HOUR_MS) / DAY_MS) * DAY_MS + 8 * HOUR_MS;
      await look();
    }
    await settle(HOUR_MS);
    const now = await truth();
    for (const { name: channelName, believed, log } of books) {
      for (const [name, so] of now) {
        const known = believed.get(name) ?? "ok";
        const about = `${channelName}, ${name} (${so.severity}): ${log.join(" | ")}`;
        const isWanted =
          (channelName !== "critical" || so.severity === "critical") &&
          (channelName !== "tagged" || so.tags.includes("own"));
        if (so.isHeld && known === "ok") continue;
        if (so.isBehind && known === "ok") {
          const parent = now.get("M6");
          const isParentKnown = (believed.get("M6") ?? "ok") !== "ok";
          const isParentDown = parent !== undefined && parent.condition !== "ok";
          expect(isWanted && isParentDown && !isParentKnown && !parent.isHeld, `${about}: behind`).toBe(
            false,
          );
          continue;
        }
        if (known !== "ok") expect(so.condition, about).toBe(known);
        else expect(isWanted && so.condition !== "ok", about).toBe(false);
      }
    }
  };
  return { take: take1, deliver: () => deliver(), finish, books };
}
