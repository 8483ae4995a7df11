import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { defineEventStreams } from "../../../src/app/live/events.ts";
import { deleteEventsBefore } from "../../../src/platform/database/events.ts";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { bearer, happen, numbersOf, openEvents } from "./event-source.ts";

/** Heartbeat and the timeout of those who do not read, without the wait. */
const QUICK = { heartbeatMs: 30, recheckMs: 60_000, stallMs: 100 };

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({
    engine: "sqlite",
    routes: (app, ctx) => defineEventStreams(app, ctx, QUICK, ["/api/test/events"]),
    ...options,
  });
  onTestFinished(server.close);
  return server;
}

eachEngine("the live stream", (engine) => {
  test("sends what happens in the caller's organization, and nothing of others", async () => {
    const server = await start({ engine });
    const other = await server.createOrganization();
    const client = await openEvents(`${server.url}/api/events`, bearer(server.key));
    const v2 = await openEvents(`${server.url}/v2/events`, bearer(server.key));
    await happen(server, other.organization.id, 99);
    await happen(server, server.person.organization.id, 1, 2);
    const events = await client.waitFor(2);
    expect(events.map(({ event, data }) => [event, data.monitorId])).toEqual([
      ["status", 1],
      ["status", 2],
    ]);
    expect(numbersOf({ events: await v2.waitFor(2) })).toEqual([1, 2]);
    client.close();
    v2.close();
  });

  test("resumes where the client stopped, in order, each event once, whatever happens meanwhile", async () => {
    const server = await start({ engine });
    const { id } = server.person.organization;
    const first = await openEvents(`${server.url}/api/events`, bearer(server.key));
    await happen(server, id, 1);
    await first.waitFor(1);
    first.close();
    await happen(server, id, ...Array.from({ length: 1200 }, (_, at) => at + 2));
    const going = (async () => {
      for (let n = 1202; n <= 1230; n += 1) await happen(server, id, n);
    })();
    const second = await openEvents(`${server.url}/api/events`, bearer(server.key, first.lastId));
    await going;
    expect(numbersOf({ events: await second.waitFor(1229) })).toEqual(
      Array.from({ length: 1229 }, (_, at) => at + 2),
    );
    second.close();
  });

  test("resumes for a client that had not received anything yet", async () => {
    const server = await start({ engine });
    const { id } = server.person.organization;
    const first = await openEvents(`${server.url}/api/events`, bearer(server.key));
    first.close();
    await happen(server, id, 7);
    const second = await openEvents(
      `${server.url}/api/events?lastEventId=${first.lastId}`,
      bearer(server.key),
    );
    expect(numbersOf({ events: await second.waitFor(1) })).toEqual([7]);
    second.close();
  });

  test("resumes from a quiet stream though others' events have been forgotten meanwhile", async () => {
    const server = await start({ engine });
    const { id } = server.person.organization;
    const other = await server.createOrganization();
    const first = await openEvents(`${server.url}/api/test/events`, bearer(server.key));
    await happen(server, id, 1);
    const [event] = await first.waitFor(1);
    await happen(server, other.organization.id, 2, 3, 4);
    // A heartbeat says where it is now.
    const lastId = await eventually(
      () => first.lastId,
      (now) => now !== event?.id && first.comments > 3,
    );
    first.close();
    await deleteEventsBefore(server.ctx.store.db, server.ctx.clock.now() + 1, 100);
    await happen(server, id, 5);
    const second = await openEvents(`${server.url}/api/events`, bearer(server.key, lastId));
    expect(numbersOf({ events: await second.waitFor(1) })).toEqual([5]);
    second.close();
  });

  test("says reset when what was missed has been forgotten, or the id is not one of the organization's", async () => {
    const server = await start({ engine });
    const { id } = server.person.organization;
    const outsider = await server.createOrganization();
    const before = await openEvents(`${server.url}/api/events`, bearer(server.key));
    const foreign = await openEvents(
      `${server.url}/api/events`,
      bearer(await server.createKey({ person: outsider })),
    );
    before.close();
    foreign.close();
    await happen(server, id, 1, 2, 3);
    await deleteEventsBefore(server.ctx.store.db, server.ctx.clock.now() + 1, 100);
    // Another process, which has nothing of it in memory either.
    const other = await start({ engine, store: server.ctx.store });
    for (const lastId of [before.lastId, foreign.lastId, "1", "999999", "nonsense", "A".repeat(22)]) {
      const client = await openEvents(`${other.url}/api/events`, bearer(server.key, lastId));
      expect((await client.waitFor(1))[0]?.event).toBe("reset");
      await happen(other, id, 4);
      expect((await client.waitFor(2))[1]?.data.monitorId).toBe(4);
      client.close();
    }
  });

  test("reveals by its ids nothing about others' activity", async () => {
    const server = await start({ engine });
    const { id } = server.person.organization;
    const other = await server.createOrganization();
    const client = await openEvents(`${server.url}/api/test/events`, bearer(server.key));
    await happen(server, id, 1);
    await happen(server, other.organization.id, 7, 8, 9);
    await happen(server, id, 2);
    const ids = (await client.waitFor(2)).map((event) => event.id);
    for (const text of ids) expect(text).toMatch(/^[\w-]{22}$/);
    // Not even whether anything happened: the position is another one at each heartbeat.
    const seen = new Set<string>();
    await eventually(
      () => seen.add(client.lastId).size,
      (size) => size > 3,
    );
    client.close();
  });

  test("follows an organization filter to the caller's other organizations only", async () => {
    const server = await start({ engine, allOrganizations: true });
    const foreign = await server.createOrganization();
    const answer = await server.api("GET", `/api/events?organization=${foreign.organization.slug}`);
    expect(answer.status).toBe(404);
    const { body } = await server.api("POST", "/api/organizations", { name: "Second" });
    const client = await openEvents(
      `${server.url}/api/events?organization=${body.data.id}`,
      bearer(server.key),
    );
    await happen(server, server.person.organization.id, 1);
    await happen(server, body.data.id, 2);
    expect(numbersOf({ events: await client.waitFor(1) })).toEqual([2]);
    client.close();
  });
});

