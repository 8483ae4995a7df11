import type { LiveReader, LiveSubscription, Logger } from "../../platform/context.ts";
import { firstEventId, readEventsBefore, type StoredEvent } from "../../platform/database/events.ts";
import type { Store } from "../../platform/database/store.ts";
import { SLICE_MS, takeTurns } from "../../platform/turns.ts";
import { type Audience, createAudiences, type Subscriber } from "./audience.ts";
import type { Cursors } from "./cursor.ts";
import { LIVE_EVENTS } from "./schemas.ts";
import { type SharedEvent, shareEvent } from "./shared-event.ts";

/** How much one reader is given before it is the next one's turn. */
const CHUNK_BYTES = 64 * 1024;

interface Log {
  store: Store;
  log: Logger;
  cursors: Cursors;
  /** The newest event that was delivered. */
  position(): number;
  /** Resolves when the log has been read, up to `id` if it has come so far. Rejects when it cannot be read. */
  caughtUp(id?: number): Promise<void>;
}

export interface Subscribers {
  /** Events come in the order of their ids. */
  deliver(event: StoredEvent): void;
  add(reader: LiveReader, lastEventId: string | null): LiveSubscription;
  forgetIdle(): void;
}

/**
 * Each reads its organization's shared tail at its own speed: nothing is buffered for a slow one, and one
 * that falls behind the tail is sent `reset`.
 */
export function createSubscribers(source: Log): Subscribers {
  const { cursors } = source;
  const audiences = createAudiences();
  const queue = createFairQueue<Subscriber>((subscriber) => sendOrEnd(source, subscriber));
  const share = (event: StoredEvent) => shareEvent(event, cursors);
  const backfill = createBackfill({
    store: source.store,
    log: source.log,
    share,
    budgetBytes: audiences.budgetBytes,
    release(subscriber) {
      subscriber.waits = false;
      queue.enqueue(subscriber);
    },
  });
  const join = async (reader: LiveReader, lastEventId: string | null): Promise<Subscriber> => {
    const { organizationId } = reader;
    const resumed = lastEventId === null ? null : (cursors.open(organizationId, lastEventId) ?? -1);
    await source.caughtUp(resumed ?? 0);
    const now = source.position();
    const audience = audiences.open(organizationId, now);
    if (resumed === null) reader.write(positionText(cursors.ofPosition(organizationId, now)));
    // An id ahead of ours comes from another database.
    const position = resumed === null ? now : resumed > now ? -1 : resumed;
    return { reader, audience, position, waits: position >= 0 && position < audience.tail.from };
  };
  const begin = (subscriber: Subscriber): void => {
    audiences.enter(subscriber);
    if (subscriber.waits) backfill.want(subscriber.audience);
    else queue.enqueue(subscriber);
  };
  const leave = (subscriber: Subscriber): void => {
    queue.drop(subscriber);
    audiences.leave(subscriber);
  };
  return {
    deliver(event) {
      const audience = audiences.of(event.organizationId);
      const shared = audience && share(event);
      if (!audience || !shared) return;
      audience.tail.append(shared);
      audience.tail.trim(audiences.limitBytes(audience));
      for (const subscriber of audience.subscribers) queue.enqueue(subscriber);
    },
    add: (reader, lastEventId) =>
      follow(source, reader, { begin, leave, resume: queue.enqueue, joined: join(reader, lastEventId) }),
    forgetIdle: audiences.forgetIdle,
  };
}

interface Beginning {
  joined: Promise<Subscriber>;
  begin(subscriber: Subscriber): void;
  /** It can take more. */
  resume(subscriber: Subscriber): void;
  leave(subscriber: Subscriber): void;
}

function follow(
  source: Log,
  reader: LiveReader,
  { joined, begin, resume, leave }: Beginning,
): LiveSubscription {
  let subscriber: Subscriber | null = null;
  let hasEnded = false;
  joined.then(
    (found) => {
      if (hasEnded) return;
      subscriber = found;
      begin(found);
    },
    // The hub says so in the log.
    () => reader.fail(),
  );
  return {
    drained: () => subscriber && resume(subscriber),
    heartbeat() {
      if (reader.isFull()) return;
      const isCurrent = subscriber !== null && hasEverything(subscriber);
      if (subscriber && isCurrent) subscriber.position = source.position();
      const at = isCurrent ? source.cursors.ofPosition(reader.organizationId, source.position()) : null;
      reader.write(heartbeatText(at));
    },
    end() {
      hasEnded = true;
      if (subscriber) leave(subscriber);
    },
  };
}

