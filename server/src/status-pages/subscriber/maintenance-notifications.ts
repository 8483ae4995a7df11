import type { Logger } from "../../platform/context.ts";
import { MAX_MAINTENANCE } from "../document/public-incidents.ts";
import type {
  ComponentName,
  PublicIncident,
  PublicMaintenance,
  PublicPage,
} from "../document/public-page.ts";
import type { PageNotification, PageNotificationEvent } from "./page-notification.ts";

/** Updates of one thing are not sent more often; those in between are sent together. */
export const PAUSE_MS = 60_000;
/** Older changes are not sent. */
export const FRESH_MS = 86_400_000;

interface NotifiedThing {
  /** When they were last notified of it, milliseconds; 0: never. */
  at: number;
  /** Uuids of all components that it had when they were notified of it. Absent in what older versions wrote. */
  components?: string[] | undefined;
  /** Since when the page does not show it. */
  goneAt?: number | undefined;
  /** They were notified of that. */
  isWithdrawn?: boolean | undefined;
}

export interface NotifiedIncident extends NotifiedThing {
  isResolved: boolean;
  updates: string[];
  /** Where there were older updates than the page had room for: when the oldest of those was written that it had. */
  seenFrom?: number | undefined;
  /** As they were last notified of it, without updates, for a later withdrawal. Absent: they were not. */
  last?: PublicIncident | undefined;
}

interface NotifiedMaintenance extends NotifiedThing {
  shown: PublicMaintenance;
}

type PublicUpdate = PublicIncident["updates"][number];

/** What subscribers know of a page, by uuids. */
export interface KnownToSubscribers {
  /** When the page was read. */
  readAt: number;
  incidents: Record<string, NotifiedIncident>;
  maintenance: Record<string, NotifiedMaintenance>;
}

/** The page's contents, as if all of it had been sent. */
export const knownFromPage = (page: PublicPage): KnownToSubscribers => ({
  readAt: page.updatedAt,
  incidents: Object.fromEntries([...page.incidents, ...page.history].map((one) => [one.uuid, knownOf(one)])),
  maintenance: Object.fromEntries(page.maintenance.map((shown) => [shown.uuid, { at: 0, shown }])),
});

const knownOf = ({ resolvedAt, updates, hasOlder }: PublicIncident): NotifiedIncident => ({
  ...{ at: 0, isResolved: resolvedAt !== null, updates: updates.map(({ uuid }) => uuid) },
  seenFrom: hasOlder ? updates.findLast(isWritten)?.at : undefined,
});

/** By a person: what happened by itself is on the page however old it is. */
const isWritten = ({ text }: PublicUpdate): boolean => typeof text === "string";

/** What is there that was not known: an update that only has room again is older than all that were. */
export function freshOf(
  updates: readonly PublicUpdate[],
  before: NotifiedIncident | undefined,
): PublicUpdate[] {
  const known = new Set(before?.updates);
  const { seenFrom = Number.NEGATIVE_INFINITY } = before ?? {};
  return updates.filter((one) => !known.has(one.uuid) && (one.at >= seenFrom || !isWritten(one)));
}

/** Uuids of the incidents that subscribers were notified of without their end. */
export const pendingEnds = ({ incidents }: KnownToSubscribers): string[] =>
  Object.entries(incidents).flatMap(([uuid, { last, isResolved, isWithdrawn }]) =>
    last && !isResolved && !isWithdrawn ? uuid : [],
  );

/** The same, of which nothing is still to come: what a clock that was ahead wrote counts as written now. */
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

/** Uuids of these components, and of those that it had before. */
export const everNamed = (
  components: readonly { uuid: string }[],
  before: readonly string[] = [],
): string[] => [...new Set([...before, ...components.map(({ uuid }) => uuid)])];

/** When it may be said of something that is gone: once it has been for so long, and not too soon after what was said last. */
export const withdrawnAt = ({ at, goneAt }: { at: number; goneAt: number }): number =>
  Math.max(goneAt, at) + PAUSE_MS;

/** What was planned or moved lately, has begun or is over, or is not on the page any more. */
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
    // Each time of a window that recurs comes into sight a month ahead, which is not when it was planned; and the first says it.
    const window = `${shown.updatedAt} ${JSON.stringify(shown.title)}`;
    const isOld = shown.updatedAt < Math.max(now - FRESH_MS, notified.readAt - PAUSE_MS);
    if ((isOld && !isBack) || announced.has(window)) return [];
    announced.add(window);
    return [{ event: "maintenance.planned", shown, before }];
  });
}

/** What was under way and is not any more, of what the page still shows. */
function ended({ page }: Looking, before: NotifiedMaintenance): Change[] {
  const { shown, isWithdrawn } = before;
  const components = stillNamed(page, shown.components);
  if (!shown.isRunning || isWithdrawn || components.length === 0) return [];
  const endsAt = Math.min(shown.endsAt, page.updatedAt);
  const over = { ...shown, components, isRunning: false, endsAt };
  return [{ event: "maintenance.ended", shown: over, before }];
}

/**
 * Maintenance that they were notified of and that the page no longer shows: cancelled, moved, or for other components by now.
 */
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

/** Whether it may only be too late for the page, which shows so many. */
const isCutOff = (all: readonly PublicMaintenance[], { startsAt }: PublicMaintenance): boolean =>
  all.length >= MAX_MAINTENANCE && startsAt >= Math.max(...all.map((one) => one.startsAt));

/** A comparison of a page with what its subscribers know of it, under way. */
export interface Looking {
  page: PublicPage;
  notified: KnownToSubscribers;
  /** What they will know afterwards: what is on the page, unless it is sent later. */
  known: KnownToSubscribers;
  /** There may be more then, without anything happening. */
  lookAgain(at: number): void;
}

/** A notification, and the time that orders it among others. */
export interface FoundNotification {
  notification: PageNotification;
  at: number;
}

/** Those that are still on the page, with their current names: others are not mentioned any more. */
export function stillNamed({ groups }: PublicPage, components: readonly ComponentName[]): ComponentName[] {
  const names = new Map(groups.flatMap((group) => group.components.map(({ uuid, name }) => [uuid, name])));
  return components.flatMap(({ uuid }) => {
    const name = names.get(uuid);
    return name === undefined ? [] : { uuid, name };
  });
}

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;

/** What could not be done lately, by the number of the thing, so that nothing else waits for it. */
export interface PutsOff {
  /** What is to be left alone now. */
  ids(now: number): number[];
  /** Does it. What fails is logged and put off: each time for twice as long. */
  attempt(id: number, now: number, work: () => Promise<void>): Promise<void>;
}

/** `what` names in the log what fails. */
export function putsOff(log: Logger, what: string): PutsOff {
  const failed = new Map<number, { until: number; pauseMs: number }>();
  return {
    // Not for longer, where the clock was ahead when it failed.
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
