import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { issueKey } from "../../../src/accounts/issue-key.ts";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { insertUser } from "../../../src/accounts/queries/users.ts";
import { defineEventStreams } from "../../../src/app/live/events.ts";
import type { LiveReader } from "../../../src/platform/context.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { append, bearer, happen, numbersOf, openEvents, openSlowly, statusEvent } from "./event-source.ts";

/** Who does not read for a tenth of a second is cut off at /api/test/events. */
const IMPATIENT = { heartbeatMs: 30, recheckMs: 60_000, stallMs: 100 };
const LARGE = "x".repeat(20_000);

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({
    engine: "sqlite",
    routes: (app, ctx) => defineEventStreams(app, ctx, IMPATIENT, ["/api/test/events"]),
    ...options,
  });
  onTestFinished(server.close);
  return server;
}

/** Where the stream is now. */
async function positionOf(server: TestServer): Promise<string> {
  const client = await openEvents(`${server.url}/api/events`, bearer(server.key));
  client.close();
  return client.lastId;
}

/** Appends events of 20 kB, numbered from `first`. */
async function happenLarge(server: TestServer, first: number, count: number): Promise<void> {
  const { id } = server.person.organization;
  for (let n = first; n < first + count; n += 20) {
    const numbers = Array.from({ length: Math.min(20, first + count - n) }, (_, at) => n + at);
    await append(
      server,
      numbers.map((number) => statusEvent(id, number, LARGE)),
    );
    // As the pipeline, whose results come in messages of their own.
    await setImmediate();
  }
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);

/** Counts the rows of the event log that are read for organizations (not those that the hub reads as they come). */
function countReads(store: Store): { queries: number; rows: number } {
  const executor = store.db.getExecutor();
  const original = executor.executeQuery;
  const count = { queries: 0, rows: 0 };
  executor.executeQuery = async (...parameters) => {
    const result = await original.call(executor, ...parameters);
    if (/from "events"/.test(parameters[0].sql) && /"organization_id" = /.test(parameters[0].sql)) {
      count.queries += 1;
      count.rows += result.rows.length;
    }
    return result as never;
  };
  onTestFinished(() => {
    executor.executeQuery = original;
  });
  return count;
}

/** Keys of as many people as may open `streams` streams. */
async function manyKeys(server: TestServer, streams: number): Promise<string[]> {
  const { ctx, person } = server;
  const organizationId = person.organization.id;
  const people = range(0, streams / 20);
  return Promise.all(
    people.map(async (n) => {
      const user = {
        uuid: crypto.randomUUID(),
        email: `p${n}@vedette.test`,
        name: "P",
        passwordHash: "none",
      };
      const userId = (await insertUser(ctx.store.db, user, 0)) as number;
      await insertMember(ctx.store.db, { userId, organizationId, role: "member" }, 0);
      return (
        await issueKey(
          { ...ctx, db: ctx.store.db },
          { userId, organizationId, name: "live", scopes: ["*:*"] },
        )
      ).token;
    }),
  );
}

