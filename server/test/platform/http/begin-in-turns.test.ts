import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLine, type LineOptions, routeInTurns } from "../../../src/platform/http/begin-in-turns.ts";
import { REQUEST_LIMITS } from "../../../src/platform/http/errors.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A line, and what became of those that came to it. */
function lineOf(options: LineOptions) {
  const line = createLine(options);
  const gone = new Set<string>();
  const went: string[] = [];
  const refused: string[] = [];
  const come = (owner: string, name: string) => {
    if (line.goesNow()) went.push(name);
    else
      line.wait(owner, {
        go: () => void went.push(name),
        refuse: () => void refused.push(name),
        isGone: () => gone.has(name),
      });
  };
  return { come, gone, went, refused };
}

const names = (owner: string, count: number) => Array.from({ length: count }, (_, at) => `${owner}${at + 1}`);

describe("a line", () => {
  test("lets those that come alone go at once, and so many in each turn", async () => {
    const { come, went } = lineOf({ perTurn: 2, most: 10 });
    for (const name of names("a", 2)) come("a", name);
    expect(went).toEqual(["a1", "a2"]);
    await turn();
    come("a", "a3");
    expect(went).toEqual(["a1", "a2", "a3"]);
  });

  test("has the others wait, and those that come later after them", async () => {
    const { come, went } = lineOf({ perTurn: 2, most: 10 });
    for (const name of names("a", 5)) come("a", name);
    expect(went).toHaveLength(2);
    await turn();
    expect(went).toHaveLength(4);
    come("a", "a6");
    expect(went).toHaveLength(4);
    await turn();
    expect(went).toEqual(names("a", 6));
  });

  test("lets each owner go in turn, however many one of them has", async () => {
    const { come, went } = lineOf({ perTurn: 3, most: 100 });
    for (const name of names("a", 40)) come("a", name);
    for (const owner of ["b", "c"]) for (const name of names(owner, 2)) come(owner, name);
    await turn();
    await turn();
    expect(went.slice(3)).toEqual(["a4", "b1", "c1", "a5", "b2", "c2"]);
  });

  test("refuses, where too many wait, the last of the owner that has most", async () => {
    const { come, went, refused } = lineOf({ perTurn: 1, most: 4 });
    for (const name of names("a", 7)) come("a", name);
    expect(refused).toEqual(["a6", "a7"]);
    come("b", "b1");
    expect(refused).toEqual(["a6", "a7", "a5"]);
    for (let n = 0; n < 4; n += 1) await turn();
    expect(went).toEqual(["a1", "a2", "b1", "a3", "a4"]);
  });

  test("refuses, where each that waits has one, the one that has waited longest", async () => {
    const { come, went, refused } = lineOf({ perTurn: 1, most: 3 });
    for (const owner of ["a", "b", "c", "d", "e", "f"]) come(owner, owner);
    expect(refused).toEqual(["b", "c"]);
    for (let n = 0; n < 3; n += 1) await turn();
    expect(went).toEqual(["a", "d", "e", "f"]);
  });

  test("refuses one of the group that has most, be its owners many", () => {
    const groupOf = (owner: string) => owner.charAt(0);
    const { come, refused } = lineOf({ perTurn: 1, most: 4, groupOf });
    for (const owner of ["a1", "b", "a2", "a3", "c", "d"]) come(owner, owner);
    expect(refused).toEqual(["a2"]);
  });

  test("passes over those whose client has left, and their places go to others", async () => {
    const { come, gone, went } = lineOf({ perTurn: 1, most: 10 });
    for (const name of names("a", 9)) come("a", name);
    for (const name of names("a", 8)) gone.add(name);
    await turn();
    expect(went).toEqual(["a1", "a9"]);
  });

  test("sets off no turn while no request comes", async () => {
    vi.useFakeTimers({ toFake: ["setImmediate", "clearImmediate"] });
    onTestFinished(() => void vi.useRealTimers());
    const { come, went } = lineOf({ perTurn: 1, most: 10 });
    for (const name of names("a", 3)) come("a", name);
    vi.runAllTimers();
    expect([went.length, vi.getTimerCount()]).toEqual([3, 0]);
  });
});

test("what many connections carry comes to the router in turns, one connection after the other", async () => {
  const routed: string[] = [];
  const connection = new AsyncLocalStorage<number>();
  const ofConnections = new Map<string, number | undefined>();
  const route = routeInTurns(({ url = "" }) => {
    routed.push(url);
    ofConnections.set(url, connection.getStore());
  }, 60);
  const come = (remotePort: number, url: string) =>
    connection.run(remotePort, () =>
      route({ url, socket: { remoteAddress: "192.0.2.1", remotePort } } as never, {} as never),
    );
  for (const name of names("crowd", 90)) come(1, name);
  come(2, "lone");
  // Of the ninety 32 go at once, sixty wait, and those beyond are the router's to refuse.
  expect(routed.slice(0, 32)).toEqual(names("crowd", 32));
  expect(routed).toHaveLength(32);
  await turn();
  expect(routed[33]).toBe("lone");
  expect(routed).toHaveLength(64);
  await turn();
  expect(routed.toSorted()).toEqual([...names("crowd", 90), "lone"].toSorted());
  expect([ofConnections.get("lone"), ofConnections.get("crowd34")]).toEqual([2, 1]);
});

