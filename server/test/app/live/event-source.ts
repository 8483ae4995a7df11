import { once } from "node:events";
import { connect } from "node:net";
import { projectStatusChange } from "../../../src/engine/schemas/live.ts";
import { appendEvents, type NewEvent } from "../../../src/platform/database/events.ts";
import { eventually } from "../../harness/eventually.ts";
import { aReason } from "../../harness/reasons.ts";
import type { TestServer } from "../../harness/server.ts";

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

/** Opens the stream; resolves when the answer has begun and, on success, sent its position or ended before that. */
export async function openEvents(url: string, headers: Record<string, string>): Promise<EventClient> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const client = emptyClient(headers, () => abort.abort());
  client.status = response.status;
  if (response.status !== 200) {
    await response.text();
    return client;
  }
  void read(response, client).finally(() => {
    client.ended = true;
  });
  if (!headers["last-event-id"])
    await eventually(
      () => client,
      ({ lastId, ended }) => lastId !== "" || ended,
    );
  return client;
}

function emptyClient(headers: Record<string, string>, close: () => void): EventClient {
  const client: EventClient = {
    status: 200,
    events: [],
    lastId: headers["last-event-id"] ?? "",
    comments: 0,
    ended: false,
    // What a failing test has seen shows which event is missing.
    waitFor: (count) =>
      eventually(
        () => client.events.map(({ event }) => event),
        ({ length }) => length >= count,
        30_000,
      ).then(() => client.events),
    close,
  };
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

/**
 * A client that reads only on demand: `resume()` and `pause()` do. It speaks HTTP/1.0, whose
 * answers come without chunks.
 */
export async function openSlowly(server: TestServer, path: string, headers: Record<string, string>) {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  const client: EventClient & { pause(): void; resume(): void; readSome(): void } = {
    ...emptyClient(headers, () => socket.destroy()),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    readSome: () => void socket.once("data", client.pause).resume(),
  };
  const lines = Object.entries({ host: "x", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.0\r\n${lines.join("")}\r\n`);
  socket.on("error", () => {});
  socket.once("close", () => {
    client.ended = true;
  });
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const blocks = (text + chunk).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) take(block, client);
  });
  await once(socket, "data");
  client.pause();
  return client;
}

/** The headers of a client with an API key, resuming after `lastId`. */
export const bearer = (key: string, lastId?: string) => ({
  authorization: `Bearer ${key}`,
  ...(lastId !== undefined && { "last-event-id": lastId }),
});

/** A status event of monitor `n`. */
export const statusEvent = (organizationId: number, n: number, name = "Shop"): NewEvent => ({
  organizationId,
  type: "status",
  payload: projectStatusChange(
    { monitorId: n, uuid: UUID, kind: "domain", name },
    {
      type: "transition",
      from: "up",
      to: "down",
      at: 0,
      since: 0,
      detectedAt: 0,
      reason: aReason("refused", "The connection was refused."),
      location: "local",
    },
  ),
});

const UUID = "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11";

/** What the pipeline does: events in a transaction, then a wake-up. Each number is a monitor's. */
export async function happen(
  server: TestServer,
  organizationId: number,
  ...numbers: number[]
): Promise<void> {
  const events = numbers.map((n) => statusEvent(organizationId, n));
  await append(server, events);
}

/** The same with events of any kind. */
export async function append(server: TestServer, events: NewEvent[]): Promise<void> {
  await server.ctx.store.transaction(async (trx) => appendEvents(trx, events, server.ctx.clock.now()));
  server.ctx.live.wake();
}

/** The numbers of events that `happen` made. */
export const numbersOf = (client: { events: { data: { monitorId?: number; monitor_id?: number } }[] }) =>
  client.events.map(({ data }) => data.monitorId ?? data.monitor_id);
