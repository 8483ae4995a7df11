import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { defineEventStreams } from "../../src/http/live/events.ts";
import { appendEvents, deleteEventsBefore } from "../../src/store/queries/events.ts";
import { openBrowser, signedIn } from "../account/browser.ts";
import { eventually } from "../harness/eventually.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { bearer, happen, numbersOf, openEvents } from "./event-source.ts";

/** Heartbeat and revocation without the wait. */
const QUICK = { heartbeatMs: 30, recheckMs: 30 };

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
  test("tells what happens in the caller's organization, and nothing of others", async () => {
    const server = await start({ engine });
    const other = await server.createOrganization();
    const client = await openEvents(`${server.url}/api/events`, bearer(server.key));
    const v2 = await openEvents(`${server.url}/v2/events`, bearer(server.key));
    await happen(server, other.organization.id, 99);
    await happen(server, server.person.organization.id, 1, 2);
    const events = await client.waitFor(2);
    expect(events.map(({ event, data }) => [event, data.n])).toEqual([
      ["status", 1],
      ["status", 2],
    ]);
    expect(Number(events[1]?.id)).toBeGreaterThan(Number(events[0]?.id));
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

  test("resumes for a client that had not heard anything yet", async () => {
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

  test("says reset when what was missed has been forgotten, or the id is not one of ours", async () => {
    const server = await start({ engine });
    const { id } = server.person.organization;
    await happen(server, id, 1, 2, 3);
    await deleteEventsBefore(server.ctx.store.db, server.ctx.clock.now() + 1, 100);
    for (const lastId of ["1", "999999", "nonsense"]) {
      const client = await openEvents(`${server.url}/api/events`, bearer(server.key, lastId));
      expect((await client.waitFor(1))[0]?.event).toBe("reset");
      await happen(server, id, 4);
      expect((await client.waitFor(2))[1]?.data).toEqual({ n: 4 });
      client.close();
    }
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

  test("ends when its key is deleted", async () => {
    const server = await start({ engine });
    const key = await server.createKey();
    const client = await openEvents(`${server.url}/api/test/events`, bearer(key));
    const { body } = await server.api("GET", "/api-keys");
    await server.api("DELETE", `/api-keys/${body.data[0].id}`);
    await eventually(() => client.ended, Boolean);
  });

  test("opens with a session's cookie and ends with the session", async () => {
    const server = await start({ engine, config: { signup: "open" } });
    const { browser } = await signedIn(server);
    const headers = { cookie: `vedette_session=${browser.cookie}` };
    const client = await openEvents(`${server.url}/api/test/events`, headers);
    expect(client.status).toBe(200);
    await openBrowser(server, browser.cookie).send("POST", "/api/auth/sign-out");
    await eventually(() => client.ended, Boolean);
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

  test("needs read:dashboard", async () => {
    const server = await start();
    const key = await server.createKey({ scopes: ["read:domains"] });
    const client = await openEvents(`${server.url}/api/events`, bearer(key));
    expect(client.status).toBe(403);
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

  test("a client that does not read is cut off instead of filling memory", async () => {
    const server = await start();
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    const head = Promise.withResolvers<void>();
    socket.once("data", () => {
      socket.pause();
      head.resolve();
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n\r\n`);
    await head.promise;
    const large = "x".repeat(200_000);
    const events = [{ organizationId: server.person.organization.id, type: "status", payload: { large } }];
    const connections = () =>
      new Promise<number>((resolve) => server.app.server.getConnections((_e, n) => resolve(n)));
    const before = await connections();
    await eventually(
      async () => {
        await server.ctx.store.transaction(async (trx) => appendEvents(trx, events, server.ctx.clock.now()));
        server.ctx.live.wake();
        return connections();
      },
      (count) => count < before,
      25_000,
    );
    socket.resume();
    await closed;
  });

  test("closing the server ends it", async () => {
    const server = await startTestServer({ engine: "sqlite" });
    const client = await openEvents(`${server.url}/api/events`, bearer(server.key));
    await server.close();
    await eventually(() => client.ended, Boolean);
  });
});

test("a client that goes before its stream begins leaves no stream behind", async () => {
  const server = await start();
  const { live } = server.ctx;
  const subscribe = live.subscribe;
  const asked: PromiseWithResolvers<void>[] = [];
  live.subscribe = async (...args) => {
    const gate = Promise.withResolvers<void>();
    asked.push(gate);
    await gate.promise;
    return (subscribe as NonNullable<typeof subscribe>)(...args);
  };
  const gone = Array.from({ length: 30 }, (_, n) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: x\r\nX-N: ${n}\r\nAuthorization: Bearer ${server.key}\r\n\r\n`,
    );
    return socket;
  });
  await eventually(
    () => asked.length,
    (count) => count > 0,
  );
  const waiting = asked.length;
  for (const socket of gone) socket.resetAndDestroy();
  const connections = () =>
    new Promise<number>((resolve) => server.app.server.getConnections((_error, count) => resolve(count)));
  await eventually(connections, (count) => count === 0);
  for (const gate of asked) gate.resolve();
  expect(waiting).toBeGreaterThan(1);
  live.subscribe = subscribe;
  const next = () => openEvents(`${server.url}/api/events`, bearer(server.key));
  const clients = await Promise.all(Array.from({ length: waiting }, next));
  expect(clients.map(({ status }) => status)).toEqual(clients.map(() => 200));
  for (const client of clients) client.close();
});
