import { expect } from "vitest";
import type { Condition } from "../../../src/alerts/alert.ts";
import type { Message } from "../../../src/alerts/channels/message.ts";
import { decodeState } from "../../../src/engine/status/encode-state.ts";
import type { Db } from "../../../src/platform/database/schema.ts";
import { type ChannelName, GROUP, PARENT } from "./story-setup.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What narrows a channel. */
export interface Filter {
  events?: string[];
  severities?: string[];
  tags?: string[];
}

/** What one receiver was sent: the oracle's own book. */
export interface Book {
  name: ChannelName;
  id: number;
  filter: Filter;
  /** It wanted no ends for a while: of two outages it may have the beginnings alone. */
  hadNoEnds: boolean;
  /** What it was sent as down behind another monitor: by itself that is an event. */
  listed: Set<string>;
  /** By alert, and there by monitor. A pager has one alert for each incident, and all others but one. */
  notified: Map<number, Map<string, Condition>>;
  log: string[];
  answers: "takes" | "fails" | "refuses";
  isOn: boolean;
  /** Known when people last changed it, or a message failed: of another outage since then it is notified again. */
  known: Set<string>;
  /** A message that these were up again failed: when they go down again, the channel is notified of that. */
  missedEnds: Set<string>;
  /** An attempt failed: until then the next one may be waited for. Milliseconds. */
  behindUntil: number;
  /** The uuids of what it has: the same one may come again where a server died. */
  taken: Set<string>;
}

/** A monitor as it is. */
export interface Truth {
  condition: Condition;
  severity: string;
  tags: readonly string[];
  isOff: boolean;
  isInWindow: boolean;
  isBehind: boolean;
  /** What it was down behind is up again, and its own check to come. */
  isBeingConfirmed: boolean;
  /** Nothing is known of it: it is neither said to be up, nor to be down. */
  isUnknown: boolean;
}

/** What is true, whether or not it was sent, by name: the rules' own state. */
export async function readTruth(db: Db, organizationId: number): Promise<Map<string, Truth>> {
  const rows = await db
    .selectFrom("monitors")
    .innerJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select(["monitors.name", "monitors.severity", "monitors.tags", "monitors.enabled"])
    .select(["monitor_states.rules", "monitor_states.maintenance_until as until"])
    .where("monitors.organization_id", "=", organizationId)
    .where("monitors.deleted_at", "is", null)
    .execute();
  return new Map(
    rows.map(({ name, rules, until, severity, tags, enabled }) => {
      const isOff = enabled !== 1;
      const { outage, flapping, suppressed, status, degradationNotified, stopNotified } = decodeState(rules);
      const isBehind = suppressed !== null && suppressed.until === null;
      const isBeingConfirmed = status === "down" && !outage && !isBehind;
      let condition: Condition = "ok";
      if (isOff) condition = "ok";
      else if (flapping) condition = "flapping";
      else if (outage || isBehind || isBeingConfirmed) condition = "down";
      else if (status === "unknown" && stopNotified) condition = "stopped";
      else if (status === "degraded" && degradationNotified) condition = "degraded";
      const isInWindow = until !== null;
      const isUnknown = !isOff && condition === "ok" && status === "unknown";
      const about = { condition, severity, tags: JSON.parse(tags), isOff, isUnknown };
      return [name, { ...about, isInWindow, isBehind, isBeingConfirmed }];
    }),
  );
}

