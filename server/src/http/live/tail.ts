import type { SharedEvent } from "./shared-event.ts";

/** The latest events of one organization, oldest first: those who are live and those who resume read the same ones. */
export interface Tail {
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

/** An empty one. `from`: where the log is read up to. */
export function createTail(from: number): Tail {
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
