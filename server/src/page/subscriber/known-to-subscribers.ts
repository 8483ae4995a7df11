import type { PublicIncident, PublicMaintenance, PublicPage } from "../document/public-page.ts";

/** Of one thing they are told no more often; what comes meanwhile is told together. */
export const PAUSE_MS = 60_000;
/** What is older is no news. */
export const FRESH_MS = 86_400_000;

interface NotifiedThing {
  /** When they were told of it last, milliseconds; 0: they were not. */
  at: number;
  /** Uuids of all components that it had when they were told of it. Absent in what older versions wrote. */
  components?: string[] | undefined;
  /** Since when the page does not show it. */
  goneAt?: number | undefined;
  /** They were told that. */
  isWithdrawn?: boolean | undefined;
}

export interface NotifiedIncident extends NotifiedThing {
  isResolved: boolean;
  updates: string[];
  /** Where there were older updates than the page had room for: when the oldest of those was written that it had. */
  seenFrom?: number | undefined;
  /** As they were told of it last, without updates, so that they can be told that it is gone. Absent: they were not. */
  last?: PublicIncident | undefined;
}

export interface NotifiedMaintenance extends NotifiedThing {
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

/** What is on the page, as if all of it had been told. */
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

/** Uuids of the incidents that subscribers were told of, and not yet how they ended. */
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
