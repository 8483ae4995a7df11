import type { ThreadOutage } from "../../store/queries/thread-outages.ts";

/** What is to be done about outages of one thread that belong together: those of one incident, or one by itself. */
export type Step<T> =
  /** All of them are over: the channel is told so of `named`. */
  | { is: "over"; outages: readonly T[]; named: readonly T[] }
  /** All of them are over, and there is nothing to tell of that. */
  | { is: "forgotten"; outages: readonly T[] }
  /** The channel believes that nothing is wrong with them, and is told that `first` is down, and others with it. */
  | { is: "untold"; outages: readonly T[]; first: T };

/** What of an outage the rules go by. */
export type Standing = Pick<
  ThreadOutage,
  | "id"
  | "threadId"
  | "channelId"
  | "monitorId"
  | "toldAt"
  | "endedAt"
  | "incidentId"
  | "leadId"
  | "isInMaintenance"
>;

/** Of the channels of outages, and of themselves. */
interface Circumstances<T> {
  /** To a program each is a trouble of its own. */
  isAlone(channelId: number): boolean;
  /** What people merged is one trouble, in whichever threads it was told. */
  isWhole(channelId: number): boolean;
  /** The channel knows that the monitor is down, maybe once more. */
  isDown(one: T): boolean;
}

/**
 * What channels are still to be told of outages that their threads have, and of whose end nobody was told. An end is told once
 * nothing of what belongs together is down any more; of what is down, at least one was told in words that does not count as over.
 */
export function stepsFor<T extends Standing>(
  outages: readonly T[],
  { isAlone, isWhole, isDown }: Circumstances<T>,
): Step<T>[] {
  const keyOf = ({ id, threadId, channelId, incidentId }: T) => {
    if (isAlone(channelId) || incidentId === null) return `${threadId} alone ${id}`;
    return isWhole(channelId) ? `${incidentId} in ${channelId}` : `${threadId} ${incidentId}`;
  };
  const latest = new Map(outages.map((one) => [`${one.channelId} ${one.monitorId}`, one]));
  // Who hears that it is up must not think so of what is down once more; nor hear it twice.
  const isNamed = (one: T) => !isDown(one) && latest.get(`${one.channelId} ${one.monitorId}`) === one;
  return [...Map.groupBy(outages, keyOf).values()].flatMap((group): Step<T>[] => {
    const open = group.filter(({ endedAt }) => endedAt === null);
    const isTold = group.some(({ toldAt }) => toldAt !== null);
    if (open.length === 0) {
      const named = inOrder(group.filter(isNamed));
      return isTold && named.length > 0
        ? [{ is: "over", outages: group, named }]
        : [{ is: "forgotten", outages: group }];
    }
    // What is in a maintenance window is told when that ends.
    const [first] = inOrder(open.filter(({ isInMaintenance }) => !isInMaintenance));
    return isTold || !first ? [] : [{ is: "untold", outages: group, first }];
  });
}

/** Each monitor once, the one that leads first. */
export function inOrder<T extends Standing>(outages: readonly T[]): T[] {
  const latest = new Map<number, T>();
  for (const one of outages) latest.set(one.monitorId, one);
  const rankOf = ({ monitorId, leadId }: T) => (monitorId === leadId ? 0 : 1);
  return [...latest.values()].toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** What becomes of threads once these steps were taken: which are over, and which tell of their monitor no more. */
export function leftIn<T extends Standing & { subjectId: number | null }>(
  outages: readonly T[],
  gone: ReadonlySet<number>,
): { over: number[]; released: number[] } {
  const over: number[] = [];
  const released: number[] = [];
  for (const [threadId, own] of Map.groupBy(outages, (one) => one.threadId)) {
    const left = own.filter(({ id }) => !gone.has(id));
    const ofSubject = own.filter(({ monitorId, subjectId }) => monitorId === subjectId);
    if (left.length === 0) over.push(threadId);
    else if (ofSubject.length > 0 && ofSubject.every(({ id, endedAt }) => gone.has(id) || endedAt !== null))
      released.push(threadId);
  }
  return { over, released };
}
