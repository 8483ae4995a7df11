import { expect, test } from "vitest";
import { insertTransitions } from "../../../src/engine/queries/transitions.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { makeResult } from "../../harness/results.ts";
import { eachEngine } from "../../harness/stores.ts";
import { DAY, HOUR, MINUTE, makeDomain, makeLocation, NOW, observe, serve, setHistory } from "./factories.ts";

const nothing = { maintenance: false, reason: null, reasonFact: null };

eachEngine("what a domain's status was and when", (engine) => {
  test("is given period by period, newest first, back to the one that the days begin in, in both families", async () => {
    const server = await serve({ engine });
    const { id, uuid } = await makeDomain(server);
    await setHistory(server.ctx.store, id, [
      [NOW - 40 * DAY, "down"],
      [NOW - 3 * DAY, "up"],
      [NOW - 5 * HOUR, "down"],
      [NOW - 4 * HOUR, "up"],
    ]);
    const path = `/api/domains/${id}/monitoring/status-history`;
    const day = [
      { state: "up", startedAt: "2026-11-21T08:02:30.000Z", endedAt: null, ...nothing },
      {
        state: "down",
        startedAt: "2026-11-21T07:02:30.000Z",
        endedAt: "2026-11-21T08:02:30.000Z",
        ...nothing,
      },
      { state: "up", startedAt: "2026-11-18T12:02:30.000Z", endedAt: "2026-11-21T07:02:30.000Z", ...nothing },
    ];
    expect((await server.api("GET", `${path}?days=1`)).body.data).toEqual(day);
    expect((await server.api("GET", `${path}?days=1&limit=2`)).body.data).toEqual(day.slice(0, 2));
    expect((await server.api("GET", path)).body.data).toHaveLength(4);
    expect((await server.api("GET", `/v2/domains/${uuid}/status-history?days=1&limit=1`)).body.data).toEqual([
      {
        state: "up",
        started_at: "2026-11-21T08:02:30.000Z",
        ended_at: null,
        maintenance: false,
        reason: null,
        reason_fact: null,
      },
    ]);
  });

  test("says why, distinguishes a pause from silence, and marks maintenance", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    const { store } = server.ctx;
    const { organization_id: organizationId } = await store.db
      .selectFrom("monitors")
      .select("organization_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const row = { organizationId, monitorId: id, locationId: null, fromStatus: "up" } as const;
    const at = (minutes: number) => ({ at: NOW - minutes * MINUTE, detectedAt: NOW - minutes * MINUTE });
    const silent = msg("watch.silent");
    await store.transaction((trx) =>
      insertTransitions(trx, [
        { ...row, toStatus: "unknown", ...at(30), reason: silent, maintenance: false },
        { ...row, toStatus: "unknown", ...at(20), reason: msg("watch.paused"), maintenance: false },
        { ...row, toStatus: "down", ...at(10), reason: null, maintenance: true },
      ]),
    );
    const { data } = (await server.api("GET", `/api/domains/${id}/monitoring/status-history`)).body;
    expect(data).toMatchObject([
      { state: "down", maintenance: true },
      { state: "paused", maintenance: false },
      { state: "unknown", reason: "No result came in for two intervals.", reasonFact: silent },
    ]);
  });

  test("is not readable by other organizations, and refuses days and limits that are out of range", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    const key = await server.createKey({ person: await server.createOrganization() });
    const path = `/api/domains/${id}/monitoring/status-history`;
    expect((await server.api("GET", path, undefined, { key })).status).toBe(404);
    const wrong = await server.api("GET", `${path}?days=91&limit=0`);
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["days", "limit"]]);
  });
});

eachEngine("the history of checks", (engine) => {
  test("goes on before a check, also where two locations checked at one moment", async () => {
    const server = await serve({ engine });
    const { store } = server.ctx;
    const { id, uuid } = await makeDomain(server);
    const places = [await makeLocation(store, "local"), await makeLocation(store, "tokyo")];
    const minutes = [1, 2, 3, 90];
    await observe(
      store,
      minutes.flatMap((minute) =>
        places.map((locationId) =>
          makeResult({ monitorId: id, locationId, scheduledAt: NOW - minute * MINUTE }),
        ),
      ),
    );
    const read = async (query: string) =>
      (await server.api("GET", `/api/domains/${id}/monitoring/history?${query}`)).body.data as {
        id: number;
        timestamp: string;
      }[];
    const all = await read("range=24h");
    expect(all).toHaveLength(8);
    const pages = [];
    for (let before = ""; ; ) {
      const page = await read(`range=24h&limit=3${before}`);
      if (page.length === 0) break;
      pages.push(page);
      before = `&before=${page.at(-1)?.id}`;
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
    expect(pages.flat()).toEqual(all);
    const v2 = await server.api("GET", `/v2/domains/${uuid}/history?range=1h&before=${all[3]?.id}`);
    expect(v2.body.data.map((item: { id: number }) => item.id)).toEqual(
      all.slice(4, 6).map((item) => item.id),
    );
    const wrong = await server.api("GET", `/api/domains/${id}/monitoring/history?before=soon`);
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["before"]]);
  });
});
