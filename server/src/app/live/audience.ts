import type { LiveReader } from "../../platform/context.ts";
import type { SharedEvent } from "./shared-event.ts";

/** How much memory the events shared by one organization's subscribers may take, and those of all organizations together. */
const TAIL_BYTES = 6 * 1024 * 1024;
const ALL_TAILS_BYTES = 48 * 1024 * 1024;
/** The rest is room for what happens while resuming clients read. */
const SHARE_READ_BACK = 2 / 3;

export interface Subscriber {
  reader: LiveReader;
  audience: Audience;
  /** The newest event that it was given or need not be given; -1: unknown, it has to read everything again. */
  position: number;
  /** For the backfill. */
  waits: boolean;
}

export interface Audience {
  organizationId: number;
  tail: Tail;
  subscribers: Set<Subscriber>;
  isFilling: boolean;
  /** No subscriber at the last poll either. */
  isIdle: boolean;
}

export function createAudiences() {
  const all = new Map<number, Audience>();
  let listening = 0;
  /** Audiences without subscribers share what the others leave, so that they cost those nothing. */
  const limitBytes = ({ subscribers }: Audience): number => {
    const each = Math.min(TAIL_BYTES, ALL_TAILS_BYTES / Math.max(1, listening));
    if (subscribers.size > 0) return each;
    return Math.min(TAIL_BYTES, (ALL_TAILS_BYTES - each * listening) / Math.max(1, all.size - listening));
  };
  const trimAll = (): void => {
    for (const audience of all.values()) audience.tail.trim(limitBytes(audience));
  };
  return {
    of: (organizationId: number): Audience | undefined => all.get(organizationId),
    /** The organization's audience, made if there is none; `position`: up to where the log has been read. */
    open(organizationId: number, position: number): Audience {
      const known = all.get(organizationId);
      if (known) return known;
      const audience = {
        organizationId,
        tail: createTail(position),
        subscribers: new Set<Subscriber>(),
        isFilling: false,
        isIdle: false,
      };
      all.set(organizationId, audience);
      trimAll();
      return audience;
    },
    enter(subscriber: Subscriber): void {
      const { subscribers } = subscriber.audience;
      const isFirst = subscribers.size === 0;
      subscribers.add(subscriber);
      if (!isFirst) return;
      listening += 1;
      trimAll();
    },
    leave(subscriber: Subscriber): void {
      const { subscribers } = subscriber.audience;
      if (!subscribers.delete(subscriber) || subscribers.size > 0) return;
      listening -= 1;
      trimAll();
    },
    limitBytes,
    /** How much may be read back for an organization. */
    budgetBytes: (audience: Audience) => limitBytes(audience) * SHARE_READ_BACK,
    /** Forgets those whose subscribers have been gone since the look before: a client that lost its line comes back. */
    forgetIdle(): void {
      for (const [id, audience] of all) {
        const isEmpty = audience.subscribers.size === 0;
        if (isEmpty && audience.isIdle) all.delete(id);
        audience.isIdle = isEmpty;
      }
    },
  };
}

/** The latest events of one organization, oldest first: those who are live and those who resume read the same ones. */
interface Tail {
  /** Every event after this id is here. */
  readonly from: number;
  readonly sizeBytes: number;
  append(event: SharedEvent): void;
  /** Adds what came before, newest first: everything after the id `from`. */
  prepend(events: readonly SharedEvent[], from: number): void;
  /** Forgets the oldest beyond this size, but never the newest. */
  trim(limitBytes: number): void;
  /** The first event after this id. */
  after(id: number): SharedEvent | undefined;
}

function createTail(from: number): Tail {
  let events: SharedEvent[] = [];
  const tail = { from, sizeBytes: 0 };
  const count = (event: SharedEvent) => (tail.sizeBytes += event.sizeBytes);
  return {
    get from() {
      return tail.from;
    },
    get sizeBytes() {
      return tail.sizeBytes;
    },
    append(event) {
      events.push(event);
      count(event);
    },
    prepend(earlier, from) {
      events = [...earlier.toReversed(), ...events];
      earlier.forEach(count);
      tail.from = from;
    },
    trim(limitBytes) {
      while (tail.sizeBytes > limitBytes && events.length > 1) {
        const oldest = events.shift() as SharedEvent;
        tail.sizeBytes -= oldest.sizeBytes;
        tail.from = oldest.id;
      }
    },
    after(id) {
      let [low, high] = [0, events.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((events[middle] as SharedEvent).id > id) high = middle;
        else low = middle + 1;
      }
      return events[low];
    },
  };
}
