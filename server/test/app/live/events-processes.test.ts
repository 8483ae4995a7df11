import { describe, expect, inject, onTestFinished, test } from "vitest";
import { appendEvents } from "../../../src/platform/database/events.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { startProxy } from "../../harness/proxy.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../harness/server.ts";
import { createTestDatabase } from "../../harness/stores.ts";
import { bearer, happen, numbersOf, openEvents, statusEvent } from "./event-source.ts";

async function start(options: Partial<TestServerOptions>): Promise<TestServer> {
  const server = await startTestServer({ engine: "sqlite", ...options });
  onTestFinished(server.close);
  return server;
}

test("events of another process on the same SQLite file arrive within its poll", async () => {
  const { location, remove } = await createTestDatabase("sqlite");
  const store = await openStore(location);
  const other = await openStore(location);
  const server = await start({ store });
  const client = await openEvents(`${server.url}/api/events`, bearer(server.key));
  const events = [statusEvent(server.person.organization.id, 5)];
  await other.transaction(async (trx) => appendEvents(trx, events, Date.now()));
  expect(numbersOf({ events: await client.waitFor(1) })).toEqual([5]);
  await server.close();
  await Promise.all([store.close(), other.close()]);
  await remove();
});

const postgres = inject("postgres");

describe.skipIf("missing" in postgres)("replicas on PostgreSQL", () => {
  test("receive each other's events, in one order, while both write; also after the connection was lost", async () => {
    const { location, remove } = await createTestDatabase("postgres");
    const proxy = await startProxy((location as { url: string }).url);
    const [direct, proxied] = [await openStore(location), await openStore({ url: proxy.url })];
    const one = await start({ engine: "postgres", store: direct });
    const two = await start({ engine: "postgres", store: proxied });
    const { id } = one.person.organization;
    const here = await openEvents(`${one.url}/api/events`, bearer(one.key));
    const there = await openEvents(`${two.url}/api/events`, bearer(one.key));
    await Promise.all(Array.from({ length: 40 }, (_, n) => happen(n % 2 ? one : two, id, n)));
    await here.waitFor(40);
    await there.waitFor(40);
    expect(there.events).toEqual(here.events);
    expect([...numbersOf(here)].sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, n) => n),
    );
    proxy.cut();
    await happen(one, id, 100);
    proxy.restore();
    await there.waitFor(41);
    expect(there.events.at(-1)?.data.monitorId).toBe(100);
    here.close();
    there.close();
    await one.close();
    await two.close();
    await Promise.all([direct.close(), proxied.close()]);
    proxy.close();
    await remove();
  });
});