const hasEverything = ({ waits, position, audience: { tail } }: Subscriber): boolean =>
  !waits && position >= tail.from && tail.after(position) === undefined;

/** `sendNext`, whose failure ends this stream alone: the others of the queue have nothing to do with it. */
function sendOrEnd(source: Log, subscriber: Subscriber): boolean {
  try {
    return sendNext(source, subscriber);
  } catch (err) {
    source.log.error({ err }, "A live stream was ended: an event could not be sent");
    subscriber.reader.fail();
    return false;
  }
}

/** Writes the next events, and says whether there are more that the reader could take now. */
function sendNext({ position, cursors }: Log, subscriber: Subscriber): boolean {
  const { reader, waits } = subscriber;
  const { tail, organizationId } = subscriber.audience;
  if (waits || reader.isFull()) return false;
  if (subscriber.position < tail.from) {
    subscriber.position = position();
    if (reader.receive) reader.receive(null);
    else reader.write(resetText(cursors.ofPosition(organizationId, position())));
    return false;
  }
  const texts: Buffer[] = [];
  let size = 0;
  let next: SharedEvent | undefined;
  while (size < CHUNK_BYTES && (next = tail.after(subscriber.position))) {
    subscriber.position = next.id;
    if (!reader.types.has(next.type)) continue;
    if (reader.receive) {
      reader.receive(next);
      size += next.sizeBytes;
      continue;
    }
    const text = next.text(reader.family);
    texts.push(text);
    size += text.length;
  }
  if (texts.length > 0) reader.write(...texts);
  return next !== undefined && !reader.isFull();
}

/** The client's position before the first event, so that it can resume from there. */
const positionText = (cursor: string): string => `id: ${cursor}\n\n`;

/** The client missed something for good. */
const resetText = (cursor: string): string => `id: ${cursor}\nevent: reset\ndata: {}\n\n`;

/** Keeps a quiet connection open; with the client's position, if it has everything up to there. */
const heartbeatText = (cursor: string | null): string =>
  cursor === null ? ": still here\n\n" : `: still here\nid: ${cursor}\n\n`;

/** Hands out turns, never so many at a time that the event loop is blocked. */
interface FairQueue<Who> {
  enqueue(who: Who): void;
  drop(who: Who): void;
}

/** `take` does a little for one of them and says whether there is more to do; then its turn comes after the others'. */
function createFairQueue<Who>(take: (who: Who) => boolean): FairQueue<Who> {
  const waiting = new Set<Who>();
  let isAwaited = false;
  const run = (): void => {
    const until = performance.now() + SLICE_MS;
    // What is added to a set while it is iterated comes last.
    for (const who of waiting) {
      waiting.delete(who);
      if (take(who)) waiting.add(who);
      if (performance.now() >= until) break;
    }
    isAwaited = waiting.size > 0;
    if (isAwaited) setImmediate(run);
  };
  return {
    enqueue(who) {
      waiting.add(who);
      if (isAwaited) return;
      isAwaited = true;
      setImmediate(run);
    },
    drop: (who) => void waiting.delete(who),
  };
}

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
  release(subscriber: Subscriber): void;
}

/**
 * Reads what subscribers missed into their organization's tail: once for all of them, backwards, in slices,
 * for two organizations at a time, within the budget. Subscribers who missed more are released without.
 */
function createBackfill(tools: Tools): { want(audience: Audience): void } {
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
    // In the same turn as the last check of who waits: later ones start it again.
    audience.isFilling = false;
  }
}

/**
 * Adds the newest events after `after` that are not in the tail yet. Returns the id up to which all events have been forgotten.
 */
async function readSlice(tools: Tools, { organizationId, tail }: Audience, after: number): Promise<number> {
  const { db } = tools.store;
  const upTo = tail.from;
  const rows = await readEventsBefore(db, { organizationId, types: TYPES, after, upTo }, ROWS_A_SLICE);
  // Read afterwards: events removed in the meantime count as forgotten.
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

/** Clients come back with the last id they have, which starts it again. */
function giveUp({ log }: Tools, audience: Audience, error: unknown): void {
  log.warn({ err: error }, "missed live events cannot be read");
  for (const { reader } of waitingIn(audience)) reader.fail();
}