eachEngine("a client of the live stream that missed much", (engine) => {
  test("resumes with all of it where that is 3 MB", async () => {
    const server = await start({ engine });
    const lastId = await positionOf(server);
    await happenLarge(server, 1, 150);
    // A process that has just been started: everything comes from the log.
    const fresh = await start({ engine, store: server.ctx.store });
    const client = await openEvents(`${fresh.url}/api/events`, bearer(server.key, lastId));
    await happen(fresh, server.person.organization.id, 151);
    expect(numbersOf({ events: await client.waitFor(151) })).toEqual(range(1, 151));
    expect(client.ended).toBe(false);
    client.close();
  });

  test("gets the event to read anew where that is 5 MB, without anybody reading more than 4 MB", async () => {
    const server = await start({ engine });
    const lastId = await positionOf(server);
    await happenLarge(server, 1, 250);
    const fresh = await start({ engine, store: server.ctx.store });
    const reads = countReads(fresh.ctx.store);
    const client = await openEvents(`${fresh.url}/api/events`, bearer(server.key, lastId));
    const [reset] = await client.waitFor(1);
    expect(reset).toMatchObject({ event: "reset", data: {} });
    await happen(fresh, server.person.organization.id, 251);
    expect((await client.waitFor(2))[1]?.data.monitorId).toBe(251);
    expect(client.lastId).not.toBe(reset?.id);
    expect(reads.rows).toBeLessThanOrEqual(4.3e6 / 20_000 + 40);
    client.close();
  });

  test("shares what is read of the log with 299 others, and all receive everything in order", async () => {
    const server = await start({ engine });
    const keys = await manyKeys(server, 300);
    const { id } = server.person.organization;
    const lastId = await positionOf(server);
    await happen(server, id, ...range(1, 100));
    const fresh = await start({ engine, store: server.ctx.store });
    const reads = countReads(fresh.ctx.store);
    const clients = await Promise.all(
      range(0, 300).map((n) => openEvents(`${fresh.url}/api/events`, bearer(keys[n % 15] as string, lastId))),
    );
    await happen(fresh, id, 101);
    for (const client of clients) {
      expect(client.status).toBe(200);
      expect(numbersOf({ events: await client.waitFor(101) })).toEqual(range(1, 101));
    }
    expect(reads.rows).toBe(100);
    expect(reads.queries).toBeLessThanOrEqual(4);
    for (const client of clients) client.close();
  });
});

test("a client that reads slowly misses nothing, though the server keeps nothing for it alone", async () => {
  const server = await start();
  const client = await openSlowly(server, "/api/events", bearer(server.key));
  const quick = await openEvents(`${server.url}/api/events`, bearer(server.key));
  await happenLarge(server, 1, 250);
  // Not held up by the other one.
  await quick.waitFor(250);
  client.resume();
  expect(numbersOf({ events: await client.waitFor(250) })).toEqual(range(1, 250));
  client.close();
  quick.close();
});

test("a client that reads too slowly gets the event to read anew when it does, and then what follows", async () => {
  const server = await start();
  const client = await openSlowly(server, "/api/events", bearer(server.key));
  const quick = await openEvents(`${server.url}/api/events`, bearer(server.key));
  // More than the sockets' buffers and what all share.
  for (let n = 1; n <= 1000; n += 100) {
    await happenLarge(server, n, 100);
    await quick.waitFor(n + 99);
  }
  client.resume();
  const events = await eventually(
    () => client.events,
    (now) => now.at(-1)?.event === "reset",
  );
  const received = events.length - 1;
  expect(numbersOf({ events: events.slice(0, received) })).toEqual(range(1, received));
  expect(received).toBeLessThan(1000);
  await happen(server, server.person.organization.id, 1001);
  expect((await client.waitFor(received + 2)).at(-1)?.data.monitorId).toBe(1001);
  client.close();
  quick.close();
});

test("a client that takes long to read what waits for it is not cut off", async () => {
  // More than a busy machine may keep this process waiting: client and server share it.
  const timings = { ...IMPATIENT, stallMs: 2_000 };
  // More than the sockets' buffers hold.
  const large = Buffer.alloc(32e6, ": x\n");
  const subscribe = (reader: LiveReader) => {
    reader.write("id: 1\n\n", large);
    return { drained() {}, heartbeat() {}, end() {} };
  };
  const server = await start({
    routes: (app, ctx) =>
      defineEventStreams(app, { ...ctx, live: { ...ctx.live, subscribe } }, timings, ["/api/test/events"]),
  });
  const client = await openSlowly(server, "/api/test/events", bearer(server.key));
  const timer = setInterval(() => client.readSome(), 10);
  onTestFinished(() => clearInterval(timer));
  const until = performance.now() + timings.stallMs * 2;
  await eventually(() => client.ended || performance.now() > until, Boolean);
  expect(client.ended).toBe(false);
  client.close();
});

test("a client that reads nothing is cut off after a while", async () => {
  const server = await start();
  const client = await openSlowly(server, "/api/test/events", bearer(server.key));
  const connections = () =>
    new Promise<number>((resolve) => server.app.server.getConnections((_error, count) => resolve(count)));
  expect(await connections()).toBe(1);
  await eventually(
    async () => {
      await happenLarge(server, 1, 20);
      return connections();
    },
    (count) => count === 0,
    25_000,
  );
  client.close();
});
