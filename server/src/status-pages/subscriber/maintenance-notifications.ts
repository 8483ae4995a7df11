import type { Logger } from "../../platform/context.ts";
import { MAX_MAINTENANCE } from "../document/public-incidents.ts";
import type {
  ComponentName,
  PublicIncident,
  PublicMaintenance,
  PublicPage,
} from "../document/public-page.ts";
import type { PageNotification, PageNotificationEvent } from "./page-notification.ts";

/** Minimum between updates of one subject; those in between are sent together. */
export const PAUSE_MS = 60_000;
/** Older changes are not sent. */
export const FRESH_MS = 86_400_000;

interface NotifiedThing {
  /** 0: never. */
  at: number;
  /** Uuids of all components that it had when they were notified of it. Absent in what older versions wrote. */
  components?: string[] | undefined;
  goneAt?: number | undefined;
  /** They were notified of the withdrawal. */
  isWithdrawn?: boolean | undefined;
}

export interface NotifiedIncident extends NotifiedThing {
  isResolved: boolean;
  updates: string[];
  /** Where the page left out older updates: the time of the oldest shown. */
  seenFrom?: number | undefined;
  /** As last sent, without updates, for a later withdrawal. Absent: never sent. */
  last?: PublicIncident | undefined;
}

interface NotifiedMaintenance extends NotifiedThing {
  shown: PublicMaintenance;
}

type PublicUpdate = PublicIncident["updates"][number];

/** By uuids. */
export interface KnownToSubscribers {
  readAt: number;
  incidents: Record<string, NotifiedIncident>;
  maintenance: Record<string, NotifiedMaintenance>;
}

/** As if all of it had been sent. */
export const knownFromPage = (page: PublicPage): KnownToSubscribers => ({
  readAt: page.updatedAt,
  incidents: Object.fromEntries([...page.incidents, ...page.history].map((one) => [one.uuid, knownOf(one)])),
  maintenance: Object.fromEntries(page.maintenance.map((shown) => [shown.uuid, { at: 0, shown }])),
});

const knownOf = ({ resolvedAt, updates, hasOlder }: PublicIncident): NotifiedIncident => ({
  ...{ at: 0, isResolved: resolvedAt !== null, updates: updates.map(({ uuid }) => uuid) },
  seenFrom: hasOlder ? updates.findLast(isWritten)?.at : undefined,
});

/** Written by a person: automatic entries are on the page however old they are. */
const isWritten = ({ text }: PublicUpdate): boolean => typeof text === "string";

/** Unknown updates; one that only returned to the page is older than all known ones. */
export function freshOf(
  updates: readonly PublicUpdate[],
  before: NotifiedIncident | undefined,
): PublicUpdate[] {
  const known = new Set(before?.updates);
  const { seenFrom = Number.NEGATIVE_INFINITY } = before ?? {};
  return updates.filter((one) => !known.has(one.uuid) && (one.at >= seenFrom || !isWritten(one)));
}

/** Incidents whose start, but not whose end, was sent. */
export const pendingEnds = ({ incidents }: KnownToSubscribers): string[] =>
  Object.entries(incidents).flatMap(([uuid, { last, isResolved, isWithdrawn }]) =>
    last && !isResolved && !isWithdrawn ? uuid : [],
  );

/** Future times, from a clock that was ahead, become now. */
export function knownBefore(notified: KnownToSubscribers, now: number): KnownToSubscribers {
  const inTime = <T extends NotifiedThing>(things: Record<string, T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(things).map(([uuid, one]) => {
        const goneAt = one.goneAt === undefined ? undefined : Math.min(one.goneAt, now);
        return [uuid, { ...one, at: Math.min(one.at, now), goneAt }];
      }),
    );
  return {
    readAt: Math.min(notified.readAt, now),
    incidents: inTime(notified.incidents),
    maintenance: inTime(notified.maintenance),
  };
}

export const everNamed = (
  components: readonly { uuid: string }[],
  before: readonly string[] = [],
): string[] => [...new Set([...before, ...components.map(({ uuid }) => uuid)])];

/** When a withdrawal may be sent: after some time, and not too soon after the last notification. */
export const withdrawnAt = ({ at, goneAt }: { at: number; goneAt: number }): number =>
  Math.max(goneAt, at) + PAUSE_MS;

/** Planned, moved, started, ended, or gone from the page. */
export function lookAtMaintenance(looking: Looking): FoundNotification[] {
  const { page, notified, known } = looking;
  const shown = new Set(page.maintenance.map(({ uuid }) => uuid));
  for (const [uuid, own] of Object.entries(known.maintenance)) {
    const { at = 0, components } = notified.maintenance[uuid] ?? {};
    known.maintenance[uuid] = { ...own, at, components };
  }
  const gone = Object.values(notified.maintenance).filter((one) => !shown.has(one.shown.uuid));
  const changed = [...changedMaintenance(looking), ...gone.flatMap((one) => ended(looking, one))];
  const ends = new Set(changed.map(({ shown: { uuid } }) => uuid));
  return [
    ...changed.flatMap((one) => describe(looking, one)),
    ...gone.flatMap((one) => (ends.has(one.shown.uuid) ? [] : missMaintenance(looking, one))),
  ];
}

interface Change {
  event: PageNotificationEvent;
  shown: PublicMaintenance;
  before: NotifiedMaintenance | undefined;
}

