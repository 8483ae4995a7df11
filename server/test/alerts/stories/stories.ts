import { sql } from "kysely";
import { channelTransport } from "../../../src/alerts/channels/channel-transport.ts";
import type { Message } from "../../../src/alerts/channels/message.ts";
import { deliverOutbox } from "../../../src/alerts/deliver.ts";
import { followAlertEvents } from "../../../src/alerts/inbox.ts";
import type { OpenDelivery, Outcome } from "../../../src/alerts/outbox.ts";
import { readAlertOfDelivery, takeBackPending } from "../../../src/alerts/queries/alerts.ts";
import { LEASE_MS } from "../../../src/alerts/retry-rules.ts";
import { TRANSPORTS } from "../../../src/app/jobs.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { deleteDomain, updateDomain } from "../../../src/monitors/domains.ts";
import { followMembers, followParents } from "../../../src/monitors/find-members.ts";
import { createActiveWindows } from "../../../src/monitors/maintenance/active-windows.ts";
import { followWindows } from "../../../src/monitors/maintenance/apply-window.ts";
import { createMaintenance } from "../../../src/monitors/maintenance/windows.ts";
import { deleteService, updateService } from "../../../src/monitors/services.ts";
import type { Context } from "../../../src/platform/context.ts";
import { type Db, detailsOf, TABLE_NAMES } from "../../../src/platform/database/schema.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { failed, probed } from "../../app/pipeline/setup.ts";
import { aReason } from "../../harness/reasons.ts";
import type { TestServer } from "../../harness/server.ts";
import type { Happening } from "./story-happenings.ts";
import {
  type Book,
  expectKnows,
  forget,
  forgetEnds,
  isQuietAt,
  noteFailed,
  readTruth,
  type Truth,
  takeMessage,
} from "./story-oracle.ts";
import { newBook, onChannel, onIncident } from "./story-people.ts";
import {
  ADDRESSES,
  CHANNELS,
  callerOf,
  emptyTables,
  GROUP,
  MONITORS,
  type Organization,
  PARENT,
} from "./story-setup.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STARTED_AT = Date.UTC(2026, 10, 23, 12);
const CHECKED_MS = 5 * SECOND_MS;
/** Members of an incident are gathered for a minute, messages for five seconds, and those of a digest for a minute more. */
const KNOWN_WITHIN_MS = 130 * SECOND_MS;

/** How long after a failed attempt the next one begins, at most. */
const RETRIED_WITHIN_MS = 31 * MINUTE_MS;

const ACCEPTED: Outcome = { is: "sent", said: msg("delivery.accepted", { where: "", status: 200 }) };

/** What servers do with an organization, and what its channels are sent of it. */
export interface Story {
  ctx: Context;
  clock: { ms: number };
  organization: Organization;
  windows: ReturnType<typeof followWindows>;
  members: ReturnType<typeof followMembers>;
  attempt: ReturnType<typeof callerOf>["attempt"];
  call: ReturnType<typeof callerOf>["call"];
  books: Book[];
  /** What is so; null: it may have changed. */
  truth: Map<string, Truth> | null;
  /** Two servers are at it: what was so before may be said as well. */
  before: Map<string, Truth> | null;
  /** What a message said wrongly. The server takes it for a failed attempt. */
  fault: Error | null;
}

/** It begins at noon, with the organization as it was made. */
export async function startStory(
  { ctx }: TestServer,
  organization: Organization,
  clock: { ms: number },
): Promise<Story> {
  clock.ms = STARTED_AT;
  await organization.restore();
  ctx.windows = createActiveWindows(ctx);
  return {
    ...{ ctx, clock, organization, truth: null, before: null, fault: null, ...callerOf(ctx, organization) },
    windows: followWindows(ctx, ctx.windows, () => {}),
    members: followMembers(ctx),
    books: organization.channels.map(({ id, name }) => newBook(id, name)),
  };
}

/** Something happens, and the server does what follows at once. */
export async function happen(story: Story, one: Happening): Promise<void> {
  await take(story, one);
  await deliver(story);
}

async function take(story: Story, one: Happening): Promise<void> {
  switch (one.is) {
    case "down":
    case "up":
      return check(story, one.some, { is: one.is, why: one.why });
    case "burst":
      return burst(story);
    case "flap":
      return check(story, [one.which], { is: "flap", why: "refused" });
    case "pass":
      return pass(story, one.ms);
    case "sleep":
      story.clock.ms += one.ms;
      return look(story);
    case "break":
    case "refuse":
    case "fix":
    case "switch":
    case "drop":
    case "add":
    case "filter":
      return onChannel(story, one);
    case "merge":
    case "split":
    case "acknowledge":
    case "forget":
    case "reopen":
      return onIncident(story, one.is);
    case "pause":
    case "window":
    case "severity":
    case "tag":
    case "delete":
      return onMonitor(story, one.is, one.which);
    case "kill":
    case "race":
    case "restore":
      return onServer(story, one.is);
  }
}

