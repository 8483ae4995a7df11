import type { Db } from "../../src/platform/database/schema.ts";
import { REFUSING, type WebhookRequest } from "./webhook-receiver.ts";

/** When a monitor's target failed, and when it answered again. Milliseconds. */
export interface Outage {
  monitorId: number;
  failingFrom: number;
  passingFrom: number;
}

/** What was played. */
export interface Play {
  outages: readonly Outage[];
  kills: number;
  /** The channels' paths. */
  channels: readonly string[];
}

type Incident = Awaited<ReturnType<typeof readNotified>>["incidents"][number];
type Delivery = Awaited<ReturnType<typeof readNotified>>["deliveries"][number];

/** What is stored, and what came in. */
export type Notified = Awaited<ReturnType<typeof readNotified>> & { requests: readonly WebhookRequest[] };

/** Reads what is stored of outages and of which messages were to be sent about them. */
export async function readNotified(db: Db) {
  return {
    incidents: await db
      .selectFrom("incidents")
      .select(["monitor_id as monitorId", "status", "started_at as startedAt", "detected_at as detectedAt"])
      .select("resolved_at as resolvedAt")
      .execute(),
    notifications: await db
      .selectFrom("notifications")
      .select(["monitor_id as monitorId", "event"])
      .execute(),
    transitions: await db
      .selectFrom("transitions")
      .select(["monitor_id as monitorId", "to_status as to"])
      .orderBy("id")
      .execute(),
    deliveries: (
      await db
        .selectFrom("outbox")
        .innerJoin("channels", "channels.id", "outbox.channel_id")
        .select(["outbox.uuid as key", "channels.name as path", "event", "message", "state", "attempts"])
        .execute()
    ).map(({ message, ...own }) => ({
      ...own,
      monitorId: (JSON.parse(message ?? "{}") as { monitor?: { id: number } }).monitor?.id ?? 0,
    })),
  };
}

/** A check's time is cut to the millisecond, and one that has just begun may fail by what it meets. */
const EDGE_MS = 50;
const BOTH = ["monitor.down", "monitor.up"];

/** Everything that is not as it must be, in words; empty when nothing was lost, doubled or sent in the wrong order. */
export function complaintsAbout(play: Play, notified: Notified): string[] {
  return [
    ...play.outages.flatMap((outage) => aboutOutage(outage, notified)),
    ...play.outages.flatMap(({ monitorId }) =>
      play.channels.flatMap((path) => aboutChannel(path, monitorId, notified)),
    ),
    ...notified.deliveries.flatMap((delivery) => aboutDelivery(delivery, notified.requests)),
    ...aboutTotals(play, notified),
  ];
}

const isSame = (a: readonly unknown[], b: readonly unknown[]) => JSON.stringify(a) === JSON.stringify(b);

function aboutOutage(outage: Outage, { incidents, notifications, transitions }: Notified): string[] {
  const { monitorId } = outage;
  const of = <T extends { monitorId: number | null }>(rows: readonly T[]) =>
    rows.filter((row) => row.monitorId === monitorId);
  const own = of(incidents);
  const events = of(notifications).map(({ event }) => event);
  const statuses = of(transitions).map(({ to }) => to);
  return [
    ...(own.length === 1 ? [] : [`monitor ${monitorId} has ${own.length} incidents`]),
    ...own.flatMap((incident) => aboutIncident(incident, outage)),
    ...(isSame(events.toSorted(), BOTH) ? [] : [`monitor ${monitorId} has the notifications ${events}`]),
    ...(isSame(statuses, ["up", "down", "up"]) ? [] : [`monitor ${monitorId} went ${statuses}`]),
  ];
}

function aboutIncident(incident: Incident, { monitorId, failingFrom, passingFrom }: Outage): string[] {
  const { status, startedAt, detectedAt, resolvedAt } = incident;
  const isRight =
    status === "resolved" &&
    startedAt >= failingFrom - EDGE_MS &&
    detectedAt >= startedAt &&
    detectedAt <= passingFrom &&
    (resolvedAt ?? 0) >= passingFrom - EDGE_MS;
  return isRight
    ? []
    : [`the incident of monitor ${monitorId}: ${JSON.stringify({ ...incident, failingFrom, passingFrom })}`];
}

/** One message for each event, the beginning before the end, and no end of what was refused. */
function aboutChannel(path: string, monitorId: number, { deliveries, requests }: Notified): string[] {
  const name = `monitor ${monitorId} at ${path}`;
  const isHere = (one: { path: string; monitorId: number }) =>
    one.path === path && one.monitorId === monitorId;
  const written = deliveries.filter(isHere).map(({ event }) => event ?? "");
  const received = requests.filter(isHere).map(({ event }) => event);
  const order = [...new Set(received)];
  const expected = path === REFUSING ? ["monitor.down"] : BOTH;
  const turns = received.filter((event, at) => event !== received[at - 1]);
  return [
    // The end of what was refused may have been written before anybody knew that.
    ...([expected, BOTH].some((one) => isSame(written.toSorted(), one)) &&
    (path === REFUSING || written.length === 2)
      ? []
      : [`${name}: written were ${written}`]),
    ...(isSame(order, expected) && turns.length === order.length
      ? []
      : [`${name}: received were ${received}`]),
  ];
}

/** Received as often as it was sent, or less: an attempt may end before its request has left. */
function aboutDelivery(
  { key, path, event, state, attempts }: Delivery,
  requests: readonly WebhookRequest[],
): string[] {
  const received = requests.filter((request) => request.key === key && request.path === path).length;
  const isRefused = path === REFUSING;
  const isRight =
    isRefused && event === "monitor.up"
      ? state === "failed" && received === 0
      : state === (isRefused ? "failed" : "sent") && received >= 1 && received <= attempts;
  return isRight
    ? []
    : [`${event} at ${path} is ${state}, received ${received} times in ${attempts} attempts`];
}

function aboutTotals(
  { outages, kills, channels }: Play,
  { incidents, deliveries, requests }: Notified,
): string[] {
  const again = deliveries.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0);
  const known = new Set(deliveries.map(({ key }) => key));
  const strange = requests.filter(({ key }) => !known.has(key));
  return [
    ...(incidents.length === outages.length
      ? []
      : [`${incidents.length} incidents of ${outages.length} outages`]),
    // A channel is sent one message at a time, so a kill ends one attempt of each at most.
    ...(again <= kills * channels.length ? [] : [`${again} attempts were repeated after ${kills} kills`]),
    ...(strange.length === 0 ? [] : [`${strange.length} unexpected messages`]),
  ];
}
