/**
 * What 300 clients of the live stream cost that come back together, as after a restart, and what they cost from then
 * on: the longest turn of the main thread in milliseconds of its CPU, while they resume and while an event goes to all
 * of them; and the memory that is added when none of them reads. The events are those of 10,000 monitors checked every
 * 30 s: 20 kB each.
 *
 *   npm run bench -- live
 */
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { issueKey } from "../server/src/accounts/issue-key.ts";
import { insertMember } from "../server/src/accounts/queries/members.ts";
import { insertUser } from "../server/src/accounts/queries/users.ts";
import { systemClock } from "../server/src/platform/clock.ts";
import { appendEvents } from "../server/src/platform/database/events.ts";
import { openStore } from "../server/src/platform/database/open.ts";
import type { Store } from "../server/src/platform/database/store.ts";
import { type Measurement, memoryMb, report, withFolder, withWatchedServer } from "./harness.ts";
import { seedMonitors } from "./seed.ts";

const CLIENTS = 300;
const CLIENTS_A_PERSON = 20;
/** Letting them in, 0.15 ms each, is every request's cost and not the stream's. */
const CONCURRENT_CLIENTS = 20;
const RESULTS_AN_EVENT = 83;
/** 0.8 and 3 MB. */
const MISSED = [40, 150];
const UNREAD = 250;
const MAX_TURN_MS = 20;

const result = {
  kind: "domain",
  location: "local",
  timestamp: "2026-11-21T09:30:00.000Z",
  verdict: "ok",
  status: "up",
  state: "up",
  statusCode: 200,
  responseTime: 123.456,
};

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const nowhere = {
    monitors: 1,
    intervalSeconds: 60,
    urlOf: () => "https://vedette.test/",
    locations: ["x"],
  };
  const { organizationId } = await seedMonitors(store, nowhere);
  const keys = await makeKeys(store, organizationId);
  const found: Measurement[] = [await measureDelivery(folder, keys)];
  for (const missed of MISSED) {
    const position = await withWatchedServer(folder, ({ port }) => positionOf(port, keys[0] as string));
    await happen(store, organizationId, missed);
    const name = `${CLIENTS} clients come back, ${((missed * 20) / 1000).toFixed(1)} MB missed by each`;
    found.push(
      ...(await withWatchedServer(folder, async (server) => {
        await warmUp(server.port, keys[0] as string);
        await server.command("begin");
        const begun = performance.now();
        const clients = await openAll(server.port, keys, position, missed);
        const elapsed = performance.now() - begun;
        const resumed = await server.command("longest");
        await server.command("begin");
        await happen(store, organizationId, 1);
        await Promise.all(clients.map((client) => client.waitForEvents(missed + 1)));
        const reply = await server.command("longest");
        for (const client of clients) client.socket.destroy();
        return [
          { name, value: resumed, unit: "ms CPU, longest", target: { atMost: MAX_TURN_MS } },
          { name: "all of them have everything after", value: elapsed, unit: "ms" },
          { name: "an event to all", value: reply, unit: "ms CPU, longest", target: { atMost: MAX_TURN_MS } },
        ];
      })),
    );
  }
  found.push(await measureMemory(folder, store, organizationId, keys));
  await store.close();
  return found;
}

/** The baseline: they come in the same way, and have missed nothing. */
async function measureDelivery(folder: string, keys: string[]): Promise<Measurement> {
  const value = await withWatchedServer(folder, async (server) => {
    await warmUp(server.port, keys[0] as string);
    await server.command("begin");
    const clients = await openAll(server.port, keys, null, 0);
    const longest = await server.command("longest");
    for (const { socket } of clients) socket.destroy();
    return longest;
  });
  return { name: `${CLIENTS} clients come, nothing missed`, value, unit: "ms CPU, longest" };
}