/** What is so, read again where it may have changed, or does at this moment. */
async function truthOf(story: Story): Promise<Map<string, Truth>> {
  const truth = story.truth ?? (await readTruth(story.ctx.store.db, story.organization.id));
  story.truth = story.before === null ? truth : null;
  return truth;
}

// What monitors find, and time.

type Found = { is: "up" | "down" | "flap"; why: "refused" | "timeout" };

/** Two checks of each that is watched, or as many as it takes until it flaps. */
async function check(story: Story, some: readonly number[], { is, why }: Found): Promise<void> {
  const { clock, organization, ctx } = story;
  const now = await truthOf(story);
  const watched = some.filter((at) => at !== GROUP && now.get(`M${at}`)?.isOff === false);
  const times = is === "flap" ? 8 : 2;
  const results = Array.from({ length: times }, (_, turn) => {
    clock.ms += CHECKED_MS;
    const isUp = is === "flap" ? turn % 4 > 1 : is === "up";
    return watched.map((at) => {
      const id = organization.monitors[at]?.id ?? 0;
      const address = ADDRESSES[at] ?? null;
      if (isUp) return probed(id, clock.ms, { address });
      return failed(id, clock.ms, { address, reason: aReason(why, "It failed.") });
    });
  }).flat();
  story.truth = null;
  if (results.length > 0) await ingestBatch(ctx, results);
  for (const { monitorId } of results) story.members.changed(monitorId);
  if (watched.some((at) => at === 3 || at === 5)) await story.members.look();
  if (watched.some((at) => at >= PARENT)) await followParents(ctx);
}

/** Everything goes down within a minute, comes up, and some of it goes down again. */
async function burst(story: Story): Promise<void> {
  const all = Array.from({ length: MONITORS }, (_, at) => at);
  for (const [is, some] of [
    ["down", all],
    ["up", all],
    ["down", all.slice(2)],
  ] as const) {
    await check(story, some, { is, why: "refused" });
    await deliver(story);
  }
}

/** What depends on the clock: windows, groups, and what monitors depend on. */
async function look(story: Story): Promise<void> {
  story.truth = null;
  await story.windows.look();
  await story.members.look();
  await followParents(story.ctx);
}

/** Time goes by while the server runs: soon, each channel that works knows what is so. */
async function pass(story: Story, ms: number): Promise<void> {
  const until = story.clock.ms + ms;
  await look(story);
  await sendAllDue(story, Math.min(ms, KNOWN_WITHIN_MS));
  if (ms >= KNOWN_WITHIN_MS) await expectAllKnow(story, "soon");
  story.clock.ms = until;
  await look(story);
}

async function expectAllKnow(story: Story, when: string): Promise<void> {
  const now = await truthOf(story);
  const at = story.clock.ms;
  for (const book of story.books)
    if (book.isOn && book.answers === "takes" && book.behindUntil <= at) expectKnows(book, now, at, when);
}

/** Sends everything that becomes due within that time. */
async function sendAllDue(story: Story, ms: number): Promise<void> {
  const { ctx, clock } = story;
  const until = clock.ms + ms;
  for (let rounds = 0; ; rounds += 1) {
    if (rounds > 500) throw new Error("it never ends");
    await deliver(story);
    const at = await nextDue(ctx.store.db, clock.ms);
    if (at > until) break;
    clock.ms = at;
  }
  clock.ms = until;
}

/** When something becomes due after that time. What is due waits for something before it. */
async function nextDue(db: Db, after: number): Promise<number> {
  const { rows } = await sql<{ at: number | string | null }>`
    select min(at) as at from (select min(next_at) as at from alerts where next_at > ${after}
      union all select min(next_try_at) as at from outbox
        where state = 'waiting' and released_at is not null and next_try_at > ${after}) as due`.execute(db);
  return Number(rows[0]?.at ?? Infinity);
}

/** Everything works again, and it is day: each channel knows what is so. */
export async function finish(story: Story): Promise<void> {
  const { clock, books } = story;
  for (const book of books) {
    book.answers = "takes";
    if (!book.isOn) await onChannel(story, { is: "switch", channel: CHANNELS.indexOf(book.name) });
  }
  clock.ms += HOUR_MS;
  await look(story);
  await sendAllDue(story, HOUR_MS);
  if (isQuietAt(clock.ms)) {
    clock.ms = Math.ceil((clock.ms - 8 * HOUR_MS) / DAY_MS) * DAY_MS + 8 * HOUR_MS;
    await look(story);
    await sendAllDue(story, HOUR_MS);
  }
  const now = await truthOf(story);
  for (const book of books) expectKnows(book, now, clock.ms, "at the end");
}

