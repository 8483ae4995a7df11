import { randomUUIDv7 } from "node:crypto";
import { insertSubscriberDeliveries } from "../../alerts/queries/incident-deliveries.ts";
import type { Context } from "../../platform/context.ts";
import { lastEventId } from "../../platform/database/events.ts";
import { STATUS_EVENTS, WINDOW_EVENT } from "../../platform/live-events.ts";
import type { PublicIncident, PublicPage } from "../document/public-page.ts";
import { readPublicPage } from "../document/read-public-page.ts";
import {
  claimLooks,
  hastenLooks,
  hastenLooksAt,
  insertPageNotifications,
  listChangedAfter,
  listOpenPageNotifications,
  listOrganizationsAfter,
  listToNotify,
  markEventNotified,
  readKnownToSubscribers,
  readPageNotification,
  saveKnownToSubscribers,
  unwatchPage,
} from "../queries/page-notifications.ts";
import { readPage, type StatusPage } from "../queries/status-pages.ts";
import { countSubscribers, forgetUnanswered } from "../queries/subscribers.ts";
import {
  everNamed,
  type FoundNotification,
  FRESH_MS,
  freshOf,
  type KnownToSubscribers,
  knownBefore,
  knownFromPage,
  type Looking,
  lookAtMaintenance,
  type NotifiedIncident,
  PAUSE_MS,
  type PutsOff,
  pendingEnds,
  putsOff,
  stillNamed,
  withdrawnAt,
} from "./maintenance-notifications.ts";
import { concerns, type PageNotification, type PageNotificationEvent } from "./page-notification.ts";
import { createConfirmationRounds, UNANSWERED_MS } from "./subscribe.ts";

const TYPES = [...STATUS_EVENTS, "incident", WINDOW_EVENT];
/** Without events. */
const EVERY_MS = 300_000;
/** After a crash, other processes wait for this long. */
const LEASE_MS = 60_000;
const PAGES_AT_ONCE = 10;
const FORGET_EVERY_MS = 3_600_000;
/** When another server compared the page meanwhile. */
const TRIES = 3;

export interface PageFollower {
  /** Throws the store's error. */
  look(): Promise<void>;
}

/** Safe to run in several processes. A page that cannot be read does not block others. */
export function followPages(ctx: Context): PageFollower {
  const { store, clock, log } = ctx;
  const pages = putsOff(log, "The look at a status page for its subscribers");
  const notifications = putsOff(log, "Notifying subscribers of a status page");
  const requestConfirmations = createConfirmationRounds(ctx);
  let seen: number | null = null;
  let forgotAt = Number.NEGATIVE_INFINITY;
  /** Makes pages due for which there were events since the last round. */
  const hasten = async () => {
    const newest = await lastEventId(store.db);
    const before = seen ?? newest;
    if (newest > before) {
      const organizations = await listOrganizationsAfter(store.db, before, TYPES);
      await hastenLooks(store.db, organizations, clock.now());
      await hastenLooksAt(store.db, await listChangedAfter(store.db, before), clock.now());
    }
    // Only after success, so that a failed round is repeated.
    seen = newest;
  };
  return {
    async look() {
      await hasten();
      const now = clock.now();
      const limits = { now, until: now + LEASE_MS, furthest: now + EVERY_MS, limit: PAGES_AT_ONCE };
      const due = await store.transaction((trx) => claimLooks(trx, { ...limits, except: pages.ids(now) }));
      for (const pageId of due) await pages.attempt(pageId, now, () => lookAtPage(ctx, pageId));
      await fanOutNotifications(ctx, notifications);
      await requestConfirmations();
      if (Math.abs(now - forgotAt) < FORGET_EVERY_MS) return;
      forgotAt = now;
      await forgetUnanswered(store.db, now - UNANSWERED_MS);
    },
  };
}

async function lookAtPage(ctx: Context, pageId: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) if (await lookOnce(ctx, pageId)) return;
}