/** What is added when 5 MB happen without a reader. */
async function measureMemory(
  folder: string,
  store: Store,
  organizationId: number,
  keys: string[],
): Promise<Measurement> {
  const added = await withWatchedServer(folder, async (server) => {
    const clients = await openAll(server.port, keys, null, 0);
    for (const { socket } of clients) socket.pause();
    const before = memoryMb(server.pid, "VmRSS");
    await happen(store, organizationId, UNREAD);
    const witness = await openClient(server.port, keys.at(-1) as string, null);
    await happen(store, organizationId, 1);
    await witness.waitForEvents(1);
    for (const { socket } of [...clients, witness]) socket.destroy();
    return memoryMb(server.pid, "VmRSS") - before;
  });
  return { name: `memory while ${CLIENTS - 1} clients do not read 5 MB`, value: added, unit: "MB more" };
}

async function makeKeys(store: Store, organizationId: number): Promise<string[]> {
  const people = Array.from({ length: CLIENTS / CLIENTS_A_PERSON }, async (_, n) => {
    const user = { uuid: crypto.randomUUID(), email: `p${n}@vedette.test`, name: "P", passwordHash: "none" };
    const userId = (await insertUser(store.db, user, 0)) as number;
    await insertMember(store.db, { userId, organizationId, role: "member" }, 0);
    return (
      await issueKey(
        { db: store.db, clock: systemClock },
        { userId, organizationId, name: "live", scopes: ["*:*"] },
      )
    ).token;
  });
  return Promise.all(people);
}

async function happen(store: Store, organizationId: number, count: number): Promise<void> {
  const results = Array.from({ length: RESULTS_AN_EVENT }, (_, n) => ({ monitorId: n + 1, ...result }));
  for (let n = 0; n < count; n += 10) {
    const events = Array.from({ length: Math.min(10, count - n) }, () => ({
      ...({ organizationId, type: "results" } as const),
      payload: { results },
    }));
    await store.transaction(async (trx) => appendEvents(trx, events, Date.now()));
  }
}

interface Client {
  socket: Socket;
  position: string;
  waitForEvents(events: number): Promise<void>;
}

async function openAll(
  port: number,
  keys: string[],
  position: string | null,
  missed: number,
): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < CLIENTS - 1) {
    const some = Array.from({ length: Math.min(CONCURRENT_CLIENTS, CLIENTS - 1 - clients.length) }, (_, n) =>
      openClient(port, keys[(clients.length + n) % keys.length] as string, position),
    );
    clients.push(...(await Promise.all(some)));
  }
  await Promise.all(clients.map((client) => client.waitForEvents(missed)));
  return clients;
}

/** The first requests of a process are compiled. */
async function warmUp(port: number, key: string): Promise<void> {
  for (let n = 0; n < 50; n++) await positionOf(port, key);
}

/** Where the stream is now. */
async function positionOf(port: number, key: string): Promise<string> {
  const client = await openClient(port, key, null);
  client.socket.destroy();
  return client.position;
}

/** Resolves when the stream has begun. Counts events and keeps nothing of them. */
async function openClient(port: number, key: string, position: string | null): Promise<Client> {
  const socket = connect(port, "127.0.0.1");
  const resume = position === null ? "" : `Last-Event-ID: ${position}\r\n`;
  socket.write(`GET /api/events HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${resume}\r\n`);
  socket.setEncoding("latin1");
  let [count, wanted, rest] = [0, 0, ""];
  const begun = Promise.withResolvers<void>();
  let done = Promise.withResolvers<void>();
  const client: Client = {
    socket,
    position: position ?? "",
    async waitForEvents(events) {
      wanted = events;
      if (count >= wanted) return;
      done = Promise.withResolvers<void>();
      await done.promise;
    },
  };
  socket.on("close", () => done.reject(new Error(`cut off after ${count} events`)));
  done.promise.catch(() => {});
  socket.on("data", (chunk: string) => {
    const text = rest + chunk;
    count += text.split("\nevent: ").length - 1;
    rest = text.slice(-8);
    client.position = /^id: (\S+)$/m.exec(text)?.[1] ?? client.position;
    if (client.position !== "") begun.resolve();
    if (count >= wanted) done.resolve();
  });
  await begun.promise;
  return client;
}
