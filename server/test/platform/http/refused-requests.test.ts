import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { REFUSALS } from "../../../src/platform/http/errors.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { rawRequest } from "./raw-client.ts";

async function start(more: Partial<TestServerOptions> = {}) {
  const server = await startTestServer({ engine: "sqlite", ...more });
  onTestFinished(server.close);
  return server;
}

/** The status of the answer to a header whose body never comes. */
function statusBeforeBody(url: string, line: string, ...headers: string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
    socket.write(
      rawRequest(line, "Content-Type: application/json", "Content-Length: 100000", ...headers).replace(
        "Host: a",
        "Host: localhost",
      ),
    ),
  );
  socket.once("data", (bytes) => {
    resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString("latin1"))?.[1]));
    socket.destroy();
  });
  socket.once("error", reject);
  return promise;
}

const OLD = "x".repeat(43);

describe("credentials are judged before the body", () => {
  test("at every route that requests some", async () => {
    const server = await start();
    const routes = server.app.routeList.filter(
      ({ family, method, loopback }) => family !== "public" && method !== "GET" && !loopback,
    );
    expect(routes.length).toBeGreaterThan(200);
    for (const { method, url } of routes) {
      const line = `${method} ${url.replaceAll(/:\w+/g, "1")}`;
      expect([line, await statusBeforeBody(server.url, line)]).toEqual([line, 401]);
    }
  });

  test.each([
    ["/api/agent/report", `vda_${OLD}`],
    ["/api/agent/enroll", `vde_${OLD}`],
    ["/mcp", `vdt_${OLD}`],
    ["/api/mcp", "something else"],
  ])("at %s", async (path, token) => {
    const server = await start();
    const line = `POST ${path}`;
    expect(await statusBeforeBody(server.url, line, `Authorization: Bearer ${token}`)).toBe(401);
    const options = { key: token };
    expect((await server.api("POST", path, {}, options)).status).toBe(401);
    expect((await server.api("POST", path, "{", options)).status).toBe(401);
  });
});

describe("a request without valid credentials", () => {
  const KINDS: Record<
    string,
    [method: string, path: string, body: unknown, key: string | null, status: number]
  > = {
    "without a key": ["GET", "/api/domains", undefined, null, 401],
    "with a wrong key": ["POST", "/v2/domains", {}, `vdt_${OLD}`, 401],
    "of an agent": ["POST", "/api/agent/report", {}, `vda_${OLD}`, 401],
    "of a job": ["POST", `/api/heartbeats/${crypto.randomUUID()}/${OLD}`, undefined, null, 404],
    "of an assistant": ["POST", "/mcp", {}, `vdt_${OLD}`, 401],
    "of an assistant that cannot be read": ["POST", "/mcp", "[", null, 400],
    "of an assistant that makes no sense": ["POST", "/mcp", [], null, 400],
    "to an address that is not there": ["GET", "/api/nothing", undefined, null, 404],
    "by another method": ["DELETE", "/api/health", undefined, null, 405],
    "with a wrong body": ["POST", "/api/auth/sign-in", { email: 1 }, null, 422],
    "of another type": ["POST", "/api/auth/sign-in", undefined, null, 422],
  };

  test("counts against the limits of its address, whatever it fails on, and those with a key are served all the same", async () => {
    const server = await start({ config: { rateLimits: true } });
    const send = async ([method, path, body, key]: (typeof KINDS)[string]) =>
      (await server.api(method, path, body, { key })).status;
    for (const [name, kind] of Object.entries(KINDS))
      expect([name, await send(kind)]).toEqual([name, kind[4]]);
    const left = REFUSALS.perMinute - Object.keys(KINDS).length;
    const nothing = KINDS["to an address that is not there"] as (typeof KINDS)[string];
    for (let sent = 0; sent < left; sent += 1) await send(nothing);
    for (const [name, kind] of Object.entries(KINDS)) expect([name, await send(kind)]).toEqual([name, 429]);
    expect((await server.api("GET", "/api/domains")).status).toBe(200);
    expect((await server.api("GET", "/api/health", undefined, { key: null })).status).toBe(200);
  });
});
