import type { OpenDelivery, Outcome, Transport } from "../../alerts/outbox.ts";
import type { Context } from "../../platform/context.ts";
import { lastEventId } from "../../platform/database/events.ts";
import type { Store } from "../../platform/database/store.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { PublicPage } from "../document/public-page.ts";
import { readPublicPage } from "../document/read-public-page.ts";
import { pageUrl } from "../page-url.ts";
import { listSiblings, readPageNotification } from "../queries/page-notifications.ts";
import { readPage, type StatusPage } from "../queries/status-pages.ts";
import { changeSubscriber, readSubscriber } from "../queries/subscribers.ts";
import { linkOf, manageToken } from "./address.ts";
import { SUBSCRIBER_CHANNELS } from "./channels/registry.ts";
import { isWithdrawal, type PageNotification } from "./page-notification.ts";

export const subscriberTransport: Transport = {
  async send(ctx, delivery, signal) {
    const { store, config, secrets } = ctx;
    const subscriber =
      delivery.subscriberId === null ? null : await readSubscriber(store.db, { id: delivery.subscriberId });
    if (!subscriber) return refused(msg("subscriber.gone"));
    const page = await readPage(store.db, subscriber.pageId);
    if (!page?.isPublic) return refused(msg("subscriber.closed"));
    if (config.publicUrl === null) return refused(msg("mail.no_address"));
    const about = await contentOf(ctx, page, delivery, subscriber.state);
    if ("why" in about) return { is: "refused", ...about };
    if ("afterMs" in about) return { is: "postponed", why: msg("subscriber.turn"), ...about };
    const { uuid, name, timeZone } = page;
    const token = manageToken(secrets, subscriber.uuid);
    const { publicUrl } = config;
    const sending = {
      ...{ subscriber, delivery, notification: about.notification },
      page: { uuid, name, timeZone, url: pageUrl(page, publicUrl) },
      confirmUrl: about.token === null ? null : linkOf(publicUrl, "confirm", about.token),
      manageUrl: linkOf(publicUrl, "manage", token),
      endUrl: linkOf(publicUrl, "end", token),
    };
    return SUBSCRIBER_CHANNELS[subscriber.kind].send(ctx, sending, signal);
  },
  /** A receiver that refused for good is sent nothing more. */
  async applyOutcome({ clock }, trx, { subscriberId }, outcome) {
    if (subscriberId === null || outcome.is !== "refused") return;
    if (!outcome.ended && !outcome.noMailbox) return;
    const ended = { state: "ended", endedReason: outcome.why, confirmationHash: null } as const;
    await changeSubscriber(trx, subscriberId, ended, clock.now());
  },
};

const refused = (why: MessageDescriptor): Outcome => ({ is: "refused", why });

/** By the subscriber's present state. */
async function contentOf(
  ctx: Context,
  page: StatusPage,
  delivery: OpenDelivery,
  state: string,
): Promise<Content | Unsent> {
  if (delivery.pageNotificationId !== null) {
    return state === "active" ? readDueNotification(ctx, page, delivery) : { why: msg("subscriber.gone") };
  }
  if (state === "active") return { notification: null, token: null };
  const { token } = JSON.parse(delivery.content) as { token: string };
  return state === "waiting" ? { notification: null, token } : { why: msg("subscriber.gone") };
}

const TURN_MS = 1_000;

interface Content {
  /** Null: the confirmation request. */
  notification: PageNotification | null;
  /** Of the link for the answer; null: none. */
  token: string | null;
}

/** For good, or not before a time. */
type Unsent = { why: MessageDescriptor } | { afterMs: number };

/**
 * With unsent updates of earlier notifications of the same subject, and without what the page has withdrawn.
 */
