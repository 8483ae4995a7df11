import { expect, onTestFinished, test } from "vitest";
import { hang, slow, status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { aTarget, aWatchedDomain, resultsOf, servingChecks } from "./checking.ts";

const HERE = { code: "local", name: "Local" };
const FAR = { code: "far", name: "Far" };

eachEngine("a check that somebody requests", (engine) => {
  test("is made, stored and answered in both families", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine });
    const id = await aWatchedDomain(server, { url: target.url });
    const answer = await server.api("POST", `/api/domains/${id}/check`);
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect(data).toMatchObject({ status: "up", state: "up", message: "The check passed.", reason: null });
    expect(data).toMatchObject({ statusCode: 200, address: "127.0.0.1", location: "local" });
    expect(data.responseTime).toBeGreaterThan(0);
    const history = await server.api("GET", `/api/domains/${id}/monitoring/history`);
    expect(history.body.data.map((one: { timestamp: string }) => one.timestamp)).toContain(data.timestamp);
    expect((await server.api("GET", `/api/domains/${id}`)).body.data.lastCheck).toBe(data.timestamp);

    target.set(status(503));
    const { uuid } = (await server.api("GET", `/api/domains/${id}`)).body.data;
    const v2 = await server.api("POST", `/v2/domains/${uuid}/check`);
    expect([v2.status, v2.body.data.status, v2.body.data.status_code]).toEqual([200, "down", 503]);
    expect(v2.body.data.message).toBe(v2.body.data.reason);
    // It counts: the failure is confirmed by a recheck.
    await eventually(
      () => server.api("GET", `/api/domains/${id}`),
      ({ body }) => body.data.status === "down",
    );
    expect((await resultsOf(server, id)).length).toBeGreaterThanOrEqual(4);
    // So is the success after a repair, though the schedule would wait for a day.
    target.set(status(200));
    expect((await server.api("POST", `/api/domains/${id}/check`)).body.data.state).toBe("up");
    await eventually(
      () => server.api("GET", `/api/domains/${id}`),
      ({ body }) => body.data.status === "up",
    );
  });

  test("of a service is answered as the specification has it", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine });
    const protocolConfig = { host: "127.0.0.1", port: target.port };
    const body = { name: "Port", protocol: "tcp", protocolConfig, checkInterval: 86_400 };
    const { id } = (await server.api("POST", "/api/services", body)).body.data;
    // Perhaps no probe knows it yet.
    const { body: up } = await server.api("POST", `/api/services/${id}/check`);
    expect(up.data).toMatchObject({ status: "up", message: "The check passed.", location: "local" });
    await target.refuse();
    const { body: down } = await server.api("POST", `/api/services/${id}/check`);
    expect(down.data).toMatchObject({ status: "down", reasonCode: "refused" });
    expect(down.data.message).toMatch(/refused the connection/);
  });

  test("is shared by all requests while it is under way", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine });
    const id = await aWatchedDomain(server, { url: target.url });
    target.set(slow(1_500));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.api("POST", `/api/domains/${id}/check`)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map((answer) => answer.body.data.timestamp)).size).toBe(1);
    expect(await resultsOf(server, id)).toHaveLength(2);
  });

  test("answers when the check does: by its timeout and a second", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine });
    const id = await aWatchedDomain(server, { url: target.url, timeout: 1 });
    target.set(hang);
    const begun = performance.now();
    const { body } = await server.api("POST", `/api/domains/${id}/check`);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    expect(body.data).toMatchObject({ status: "down", reasonCode: "timeout" });
  });

  test("is made with what was saved while it was under way", async () => {
    const [old, next] = [await aTarget(), await aTarget(status(418))];
    const server = await servingChecks({ engine });
    const id = await aWatchedDomain(server, { url: old.url });
    old.set(hang);
    const checking = server.api("POST", `/api/domains/${id}/check`);
    await eventually(
      () => old.requests.length,
      (count) => count === 2,
    );
    await server.api("PUT", `/api/domains/${id}`, { url: next.url });
    const { body } = await checking;
    expect(body.data).toMatchObject({ status: "down", statusCode: 418 });
  });

  test("404, 409: is not waited for once its monitor is deleted or paused", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine });
    const ids = [
      await aWatchedDomain(server, { url: target.url, timeout: 50 }),
      await aWatchedDomain(server, { url: target.url, name: "Other", timeout: 50 }),
    ];
    target.set(hang);
    const checking = ids.map((id) => server.api("POST", `/api/domains/${id}/check`));
    await eventually(
      () => target.requests.length,
      (count) => count === 4,
    );
    await server.api("DELETE", `/api/domains/${ids[0]}`);
    await server.api("PUT", `/api/domains/${ids[1]}`, { enabled: false });
    expect((await Promise.all(checking)).map((answer) => answer.status)).toEqual([404, 409]);
  });

  test("goes on when the client leaves", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine });
    const id = await aWatchedDomain(server, { url: target.url });
    target.set(slow(700));
    const leaving = new AbortController();
    const { signal } = leaving;
    const checking = server.api("POST", `/api/domains/${id}/check`, undefined, { signal });
    checking.catch(() => {});
    await eventually(
      () => target.requests.length,
      (count) => count === 2,
    );
    leaving.abort();
    await expect(checking).rejects.toThrow();
    await eventually(
      () => resultsOf(server, id),
      (rows) => rows.length === 2,
    );
  });

  test("is answered while the engine stops, when it ends in time", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine });
    const id = await aWatchedDomain(server, { url: target.url });
    target.set(slow(500));
    const checking = server.api("POST", `/api/domains/${id}/check`);
    await eventually(
      () => target.requests.length,
      (count) => count === 2,
    );
    await server.checks.stop();
    expect((await checking).body.data).toMatchObject({ status: "up" });
  });

  test("409: is refused where it is paused, or nothing is checked", async () => {
    const server = await servingChecks({ engine });
    const paused = { url: "http://127.0.0.1:1/", enabled: false };
    const { id } = (await server.api("POST", "/api/domains", paused)).body.data;
    const answer = await server.api("POST", `/api/domains/${id}/check`);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      "It is paused. Resume it before checking it.",
    ]);
    const heartbeat = { name: "Job", protocol: "heartbeat", protocolConfig: {} };
    const job = (await server.api("POST", "/api/services", heartbeat)).body.data;
    const reported = await server.api("POST", `/v2/services/${job.uuid}/check`);
    expect([reported.status, reported.body.message]).toEqual([
      409,
      "There is nothing to check here: the status follows from what is reported, or from the members of a group.",
    ]);
  });

  test("503: says so where no probe runs", async () => {
    const server = await startTestServer({ engine, alone: true });
    onTestFinished(server.close);
    const { id } = (await server.api("POST", "/api/domains", { url: "http://127.0.0.1:1/" })).body.data;
    const answer = await server.api("POST", `/api/domains/${id}/check`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(answer.body.message).toMatch(/^No probe is running/);
  });

  test("503: says so where its result cannot be stored in time", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine });
    const id = await aWatchedDomain(server, { url: target.url, timeout: 1 });
    const { db } = server.ctx.store;
    const rename = (from: string, to: string) => db.schema.alterTable(from).renameTo(to).execute();
    await rename("results", "results_away");
    const answer = await server.api("POST", `/api/domains/${id}/check`);
    await rename("results_away", "results");
    expect([answer.status, answer.body.message]).toEqual([
      503,
      "No result has come in time. If the check still ends, its result is stored.",
    ]);
    await eventually(
      () => resultsOf(server, id),
      (rows) => rows.length === 2,
    );
  });

  test("is made at every location that has the monitor", async () => {
    const target = await aTarget();
    const server = await servingChecks({ engine, locations: [HERE, FAR] });
    const id = await aWatchedDomain(server, { url: target.url }, 2);
    const { body } = await server.api("POST", `/api/domains/${id}/check`);
    expect(["local", "far"]).toContain(body.data.location);
    const rows = await eventually(
      () => resultsOf(server, id),
      (all) => all.length === 4,
    );
    expect(new Set(rows.slice(2).map((row) => row.location_id)).size).toBe(2);
  });

  if (engine === "sqlite") return;
  test("is made by the replica whose probe has the monitor", async () => {
    const target = await aTarget();
    const near = await servingChecks({ engine, locations: [HERE] });
    const id = await aWatchedDomain(near, { url: target.url, locations: ["local"] });
    const far = await servingChecks({ engine, store: near.ctx.store, locations: [FAR] });
    target.set(status(418));
    const answer = await far.api("POST", `/api/domains/${id}/check`, undefined, { key: near.key });
    expect(answer.body.data).toMatchObject({ status: "down", statusCode: 418, location: "local" });
  });
});

test("a check outlives the limit for connections on which nothing moves", async () => {
  const target = await aTarget();
  const server = await servingChecks({ engine: "sqlite", limits: { stallMs: 2_500 } });
  const id = await aWatchedDomain(server, { url: target.url });
  target.set(slow(3_500));
  const body = { url: target.url };
  const checking = [
    server.api("POST", `/api/domains/${id}/check`),
    server.api("POST", "/api/domains/test", body),
    server.api("POST", `/api/domains/${id}/test`, {}),
  ];
  expect((await Promise.all(checking)).map((answer) => answer.status)).toEqual([200, 200, 200]);
}, 30_000);