describe("a stream's life", () => {
  test("a comment keeps a quiet connection open", async () => {
    const server = await start();
    const client = await openEvents(`${server.url}/api/test/events`, bearer(server.key));
    await eventually(
      () => client.comments,
      (count) => count >= 3,
    );
    client.close();
  });

  test("a person may have 20 open; closing one makes room", async () => {
    const server = await start();
    const open = () => openEvents(`${server.url}/api/events`, bearer(server.key));
    const clients = await Promise.all(Array.from({ length: 20 }, open));
    expect((await open()).status).toBe(429);
    clients[0]?.close();
    const another = await eventually(open, ({ status }) => status === 200);
    for (const client of [...clients, another]) client.close();
  });

  test("closing the server ends it", async () => {
    const server = await startTestServer({ engine: "sqlite", alone: true });
    const client = await openEvents(`${server.url}/api/events`, bearer(server.key));
    await server.close();
    await eventually(() => client.ended, Boolean);
  });
});

test("a client that goes before its stream begins leaves no stream behind", async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  let isHeld = true;
  const server = await start({
    routes(app, ctx) {
      app.addHook("preHandler", async () => {
        if (!isHeld) return;
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        await gate.promise;
      });
      defineEventStreams(app, ctx, QUICK, ["/api/test/events"]);
    },
  });
  const gone = Array.from({ length: 20 }, (_, n) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write(
      `GET /api/test/events HTTP/1.1\r\nHost: x\r\nX-N: ${n}\r\nAuthorization: Bearer ${server.key}\r\n\r\n`,
    );
    return socket;
  });
  await eventually(
    () => gates.length,
    (count) => count === 20,
  );
  for (const socket of gone) socket.resetAndDestroy();
  const connections = () =>
    new Promise<number>((resolve) => server.app.server.getConnections((_error, count) => resolve(count)));
  await eventually(connections, (count) => count === 0);
  isHeld = false;
  for (const gate of gates) gate.resolve();
  const next = () => openEvents(`${server.url}/api/test/events`, bearer(server.key));
  const clients = await Promise.all(Array.from({ length: 20 }, next));
  expect(clients.map(({ status }) => status)).toEqual(clients.map(() => 200));
  for (const client of clients) client.close();
});
