import { appendEvents } from "../../src/store/queries/events.ts";
import { eventually } from "../harness/eventually.ts";
import type { TestServer } from "../harness/server.ts";

export interface ReceivedEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any shape
  data: any;
}

/** A client of the live stream that keeps what it was sent. */
export interface EventClient {
  status: number;
  events: ReceivedEvent[];
  /** The id to resume from, as a browser keeps it. */
  lastId: string;
  comments: number;
  ended: boolean;
  waitFor(count: number): Promise<ReceivedEvent[]>;
  close(): void;
}

/** Opens the stream; resolves when the answer has begun and, on success, said where it stands. */
export async function openEvents(url: string, headers: Record<string, string>): Promise<EventClient> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const client: EventClient = {
    status: response.status,
    events: [],
    lastId: headers["last-event-id"] ?? "",
    comments: 0,
    ended: false,
    waitFor: (count) =>
      eventually(
        () => client.events,
        (events) => events.length >= count,
      ),
    close: () => abort.abort(),
  };
  if (response.status !== 200) {
    await response.text();
    return client;
  }
  void read(response, client).finally(() => {
    client.ended = true;
  });
  if (!headers["last-event-id"])
    await eventually(
      () => client.lastId,
      (id) => id !== "",
    );
  return client;
}

async function read(response: Response, client: EventClient): Promise<void> {
  let text = "";
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) take(block, client);
    }
  } catch {
    // Closed by the test, or cut off by the server: `ended` says so.
  }
}

function take(block: string, client: EventClient): void {
  if (block.startsWith(":")) client.comments += 1;
  const fields = Object.fromEntries(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  if (fields.id !== undefined) client.lastId = fields.id;
  if (fields.data === undefined) return;
  client.events.push({
    id: fields.id ?? "",
    event: fields.event ?? "message",
    data: JSON.parse(fields.data),
  });
}

/** The headers of a client with an API key, resuming after `lastId`. */
export const bearer = (key: string, lastId?: string) => ({
  authorization: `Bearer ${key}`,
  ...(lastId !== undefined && { "last-event-id": lastId }),
});

/** What the pipeline does: events in a transaction, then a wake-up. */
export async function happen(
  server: TestServer,
  organizationId: number,
  ...numbers: number[]
): Promise<void> {
  const events = numbers.map((n) => ({ organizationId, type: "status", payload: { n } }));
  await server.ctx.store.transaction(async (trx) => appendEvents(trx, events, server.ctx.clock.now()));
  server.ctx.live.wake();
}

/** The numbers of events that `happen` made. */
export const numbersOf = (client: { events: { data: { n?: number } }[] }) =>
  client.events.map(({ data }) => data.n);
