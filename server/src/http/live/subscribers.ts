import type { LiveReader, LiveSubscription, Logger } from "../../context.ts";
import type { StoredEvent } from "../../store/queries/events.ts";
import type { Store } from "../../store/store.ts";
import { createAudiences, type Subscriber } from "./audience.ts";
import { createBackfill } from "./backfill.ts";
import type { Cursors } from "./cursor.ts";
import { heartbeatText, positionText, resetText } from "./event-text.ts";
import { createFairQueue } from "./fair-queue.ts";
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
 * Who listens to which organization. Each reads the events that all share (tail.ts) at its own speed: nothing is kept
 * for a slow one, and one that falls further behind than the tail reaches is sent `reset`.
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
      queue.ask(subscriber);
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
    else queue.ask(subscriber);
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
      for (const subscriber of audience.subscribers) queue.ask(subscriber);
    },
    add: (reader, lastEventId) =>
      follow(source, reader, { begin, leave, resume: queue.ask, joined: join(reader, lastEventId) }),
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
    if (reader.hear) reader.hear(null);
    else reader.write(resetText(cursors.ofPosition(organizationId, position())));
    return false;
  }
  const texts: Buffer[] = [];
  let size = 0;
  let next: SharedEvent | undefined;
  while (size < CHUNK_BYTES && (next = tail.after(subscriber.position))) {
    subscriber.position = next.id;
    if (!reader.types.has(next.type)) continue;
    if (reader.hear) {
      reader.hear(next);
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
