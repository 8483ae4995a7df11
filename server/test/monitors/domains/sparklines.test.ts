import { expect, test } from "vitest";
import { countQueries } from "../../harness/count-queries.ts";
import { makeResult } from "../../harness/results.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeService } from "../services/factories.ts";
import { HOUR, MINUTE, makeDomain, makeLocation, NOW, observe, serve, setHistory } from "./factories.ts";

/** The start of the present hour. */
const THIS_HOUR = NOW - (NOW % HOUR);

const idsOf = (items: { id: number }[]) => items.map(({ id }) => id);

const read = async (server: TestServer, ids: string, key?: string) =>
  (await server.api("GET", `/api/domains/sparklines?ids=${ids}`, undefined, key ? { key } : {})).body.data;

eachEngine("the sparklines of domains", (engine) => {
  test("give each hour its worst status, its uptime and its mean response time", async () => {
    const server = await serve({ engine });
    const { store } = server.ctx;
    const { id, uuid } = await makeDomain(server);
    const locationId = await makeLocation(store, "local");
    await setHistory(store, id, [
      [THIS_HOUR - 3 * HOUR, "up"],
      [THIS_HOUR - 90 * MINUTE, "down"],
      [THIS_HOUR - 60 * MINUTE, "degraded"],
    ]);
    const check = (at: number, totalUs: number) =>
      makeResult({ monitorId: id, locationId, scheduledAt: at, totalUs });
    await observe(store, [check(THIS_HOUR - 30 * MINUTE, 100_000), check(THIS_HOUR - 20 * MINUTE, 300_000)]);
    const [sparkline] = await read(server, String(id));
    expect(sparkline).toMatchObject({ id, uuid, iconUrl: null });
    expect(sparkline.hours).toHaveLength(24);
    expect(sparkline.hours.slice(-5)).toEqual([
      { timestamp: at(4), status: "unknown", uptimePercentage: null, responseTime: null },
      { timestamp: at(3), status: "up", uptimePercentage: 100, responseTime: null },
      { timestamp: at(2), status: "down", uptimePercentage: 50, responseTime: null },
      { timestamp: at(1), status: "degraded", uptimePercentage: 100, responseTime: 200 },
      { timestamp: at(0), status: "degraded", uptimePercentage: 100, responseTime: null },
    ]);
  });

  test("are requested by id or uuid, and cost as many queries for a hundred as for one", async () => {
    const server = await serve({ engine });
    const made: { id: number; uuid: string }[] = [];
    for (let n = 0; n < 100; n += 1) {
      made.push(await makeDomain(server, { name: `d${n}`, url: `https://host${n}.test` }));
    }
    const { store } = server.ctx;
    const uuids = made.map(({ uuid }) => uuid).join();
    const one = await countQueries(store, () => read(server, String(made[0]?.id)));
    const all = await countQueries(store, () => read(server, uuids));
    expect(all).toBe(one);
    expect(idsOf(await read(server, uuids))).toEqual(made.map(({ id }) => id));
    const tooMany = [...made.map(({ id }) => id), 1].join();
    expect((await server.api("GET", `/api/domains/sparklines?ids=${tooMany}`)).status).toBe(422);
  });

  test.each([
    [
      "found now",
      "image/png",
      NOW,
      { iconUrl: expect.stringMatching(`^/icons/secret-[0-9]+[?]v=${NOW}$`), iconDue: false },
    ],
    ["a week old", "image/png", NOW - 168 * HOUR, { iconDue: true }],
    ["sought in vain", "", NOW - 59 * MINUTE, { iconUrl: null, iconDue: false }],
    ["sought in vain an hour ago", "", NOW - HOUR, { iconUrl: null, iconDue: true }],
  ])("say where the icon is, and whether it is worth looking for: %s", async (_, type, at, expected) => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    expect((await read(server, String(id)))[0]).toMatchObject({ iconUrl: null, iconDue: true });
    const icon = {
      monitor_id: id,
      token: `secret-${id}`,
      content_type: type,
      data: new Uint8Array(),
      fetched_at: at,
    };
    await server.ctx.store.db.insertInto("icons").values(icon).execute();
    expect((await read(server, String(id)))[0]).toMatchObject(expected);
  });

  test("leave out what is unknown, deleted, of another kind or of another organization", async () => {
    const server = await serve({ engine });
    const [mine, deleted] = [
      await makeDomain(server),
      await makeDomain(server, { url: "https://gone.test" }),
    ];
    await server.api("DELETE", `/api/domains/${deleted.id}`);
    const service = await makeService(server);
    const key = await server.createKey({ person: await server.createOrganization() });
    const theirs = await makeDomain(server, {}, key);
    const ids = [mine.id, deleted.id, service.id, theirs.id, theirs.uuid, 999_999_999].join();
    expect(idsOf(await read(server, ids))).toEqual([mine.id]);
    expect(idsOf(await read(server, ids, key))).toEqual([theirs.id]);
    const services = (await server.api("GET", `/api/services/sparklines?ids=${ids}`)).body.data;
    expect(idsOf(services)).toEqual([service.id]);
  });

  test("are the same in v2, in its words", async () => {
    const server = await serve({ engine });
    const { id, uuid } = await makeDomain(server);
    const { body } = await server.api("GET", `/v2/domains/sparklines?ids=${uuid}`);
    expect(body.data[0]).toMatchObject({ id, uuid, icon_url: null });
    expect(body.data[0].hours[23]).toEqual({
      timestamp: at(0),
      status: "unknown",
      uptime_percentage: null,
      response_time: null,
    });
  });

  test("are none where none are requested", async () => {
    const server = await serve({ engine });
    const { status, body } = await server.api("GET", "/api/domains/sparklines");
    expect([status, body.data]).toEqual([200, []]);
  });

  test.each(["ids=1,,2", "ids=one", "ids=1;2"])("refuse %o", async (query) => {
    const server = await serve({ engine });
    expect((await server.api("GET", `/api/domains/sparklines?${query}`)).status).toBe(422);
  });
});

/** The start of the hour so many hours ago. */
function at(hoursAgo: number): string {
  return new Date(THIS_HOUR - hoursAgo * HOUR).toISOString();
}