/** What a message says of monitors, by name. `isNew`: it says so of its own accord, and not beside something else. */
interface Said {
  name: string;
  condition: Condition;
  isNew: boolean;
  /** As down behind another monitor. */
  isListed?: boolean;
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

/** What a message says, from its descriptor. */
function saidBy(message: Message): Said[] {
  const { event, type, monitor, alert, digest } = message;
  const listing = (names: readonly string[]) =>
    names.map((name) => ({ name, condition: "down" as const, isNew: false, isListed: true }));
  if (digest)
    return [
      ...digest.groups.flatMap(({ event: own, names }) => {
        const condition = CONDITIONS[own];
        return condition ? names.map((name) => ({ name, condition, isNew: own !== "reminder" })) : [];
      }),
      ...listing(digest.held?.names ?? []),
    ];
  const own = event === "monitor.settled" && type === "error" ? "down" : CONDITIONS[event];
  if (!monitor || !own) return [];
  const isListed = message.descriptor.code === "notification.behind";
  const named = alert && alert.named.length > 0 ? alert.named.map(({ name }) => name) : [monitor.name];
  const isOver =
    own === "ok" || (event === "monitor.stopped" && (type === "info" || message.isPartial === true));
  const condition = isOver ? "ok" : own;
  const items = new Map(alert?.named.map((item) => [item.name, item.condition]));
  return [
    ...named.map((name) => ({
      ...{ name, isNew: event !== "reminder" && !isListed, isListed },
      condition: isOver ? ("ok" as const) : (items.get(name) ?? condition),
    })),
    ...(alert?.goingOn ?? []).map(({ name, condition: at }) => ({ name, condition: at, isNew: false })),
    ...[...(alert?.recovered ?? []), ...(alert?.unwatched ?? [])].map(({ name }) => ({
      ...{ name, condition: "ok" as const, isNew: true },
    })),
    ...listing((alert?.held ?? []).map(({ name }) => name)),
  ];
}

/** The names in a reminder, by itself or in a digest. The channels are reminded as new ones are. */
const remindedIn = (message: Message): string[] =>
  message.event === "reminder"
    ? saidBy(message).map(({ name }) => name)
    : (message.digest?.groups ?? []).flatMap(({ event, names }) => (event === "reminder" ? names : []));

/** Whether the hours of "by day" are over at that time. */
export const isQuietAt = (at: number): boolean => {
  const hour = Math.floor((at % DAY_MS) / HOUR_MS);
  return hour < 8 || hour >= 20;
};

const has = (chosen: readonly string[] | undefined, ...some: readonly string[]): boolean =>
  !chosen || chosen.length === 0 || some.some((one) => chosen.includes(one));

/** Whether a channel wants to know of what is wrong, by that alone. */
const follows = ({ filter }: Book, condition: Condition | undefined): boolean =>
  has(filter.events, `monitor.${condition}`);

/** Whether a channel's filter lets through what is wrong. */
const isWanted = ({ filter }: Book, { severity, tags, condition }: Truth): boolean =>
  has(filter.severities, severity) && has(filter.tags, ...tags) && has(filter.events, `monitor.${condition}`);

/** Whether it is sent that what it was notified of is over; a pager's alert would stay open for good. */
export const wantsEnds = ({ name, filter }: Book): boolean =>
  name === "pager" || has(filter.events, "monitor.up");

/** What it knows of a monitor, which is more than one thing at a pager at most. */
const notifiedConditionsOf = ({ notified }: Book, name: string): Condition[] =>
  [...notified.values()].flatMap((own) => own.get(name) ?? []).filter((one) => one !== "ok");

/** A message failed: of another outage of what it says is over the channel has to be notified again, of any other it may be. */
export function noteFailed(book: Book, message: Message): void {
  noteKnown(book);
  for (const { name, condition } of saidBy(message))
    if (condition === "ok" && notifiedConditionsOf(book, name).includes("down")) book.missedEnds.add(name);
}

/** What it knows when people change it. */
export function noteKnown(book: Book): void {
  book.known = new Set([...book.notified.values()].flatMap((own) => [...own.keys()]));
}

/** People are not sent what they did themselves, or the end of what they want no ends of: they are taken to know. */
export function forget({ notified }: Book, name: string): void {
  for (const own of notified.values()) own.delete(name);
}

/** No channel is sent the end of what it wants no ends of. */
export function forgetEnds(book: Book, now: ReadonlyMap<string, Truth>): void {
  if (wantsEnds(book)) return;
  for (const [name, { condition }] of now)
    if (condition === "ok" && !notifiedConditionsOf(book, name).includes("flapping")) forget(book, name);
}

/** `before`: what was so while it was written, where that may have changed meanwhile. */
interface Meanwhile {
  now: ReadonlyMap<string, Truth>;
  before: ReadonlyMap<string, Truth> | null;
  /** Milliseconds. */
  at: number;
}

/** A receiver takes a message: what it says has to be true and new. */
export function takeMessage(
  book: Book,
  { message, uuid, alertId }: { message: Message; uuid: string; alertId: number },
  { now, before, at }: Meanwhile,
): void {
  const said = saidBy(message);
  const isMachine = book.name === "machine";
  const isByDay = book.name === "by day";
  const isAgain = book.taken.has(uuid);
  book.log.push(`${message.event}: ${said.map(({ name, condition }) => `${name} ${condition}`).join(", ")}`);
  const about = `${book.name}: ${book.log.join(" | ")}`;
  const known = book.notified.get(alertId) ?? new Map<string, Condition>();
  book.notified.set(alertId, known);
  let isNew = isAgain || said.every((one) => !one.isNew);
  for (const name of remindedIn(message)) {
    expect(now.get(name)?.severity, `${about}: reminded of ${name}`).toBe("critical");
    expect(known.get(name), `${about}: reminded of ${name}`).toBe("down");
  }
  for (const { name, condition, isNew: isOwn } of said) {
    const notified = known.get(name) ?? "ok";
    const so = now.get(name);
    // Who does not want to know what it is by now knows that something is wrong.
    const isUnfollowed = condition !== "ok" && so?.condition !== "ok" && !follows(book, so?.condition);
    if (so && !isMachine && !isUnfollowed && before?.get(name)?.condition !== condition)
      expect(so.condition, `${about}: ${name} is not so`).toBe(condition);
    if (message.event === "monitor.up" && condition === "ok" && !isMachine && !before)
      expect(so?.isUnknown ?? false, `${about}: ${name} is unknown`).toBe(false);
    // The end that a machine had in its queue when people chose that it wants none is sent all the same, in its place.
    if (condition === "ok" && !isByDay && !isAgain && !(isMachine && book.hadNoEnds))
      expect(notified, `${about}: ${name} was not known`).not.toBe("ok");
    const mayBeAnother = condition !== "ok" && book.known.delete(name);
    if (mayBeAnother && book.name !== "pager") forget(book, name);
    const isReleased = isOwn && book.listed.delete(name);
    // Another alert of a pager lists it.
    if (isReleased && book.name === "pager" && notified === "ok") forget(book, name);
    if (notified !== condition || mayBeAnother || isReleased) isNew = true;
    if (isOwn && condition !== "ok" && book.name === "pager" && notified === "ok")
      expect(notifiedConditionsOf(book, name), `${about}: ${name} has another alert`).toEqual([]);
    if (isOwn && isMachine && !isAgain && !book.hadNoEnds && !mayBeAnother)
      expect(notified, `${about}: twice`).not.toBe(condition);
  }
  // One that wants no ends is sent each outage, also of two with an end between that this oracle did not see.
  if (!isByDay && !(isMachine && book.hadNoEnds)) expect(isNew, `${about}: nothing new`).toBe(true);
  if (isByDay && isQuietAt(at) && said.length > 0) {
    const isUrgent = said.some(
      ({ name, condition }) => condition === "ok" || now.get(name)?.severity === "critical",
    );
    expect(isUrgent, `${about}: quiet`).toBe(true);
  }
  for (const { name, condition, isListed } of said) {
    known.set(name, condition);
    book.missedEnds.delete(name);
    if (isListed) book.listed.add(name);
  }
  book.taken.add(uuid);
}

const RANK: readonly string[] = ["low", "medium", "high", "critical"];

/** Whether it is not announced that it is down: what it depends on is being confirmed, or a machine was sent that, which is as severe. */
function isHeldBack(
  book: Book,
  now: ReadonlyMap<string, Truth>,
  { name, severity }: { name: string; severity: string },
): boolean {
  const own = Number(name.slice(1));
  for (let at = own - 1; at >= PARENT && own !== GROUP; at -= 1) {
    const parent = now.get(`M${at}`);
    if (!parent || parent.condition === "ok") return false;
    if (parent.isBeingConfirmed) return true;
    const isAsSevere = RANK.indexOf(parent.severity) >= RANK.indexOf(severity);
    // People's messages about that list it.
    if (isAsSevere && notifiedConditionsOf(book, `M${at}`).length > 0) return book.name === "machine";
  }
  return false;
}

/** A channel knows what is so of everything that it wants. */
export function expectKnows(book: Book, now: ReadonlyMap<string, Truth>, at: number, when: string): void {
  const isQuiet = book.name === "by day" && isQuietAt(at);
  for (const [name, so] of now) {
    if (so.isUnknown) continue;
    const about = `${book.name}, ${name} (${so.severity}), ${when}: ${book.log.join(" | ")}`;
    const isHeldAtNight = isQuiet && so.severity !== "critical" && so.condition !== "ok";
    const known = notifiedConditionsOf(book, name);
    if (known.length === 0) {
      if (so.condition === "ok" || so.isInWindow || so.isBeingConfirmed) continue;
      if (isHeldAtNight || !isWanted(book, so)) continue;
      const isReported = so.isBehind && isHeldBack(book, now, { name, severity: so.severity });
      expect(isReported, `${about}: is ${so.condition}`).toBe(true);
    }
    const isReleased = so.condition === "down" && !so.isBehind && !so.isBeingConfirmed && !so.isInWindow;
    if (isReleased && !isHeldAtNight && isWanted(book, so) && book.name !== "machine")
      expect(book.listed.has(name), `${about}: was only listed`).toBe(false);
    if (
      isReleased &&
      !isHeldAtNight &&
      isWanted(book, so) &&
      book.name !== "machine" &&
      book.name !== "pager"
    )
      expect(book.missedEnds.has(name), `${about}: was not notified of another outage`).toBe(false);
    const isFollowed = so.condition === "ok" || follows(book, so.condition);
    // A window holds what it turns into, too, but not its end.
    if (so.isInWindow && so.condition !== "ok") continue;
    if (isFollowed && !isHeldAtNight) for (const one of known) expect(so.condition, about).toBe(one);
  }
  if ((book.name !== "machine" && book.name !== "pager") || book.hadNoEnds) return;
  const removed = [...book.notified.values()].flatMap((own) => [...own]).filter(([name]) => !now.has(name));
  for (const [name, known] of removed) expect(known, `${book.name}, ${name} is gone, ${when}`).toBe("ok");
}