// What channels are sent, and what becomes of it.

async function receive(story: Story, delivery: OpenDelivery): Promise<Outcome> {
  const book = story.books.find(({ id }) => id === delivery.channelId);
  if (!book) return ACCEPTED;
  const { ms } = story.clock;
  const message = JSON.parse(delivery.message ?? "{}") as Message;
  if (book.answers !== "takes") {
    noteFailed(book, message);
    book.behindUntil = ms + RETRIED_WITHIN_MS;
    return { is: book.answers === "fails" ? "postponed" : "refused", why: msg("delivery.error") };
  }
  const now = await truthOf(story);
  const alert = book.name === "pager" ? await readAlertOfDelivery(story.ctx.store.db, delivery.id) : null;
  try {
    const taken = { message, uuid: delivery.uuid, alertId: alert?.id ?? 0 };
    takeMessage(book, taken, { now, before: story.before, at: ms });
  } catch (error) {
    story.fault ??= error as Error;
  }
  return ACCEPTED;
}

/** What is due is sent. `kills`: the server dies before it keeps what became of it. */
async function deliver(story: Story, kills = false): Promise<void> {
  let isDying = false;
  const send = async (_: unknown, delivery: OpenDelivery) => {
    const outcome = await receive(story, delivery);
    isDying = kills;
    return outcome;
  };
  const through = { ...channelTransport, send };
  const transports = { ...TRANSPORTS, channel: through, person: through };
  const { store } = story.ctx;
  const transaction: typeof store.transaction = (work) =>
    isDying ? Promise.reject(new Error("killed")) : store.transaction(work);
  const ctx = kills ? { ...story.ctx, store: { ...store, transaction } } : story.ctx;
  const delivered = deliverOutbox(ctx, transports, new AbortController().signal);
  await (kills ? delivered.catch(() => {}) : delivered);
  if (story.fault !== null) throw story.fault;
  const now = await truthOf(story);
  for (const book of story.books) forgetEnds(book, now);
}

async function onServer(story: Story, is: "kill" | "race" | "restore"): Promise<void> {
  const { ctx, clock } = story;
  if (is === "kill") {
    await deliver(story, true);
    clock.ms += LEASE_MS + SECOND_MS;
  }
  if (is === "race") {
    story.before = await truthOf(story);
    story.truth = null;
    const servers = [deliver(story), followAlertEvents(ctx), deliver(story), followAlertEvents(ctx)];
    await Promise.all([check(story, [0, 4], { is: "down", why: "refused" }), ...servers]);
    await deliver(story);
    story.before = null;
    story.truth = null;
  }
  if (is === "restore") {
    // A backup, and its restoring at once: what was on its way is gone.
    await emptyTables(
      ctx.store,
      TABLE_NAMES.filter((table) => detailsOf(table).backup !== undefined),
    );
    const machines = story.books.filter(({ name }) => name === "machine").map(({ id }) => id);
    await ctx.store.transaction((trx) => takeBackPending(trx, (id) => machines.includes(id)));
  }
}

// What people do.

type MonitorAct = "pause" | "window" | "severity" | "tag" | "delete";

async function onMonitor(story: Story, is: MonitorAct, at: number): Promise<void> {
  const { attempt, books, organization } = story;
  const own = (await truthOf(story)).get(`M${at}`);
  if (!own) return;
  const monitorId = organization.monitors[at]?.id ?? 0;
  const id = `${monitorId}`;
  const [update, remove] = at === GROUP ? [updateService, deleteService] : [updateDomain, deleteDomain];
  story.truth = null;
  if (is === "pause" || is === "delete") {
    await (is === "pause" ? attempt(update, { id, enabled: own.isOff }) : attempt(remove, { id }));
    // Who stopped it knows.
    for (const book of books)
      if (!own.isOff && book.name !== "machine" && book.name !== "pager") forget(book, `M${at}`);
    await look(story);
  }
  if (is === "severity")
    await attempt(update, { id, severity: own.severity === "critical" ? "low" : "critical" });
  if (is === "tag") await attempt(update, { id, tags: own.tags.length === 0 ? ["own"] : [] });
  if (is === "window") {
    await attempt(createMaintenance, { title: "Work", monitorIds: [monitorId], duration: 1_800 });
    story.windows.changed();
    await look(story);
  }
}
