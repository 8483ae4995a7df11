import type { Logger } from "../../context.ts";
import { firstEventId, readEventsBefore, type StoredEvent } from "../../store/queries/events.ts";
import type { Store } from "../../store/store.ts";
import { takeTurns } from "../../turns.ts";
import { LIVE_EVENTS } from "../../wire/live-schemas.ts";
import type { Audience, Subscriber } from "./audience.ts";
import type { SharedEvent } from "./shared-event.ts";

/** Read in one go; results of 10,000 monitors are some 20 kB an event. */
const ROWS_A_SLICE = 40;
const CONCURRENT_BACKFILLS = 2;
const TYPES = Object.keys(LIVE_EVENTS);

interface Tools {
  store: Store;
  log: Logger;
  share(event: StoredEvent): SharedEvent | null;
  /** What may be read back for an organization. */
  budgetBytes(audience: Audience): number;
  /** Called for each subscriber that no longer waits. */
  release(subscriber: Subscriber): void;
}

/**
 * Reads what subscribers missed from the log into their organization's tail: once for all of them, backwards, in
 * slices, for two organizations at a time, within the budget. Those who missed more than that, or events that have
 * been forgotten, are released without them.
 */
export function createBackfill(tools: Tools): { want(audience: Audience): void } {
  const queue: Audience[] = [];
  let running = 0;
  const work = async (): Promise<void> => {
    running += 1;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const audience = next;
      await fill(tools, audience).catch((error: unknown) => giveUp(tools, audience, error));
    }
    running -= 1;
  };
  return {
    want(audience) {
      if (audience.isFilling) return;
      audience.isFilling = true;
      queue.push(audience);
      if (running < CONCURRENT_BACKFILLS) void work();
    },
  };
}

const waitingIn = ({ subscribers }: Audience): Subscriber[] => [...subscribers].filter(({ waits }) => waits);

async function fill(tools: Tools, audience: Audience): Promise<void> {
  const { tail } = audience;
  const giveWay = takeTurns();
  try {
    let forgotten = (await firstEventId(tools.store.db)) - 1;
    for (;;) {
      for (const one of waitingIn(audience)) {
        if (one.position >= tail.from || one.position < forgotten) tools.release(one);
      }
      const waiting = waitingIn(audience);
      if (waiting.length === 0) return;
      if (tail.sizeBytes >= tools.budgetBytes(audience)) return waiting.forEach(tools.release);
      forgotten = await readSlice(tools, audience, Math.min(...waiting.map(({ position }) => position)));
      await giveWay();
    }
  } finally {
    // In the same turn as the last look at who waits: whoever comes later asks again.
    audience.isFilling = false;
  }
}

/**
 * Adds the newest events after `after` that are not in the tail yet. Returns the id up to which all events have been
 * forgotten.
 */
async function readSlice(tools: Tools, { organizationId, tail }: Audience, after: number): Promise<number> {
  const { db } = tools.store;
  const upTo = tail.from;
  const rows = await readEventsBefore(db, { organizationId, types: TYPES, after, upTo }, ROWS_A_SLICE);
  // Asked afterwards: events removed in the meantime count as forgotten.
  const forgotten = (await firstEventId(db)) - 1;
  // The tail was cut shorter meanwhile, so these are not next to it any more.
  if (tail.from !== upTo) return forgotten;
  const last = rows.at(-1);
  const from =
    last && rows.length === ROWS_A_SLICE ? last.id - 1 : Math.max(after, Math.min(forgotten, upTo));
  tail.prepend(
    rows.flatMap((row) => tools.share(row) ?? []),
    from,
  );
  return forgotten;
}

/** What could not be read is asked for again: clients come back with the last id they have. */
function giveUp({ log }: Tools, audience: Audience, error: unknown): void {
  log.warn({ err: error }, "missed live events cannot be read");
  for (const { reader } of waitingIn(audience)) reader.fail();
}