async function readDueNotification(
  ctx: Context,
  page: StatusPage,
  { pageNotificationId, subscriberId }: Pick<OpenDelivery, "pageNotificationId" | "subscriberId">,
): Promise<Content | Unsent> {
  const { db } = ctx.store;
  const notification =
    pageNotificationId === null ? null : await readPageNotification(db, pageNotificationId);
  if (!notification) return { why: msg("subscriber.gone") };
  const whose = { subscriberId: subscriberId ?? 0, now: ctx.clock.now() };
  const siblings = await listSiblings(db, notification, whose);
  if (siblings.some(({ id }) => id > notification.id)) return { why: msg("subscriber.outdated") };
  if (siblings.some(({ isUnderWay }) => isUnderWay)) return { afterMs: TURN_MS };
  // A withdrawal is not sent to a subscriber who was never notified of it.
  const lastSent = siblings.findLastIndex(({ isSent }) => isSent);
  const wasNeverNotified = isWithdrawal(notification.content) && lastSent === -1;
  // The last one that was sent included those before it.
  const unsent = siblings.slice(lastSent + 1).map(({ id }) => id);
  const shown = wasNeverNotified
    ? null
    : stillShown(
        await readShown(ctx, page, notification.content),
        await united(ctx, notification.content, unsent),
      );
  return shown ? { notification: shown, token: null } : { why: msg("subscriber.withdrawn") };
}

async function united(
  { store }: Context,
  notification: PageNotification,
  others: readonly number[],
): Promise<PageNotification> {
  const fresh = new Set(notification.fresh);
  for (const id of others) {
    const older = await readPageNotification(store.db, id);
    for (const uuid of older?.content.fresh ?? []) fresh.add(uuid);
  }
  return { ...notification, fresh: [...fresh] };
}

/** A page is reused for other subscribers while nothing happens. */
const GOOD_MS = 60_000;

interface Readings {
  eventId: number;
  at: number;
  /** By page number; beyond the page's incident limit also by the incident's uuid. */
  pages: Map<string, Promise<PublicPage>>;
}

const readings = new WeakMap<Store, Readings>();

/**
 * The present page, with the notification's subject if still public; read once for all subscribers until
 * something happens. Throws the store's error.
 */
async function readShown(
  { store, clock, config }: Pick<Context, "store" | "clock" | "config">,
  page: StatusPage,
  { incident }: Pick<PageNotification, "incident">,
): Promise<PublicPage> {
  const eventId = await lastEventId(store.db);
  const now = clock.now();
  let known = readings.get(store);
  if (!known || known.eventId !== eventId || Math.abs(now - known.at) >= GOOD_MS) {
    known = { eventId, at: now, pages: new Map() };
    readings.set(store, known);
  }
  const { pages } = known;
  const read = (key: string, also: readonly string[]) => {
    const reading =
      pages.get(key) ?? readPublicPage(store.db, page, { now, publicUrl: config.publicUrl, also });
    pages.set(key, reading);
    // A failure is not cached.
    reading.catch(() => pages.delete(key));
    return reading;
  };
  const shown = await read(`${page.id}`, []);
  const isThere = !incident || incidentsOf(shown).some(({ uuid }) => uuid === incident.uuid);
  return isThere ? shown : read(`${page.id} ${incident.uuid}`, [incident.uuid]);
}

const incidentsOf = ({ incidents, history }: PublicPage) => [...incidents, ...history];

/** In the page's current words; null: nothing is left. */
function stillShown(page: PublicPage, notification: PageNotification): PageNotification | null {
  const { incident, maintenance, event, fresh } = notification;
  const shown = [...incidentsOf(page), ...page.maintenance];
  if (isWithdrawal(notification)) {
    return shown.some(({ uuid }) => uuid === (incident ?? maintenance)?.uuid) ? null : notification;
  }
  if (incident) {
    const own = incidentsOf(page).find(({ uuid }) => uuid === incident.uuid);
    if (!own) return null;
    const written = new Set(incident.updates.map(({ uuid }) => uuid));
    const updates = own.updates.filter(({ uuid }) => written.has(uuid));
    const left = fresh.filter((uuid) => updates.some((update) => update.uuid === uuid));
    if (event === "incident.updated" && fresh.length > 0 && left.length === 0) return null;
    const { title, components } = own;
    return { ...notification, incident: { ...incident, title, components, updates }, fresh: left };
  }
  // Ended maintenance is no longer on the page.
  if (event === "maintenance.ended") return notification;
  const own = page.maintenance.find(({ uuid }) => uuid === maintenance?.uuid);
  return own ? { ...notification, maintenance: own } : null;
}