async function lookOnce(ctx: Context, pageId: number): Promise<boolean> {
  const { store, clock, config } = ctx;
  const page = await readPage(store.db, pageId);
  const before = await readKnownToSubscribers(store.db, pageId);
  if (!page || before === undefined) return true;
  const notified = before === null ? null : (JSON.parse(before) as KnownToSubscribers);
  const reading = {
    now: clock.now(),
    publicUrl: config.publicUrl,
    also: notified ? pendingEnds(notified) : [],
  };
  const { now } = reading;
  const document = await readPublicPage(store.db, page, reading);
  return store.transaction(async (trx) => {
    // Compared by content: clocks may have been ahead.
    if ((await readKnownToSubscribers(trx, pageId)) !== before) return false;
    if ((await countSubscribers(trx, { pageId, state: "active" })) === 0) {
      await unwatchPage(trx, pageId);
      return true;
    }
    const look = compared(page, document, notified);
    const notifications = look.notifications.map((content) => ({ uuid: randomUUIDv7(), content }));
    await insertPageNotifications(trx, page, notifications, now);
    const again = Math.min(look.again, now + EVERY_MS);
    await saveKnownToSubscribers(trx, pageId, JSON.stringify(look.notified), Math.max(again, now + 1));
    return true;
  });
}

/** The first comparison finds nothing new, nor does any while the page is for members only. */
function compared({ isPublic }: StatusPage, document: PublicPage, before: KnownToSubscribers | null) {
  if (before !== null && isPublic) return lookAt(document, before);
  return { notifications: [], notified: knownFromPage(document), again: Number.POSITIVE_INFINITY };
}

/** What is new, what subscribers know afterwards, and when more may be due without an event. */
interface PageDiff {
  notifications: PageNotification[];
  notified: KnownToSubscribers;
  again: number;
}

export function lookAt(page: PublicPage, before: KnownToSubscribers): PageDiff {
  let again = nextEdge(page);
  const looking = {
    ...{ page, notified: knownBefore(before, page.updatedAt), known: knownFromPage(page) },
    lookAgain: (at: number) => void (again = Math.min(again, at)),
  };
  const found = [...lookAtIncidents(looking), ...lookAtMaintenance(looking)];
  const notifications = found.sort((a, b) => a.at - b.at).map((one) => one.notification);
  return { notifications, notified: looking.known, again };
}

const nextEdge = ({ maintenance, updatedAt: now }: PublicPage): number =>
  Math.min(
    ...maintenance
      .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
      .filter((at) => at > now)
      .concat(Number.POSITIVE_INFINITY),
  );

const SUBSCRIBERS_AT_ONCE = 500;
const NOTIFICATIONS_AT_ONCE = 20;
const WORTH_MS = 86_400_000;

/**
 * A limited number of subscribers per transaction: other writers get their turn, and another process can
 * continue after a crash.
 */
async function fanOutNotifications(ctx: Pick<Context, "store" | "clock">, putOff: PutsOff): Promise<void> {
  for (;;) {
    const now = ctx.clock.now();
    const open = await listOpenPageNotifications(ctx.store.db, NOTIFICATIONS_AT_ONCE, putOff.ids(now));
    if (open.length === 0) return;
    for (const id of open) {
      await putOff.attempt(id, now, async () => {
        while (await notifySome(ctx, id));
      });
    }
  }
}

/** True: more subscribers are left. */
function notifySome(
  { store, clock }: Pick<Context, "store" | "clock">,
  pageNotificationId: number,
): Promise<boolean> {
  return store.transaction(async (trx) => {
    const notification = await readPageNotification(trx, pageNotificationId, { lock: true });
    if (!notification || notification.notifiedUpTo === null) return false;
    const { pageId, organizationId, content, notifiedUpTo, event, at } = notification;
    const some = await listToNotify(trx, { pageId, after: notifiedUpTo, limit: SUBSCRIBERS_AT_ONCE });
    const wanting = some.filter(({ components }) => concerns(content, components));
    const deliveries = wanting.map(({ id: subscriberId }) => ({
      ...{
        uuid: randomUUIDv7(),
        organizationId,
        subscriberId,
        pageNotificationId,
        event: `page.${event}`,
        content: "",
      },
      givesUpAt: at + WORTH_MS,
    }));
    await insertSubscriberDeliveries(trx, deliveries, clock.now());
    const isDone = some.length < SUBSCRIBERS_AT_ONCE;
    await markEventNotified(trx, pageNotificationId, isDone ? null : (some.at(-1)?.id ?? null));
    return !isDone;
  });
}