async function start(options: Partial<TestServerOptions> = {}) {
  const begun: string[] = [];
  const server = await startTestServer({
    engine: "sqlite",
    ...options,
    routes: (app) =>
      app.addHook("preHandler", async ({ headers }) => void begun.push(String(headers["x-name"]))),
  });
  onTestFinished(server.close);
  const send = (name: string, url: string, { from = "192.0.2.1", key = "" } = {}) =>
    (server.app as FastifyInstance).inject({
      url,
      remoteAddress: from,
      headers: { host: "localhost", "x-name": name, ...(key && { authorization: `Bearer ${key}` }) },
    });
  const crowd = (count: number, url: string, how: { from?: string; key?: string } = {}) =>
    names("crowd", count).map((name) => send(name, url, how));
  return { server, begun, send, crowd };
}

describe("requests that come at one moment", () => {
  test("from one address delay neither the server's health nor another address", async () => {
    const { begun, send, crowd } = await start();
    const all = [
      ...crowd(300, "/api/auth/state"),
      send("health", "/api/health"),
      send("other", "/api/auth/state", { from: "192.0.2.2" }),
    ];
    expect(new Set((await Promise.all(all)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(begun).toHaveLength(302);
    expect(begun.indexOf("health")).toBeLessThan(20);
    expect(begun.indexOf("other")).toBeLessThan(20);
  });

  test("are refused with 503 where too many wait, without a line in the log, and others are not", async () => {
    const { server, send, crowd } = await start({ limits: { ...REQUEST_LIMITS, waiting: 20 } });
    const answers = crowd(60, "/api/auth/state");
    const other = send("other", "/api/auth/state", { from: "192.0.2.2" });
    const refused = (await Promise.all(answers)).filter(({ statusCode }) => statusCode !== 200);
    expect(refused.length).toBeGreaterThan(20);
    for (const { statusCode, headers, json } of refused)
      expect([statusCode, headers["retry-after"], json().success]).toEqual([503, "1", false]);
    expect((await other).statusCode).toBe(200);
    expect(server.problems).toEqual([]);
    expect((await send("later", "/api/auth/state")).statusCode).toBe(200);
  });

  test("count as heartbeats also where their clients have left, and any site reads why they are refused", async () => {
    const { server } = await start({ limits: { ...REQUEST_LIMITS, waiting: 0 } });
    const url = "/api/heartbeats/1/token";
    const isWaitingFor: boolean[] = [];
    for (const route of [url, "/api/auth/state"]) {
      const request = {
        ...{ ip: "192.0.2.1", raw: { socket: { destroyed: true } } },
        routeOptions: { url: route.replace("1/token", ":id/:token") },
      } as unknown as FastifyRequest;
      const { app } = await startTestServer({ engine: "sqlite" }).then((one) => {
        onTestFinished(one.close);
        return one;
      });
      let turnOf = app.turns.ofAddress(request);
      for (let n = 0; turnOf === null && n < 20; n += 1) turnOf = app.turns.ofAddress(request);
      let went = false;
      void turnOf?.then(() => (went = true));
      for (let n = 0; n < 4; n += 1) await turn();
      isWaitingFor.push(went);
    }
    expect(isWaitingFor).toEqual([true, false]);
    const sent = Array.from({ length: 12 }, () => (server.app as FastifyInstance).inject({ url }));
    const refused = (await Promise.all(sent)).filter(({ statusCode }) => statusCode === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers["access-control-allow-origin"]).toBe("*");
  });

  test("wait for nothing where they come one after the other", async () => {
    const { server } = await start();
    const ofAddress = vi.spyOn(server.app.turns, "ofAddress");
    const ofTenant = vi.spyOn(server.app.turns, "ofTenant");
    for (let n = 0; n < 20; n += 1) expect((await server.api("GET", "/api/domains")).status).toBe(200);
    const given = [ofAddress, ofTenant].flatMap(({ mock }) => mock.results.map(({ value }) => value));
    expect(given).toEqual(Array.from({ length: 40 }, () => null));
  });

  test("of a tenant at many addresses delay no other tenant", async () => {
    const { server, begun, send } = await start();
    const key = await server.createKey({ plan: "pro" });
    const crowd = names("crowd", 100).map((name, at) =>
      send(name, "/api/domains", { from: `192.0.2.${at + 1}`, key: server.key }),
    );
    const other = send("other", "/api/domains", { from: "198.51.100.1", key });
    const answers = await Promise.all([...crowd, other]);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(begun.indexOf("other")).toBeLessThan(75);
  });
});