function describe(
  { page, known, lookAgain }: Looking,
  { event, shown, before }: Change,
): FoundNotification[] {
  const now = page.updatedAt;
  const { uuid } = shown;
  if (before && now < before.at + PAUSE_MS) {
    known.maintenance[uuid] = { ...before, goneAt: undefined };
    lookAgain(before.at + PAUSE_MS);
    return [];
  }
  const former = before?.components ?? [];
  const own = known.maintenance[uuid];
  if (own) known.maintenance[uuid] = { ...own, at: now, components: everNamed(shown.components, former) };
  return [{ notification: { event, incident: null, maintenance: shown, fresh: [], former }, at: now }];
}

function changedMaintenance({ page, notified }: Looking): Change[] {
  const now = page.updatedAt;
  const announced = new Set<string>();
  return page.maintenance.flatMap((shown): Change[] => {
    const before = notified.maintenance[shown.uuid];
    // Subscribers who were notified that it is gone are notified that it is back.
    const isBack = before?.isWithdrawn === true;
    if (shown.isRunning) {
      return before?.shown.isRunning && !isBack ? [] : [{ event: "maintenance.started", shown, before }];
    }
    const isMoved = before && before.shown.startsAt !== shown.startsAt;
    const isLonger = before && before.shown.endsAt !== shown.endsAt;
    if (before && !isMoved && !isLonger && !isBack) return [];
    // An occurrence of a recurring window appears a month ahead, which is not when it was planned; only the
    // first is announced.
    const window = `${shown.updatedAt} ${JSON.stringify(shown.title)}`;
    const isOld = shown.updatedAt < Math.max(now - FRESH_MS, notified.readAt - PAUSE_MS);
    if ((isOld && !isBack) || announced.has(window)) return [];
    announced.add(window);
    return [{ event: "maintenance.planned", shown, before }];
  });
}

/** Of what the page still shows. */
function ended({ page }: Looking, before: NotifiedMaintenance): Change[] {
  const { shown, isWithdrawn } = before;
  const components = stillNamed(page, shown.components);
  if (!shown.isRunning || isWithdrawn || components.length === 0) return [];
  const endsAt = Math.min(shown.endsAt, page.updatedAt);
  const over = { ...shown, components, isRunning: false, endsAt };
  return [{ event: "maintenance.ended", shown: over, before }];
}

/** Cancelled, moved, or now for other components. */
function missMaintenance(
  { page, known, lookAgain }: Looking,
  before: NotifiedMaintenance,
): FoundNotification[] {
  const now = page.updatedAt;
  const { shown, at, isWithdrawn, components = [] } = before;
  const isOver = shown.endsAt <= now && (isWithdrawn || !shown.isRunning);
  if (at === 0 || isOver) return [];
  const missing = { ...before, goneAt: before.goneAt ?? now };
  known.maintenance[shown.uuid] = missing;
  if (isWithdrawn || isCutOff(page.maintenance, shown)) return [];
  const due = withdrawnAt(missing);
  if (now < due) {
    lookAgain(due);
    return [];
  }
  known.maintenance[shown.uuid] = { ...missing, at: now, isWithdrawn: true };
  const maintenance = { ...shown, isRunning: false, components: stillNamed(page, shown.components) };
  const notified = { event: "maintenance.withdrawn", incident: null, maintenance } as const;
  return [{ notification: { ...notified, fresh: [], former: components }, at: now }];
}

/** Whether it may only be beyond the page's limit. */
const isCutOff = (all: readonly PublicMaintenance[], { startsAt }: PublicMaintenance): boolean =>
  all.length >= MAX_MAINTENANCE && startsAt >= Math.max(...all.map((one) => one.startsAt));

export interface Looking {
  page: PublicPage;
  notified: KnownToSubscribers;
  /** What they know afterwards. */
  known: KnownToSubscribers;
  /** More may be due then, without an event. */
  lookAgain(at: number): void;
}

/** With the time that orders it. */
export interface FoundNotification {
  notification: PageNotification;
  at: number;
}

/** With their current names; others are left out. */
export function stillNamed({ groups }: PublicPage, components: readonly ComponentName[]): ComponentName[] {
  const names = new Map(groups.flatMap((group) => group.components.map(({ uuid, name }) => [uuid, name])));
  return components.flatMap(({ uuid }) => {
    const name = names.get(uuid);
    return name === undefined ? [] : { uuid, name };
  });
}

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;

/** Backoff for failures, by number, so that nothing else waits for them. */
export interface PutsOff {
  /** Those in backoff. */
  ids(now: number): number[];
  /** Failures are logged and deferred, each time twice as long. */
  attempt(id: number, now: number, work: () => Promise<void>): Promise<void>;
}

/** `what` names failures in the log. */
export function putsOff(log: Logger, what: string): PutsOff {
  const failed = new Map<number, { until: number; pauseMs: number }>();
  return {
    // Not for longer, where the clock was ahead at the failure.
    ids: (now) =>
      [...failed].flatMap(([id, { until, pauseMs }]) => (until > now && until <= now + pauseMs ? [id] : [])),
    async attempt(id, now, work) {
      try {
        await work();
        failed.delete(id);
      } catch (error) {
        const pauseMs = Math.min((failed.get(id)?.pauseMs ?? FIRST_MS / 2) * 2, LONGEST_MS);
        failed.set(id, { until: now + pauseMs, pauseMs });
        log.error({ err: error, id, pauseMs }, `${what} fails, and is put off`);
      }
    },
  };
}