/** Including incidents that left the page. */
const lookAtIncidents = (looking: Looking): FoundNotification[] => [
  ...[...looking.page.incidents, ...looking.page.history].flatMap((one) => lookAtIncident(looking, one)),
  ...Object.entries(looking.notified.incidents).flatMap(([uuid, one]) =>
    looking.known.incidents[uuid] ? [] : missIncident(looking, uuid, one),
  ),
];

function lookAtIncident(
  { page, notified, known, lookAgain }: Looking,
  incident: PublicIncident,
): FoundNotification[] {
  const now = page.updatedAt;
  const { uuid } = incident;
  const before = notified.incidents[uuid];
  const shown = known.incidents[uuid] as NotifiedIncident;
  // The page may leave out older ones for a while.
  const updates = [...new Set([...(before?.updates ?? []), ...shown.updates])];
  const own = { ...shown, ...knownStill(before), updates };
  known.incidents[uuid] = own;
  const notification = notificationOfIncident(incident, before, now);
  if (!notification) return [];
  if (before && now < before.at + PAUSE_MS) {
    known.incidents[uuid] = { ...before, goneAt: undefined };
    lookAgain(before.at + PAUSE_MS);
    return [];
  }
  const components = everNamed(incident.components, before?.components);
  const last = { ...incident, updates: [] };
  known.incidents[uuid] = { ...own, ...{ at: now, components, last, isWithdrawn: false } };
  return [{ notification, at: incident.updatedAt }];
}

const knownStill = (before: NotifiedIncident | undefined) => ({
  at: before?.at ?? 0,
  components: before?.components,
  last: before?.last,
});

/** Null: nothing new, or nothing recent. */
function notificationOfIncident(
  incident: PublicIncident,
  before: NotifiedIncident | undefined,
  now: number,
): PageNotification | null {
  const { resolvedAt, updates, updatedAt, startedAt } = incident;
  const fresh = freshOf(updates, before);
  const isResolved = resolvedAt !== null;
  // Subscribers who were notified that it is gone are notified that it is back.
  const isBack = before?.isWithdrawn === true;
  const hasTurned = before !== undefined && before.isResolved !== isResolved;
  if (before && fresh.length === 0 && !hasTurned && !isBack) return null;
  const newest = Math.max(startedAt, updatedAt, ...fresh.map(({ at }) => at));
  if (newest < now - FRESH_MS && !isBack) return null;
  return {
    ...{ event: eventOf(before, isResolved), incident, maintenance: null },
    ...{ fresh: fresh.map(({ uuid }) => uuid), former: before?.components ?? [] },
  };
}

function eventOf(before: NotifiedIncident | undefined, isResolved: boolean): PageNotificationEvent {
  if (isResolved && !before?.isResolved) return "incident.resolved";
  return before ? "incident.updated" : "incident.opened";
}

/** Merged, deleted, unpublished, or now of other components. */
function missIncident(
  { page, known, lookAgain }: Looking,
  uuid: string,
  before: NotifiedIncident,
): FoundNotification[] {
  const now = page.updatedAt;
  const { last, isResolved, isWithdrawn, components = [] } = before;
  if (!last || isResolved || isWithdrawn) {
    // Something that vanishes for a while is not new when it returns.
    if (before.at > now - FRESH_MS) known.incidents[uuid] = before;
    return [];
  }
  const missing = { ...before, goneAt: before.goneAt ?? now };
  known.incidents[uuid] = missing;
  const due = withdrawnAt(missing);
  if (now < due) {
    lookAgain(due);
    return [];
  }
  known.incidents[uuid] = { ...missing, at: now, isWithdrawn: true };
  const incident = { ...last, components: stillNamed(page, last.components) };
  const notified = { event: "incident.withdrawn", incident, maintenance: null } as const;
  return [{ notification: { ...notified, fresh: [], former: components }, at: now }];
}
