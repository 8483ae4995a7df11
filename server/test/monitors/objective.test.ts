import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { DAY, HOUR, MINUTE, makeDomain, NOW, serve, setHistory } from "./domains/factories.ts";

const LEGACY = { objective: 99.9, objectiveDays: 30 };

eachEngine("the objective of a monitor", (engine) => {
  test("is none unless it is set, is stored by both families, and stays through other changes", async () => {
    const server = await serve({ engine });
    const { id, uuid } = await makeDomain(server);
    const none = await server.api("GET", `/api/domains/${id}`);
    expect(none.body.data).toMatchObject({ objective: 0, objectiveDays: 30 });
    const set = await server.api("PUT", `/v2/domains/${uuid}`, { objective: 99.95, objective_days: 90 });
    expect([set.status, set.body.data.objective, set.body.data.objective_days]).toEqual([200, 99.95, 90]);
    await server.api("PUT", `/api/domains/${id}`, { name: "Renamed" });
    const stored = await server.api("GET", `/api/domains/${id}`);
    expect(stored.body.data).toMatchObject({ objective: 99.95, objectiveDays: 90 });
    const off = await server.api("PUT", `/api/domains/${id}`, { objective: 0 });
    expect(off.body.data).toMatchObject({ objective: 0, objectiveDays: 90 });
  });

  test.each([
    ["objective", [-1, 100, 99.9999, "99.9", null]],
    ["objectiveDays", [6, 91, 30.5, "30", null]],
  ] as const)("is refused where %s is out of its bounds, by name", async (field, values) => {
    const server = await serve({ engine });
    const { id, uuid } = await makeDomain(server);
    const snake = field === "objective" ? "objective" : "objective_days";
    for (const value of values) {
      const created = await server.api("POST", "/api/services", {
        ...{ protocol: "tcp", name: "Till", protocolConfig: { host: "a.test", port: 1 } },
        [field]: value,
      });
      expect([created.status, Object.keys(created.body.errors)]).toEqual([422, [field]]);
      const legacy = await server.api("PUT", `/api/domains/${id}`, { [field]: value });
      expect([legacy.status, Object.keys(legacy.body.errors)]).toEqual([422, [field]]);
      const v2 = await server.api("PUT", `/v2/domains/${uuid}`, { [snake]: value });
      expect([v2.status, Object.keys(v2.body.errors)]).toEqual([422, [snake]]);
    }
  });

  test("has a budget, of which downtime is used, and says how fast", async () => {
    const server = await serve({ engine });
    const { id, uuid } = await makeDomain(server, LEGACY);
    await setHistory(server.ctx.store, id, [
      [NOW - 40 * DAY, "up"],
      [NOW - 10 * DAY, "down"],
      [NOW - 10 * DAY + 10 * MINUTE, "up"],
      [NOW - 30 * MINUTE, "down"],
      [NOW - 28 * MINUTE, "up"],
    ]);
    const legacy = await server.api("GET", `/api/domains/${id}/monitoring/objective`);
    expect([legacy.status, legacy.body.data]).toEqual([
      200,
      {
        ...LEGACY,
        budget: {
          allowedSeconds: 2592,
          usedSeconds: 720,
          leftSeconds: 1872,
          leftPercentage: 72.22,
          knownSeconds: 2_592_000,
          uptimePercentage: 99.972,
        },
        burnRates: [
          { seconds: 3600, rate: 33.33, limit: 14.4, level: "fast" },
          { seconds: 21_600, rate: 5.56, limit: 6, level: "fast" },
          { seconds: 259_200, rate: 0.46, limit: 1, level: "slow" },
        ],
        alert: null,
      },
    ]);
    const v2 = await server.api("GET", `/v2/domains/${uuid}/objective`);
    expect(v2.body.data).toMatchObject({
      objective_days: 30,
      budget: { allowed_seconds: 2592, left_percentage: 72.22 },
      burn_rates: [{ seconds: 3600 }, {}, {}],
    });
  });

  test("that there is not has neither budget nor burn rates", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    const answer = await server.api("GET", `/api/domains/${id}/monitoring/objective`);
    expect(answer.body.data).toEqual({
      ...{ objective: 0, objectiveDays: 30, budget: null, burnRates: [], alert: null },
    });
  });

  test("has nothing left to report where none of its days counts", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { objective: 99.9, objectiveDays: 7 });
    await setHistory(server.ctx.store, id, [
      [NOW - 40 * DAY, "up"],
      [NOW - 10 * DAY, "unknown"],
    ]);
    const { body } = await server.api("GET", `/api/domains/${id}/monitoring/objective`);
    const none = { allowedSeconds: 0, usedSeconds: 0, leftSeconds: 0, leftPercentage: null };
    expect(body.data.budget).toMatchObject({ ...none, uptimePercentage: null });
  });

  test("is not readable by other organizations", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, LEGACY);
    const unknown = await server.api("GET", `/api/domains/${id + 999_999}/monitoring/objective`);
    expect(unknown.status).toBe(404);
    const signedOut = await server.api("GET", `/api/domains/${id}/monitoring/objective`, undefined, {
      key: "vdt_no",
    });
    expect(signedOut.status).toBe(401);
  });
});

test("a budget is of the days that the objective is about", async () => {
  const server = await serve({ engine: "sqlite" });
  const { id } = await makeDomain(server, { objective: 99, objectiveDays: 7 });
  await setHistory(server.ctx.store, id, [
    [NOW - 40 * DAY, "up"],
    [NOW - 8 * DAY, "down"],
    [NOW - 6 * DAY - 23 * HOUR, "up"],
  ]);
  const { body } = await server.api("GET", `/api/domains/${id}/monitoring/objective`);
  expect(body.data.budget).toMatchObject({ allowedSeconds: 6048, usedSeconds: 3600, leftSeconds: 2448 });
});
