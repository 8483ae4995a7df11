import { expect, onTestFinished, test } from "vitest";
import { status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { makeDomain, serve } from "./domains/factories.ts";
import { makeService } from "./services/factories.ts";

eachEngine("a domain that is tried before it is saved", (engine) => {
  test("is checked once with what was sent, and nothing of it is stored", async () => {
    const target = await startHttpTarget({ handler: status(503) });
    onTestFinished(() => target.close());
    const server = await serve({ engine });
    const body = { url: target.url, timeout: 5 };
    const failed = await server.api("POST", "/api/domains/test", body);
    expect(failed.status).toBe(200);
    expect(failed.body.data).toMatchObject({ state: "down", statusCode: 503, reasonCode: "status" });
    expect(failed.body.data.responseTime).toBeGreaterThan(0);
    expect(failed.body.data.phases.total).toBe(failed.body.data.responseTime);

    const assertions = [{ type: "status", codes: "503" }];
    const passed = await server.api("POST", "/api/domains/test", { ...body, assertions });
    expect(passed.body.data).toMatchObject({ state: "up", reason: null, address: "127.0.0.1" });
    const v2 = await server.api("POST", "/v2/domains/test", { name: "Shop", url: target.url });
    expect([v2.status, v2.body.data.status_code]).toEqual([200, 503]);
    expect(target.connections()).toBe(3);
    expect((await server.api("GET", "/api/domains")).body.data).toEqual([]);
  });

  test("is tried thirty times a minute at most, whatever the plan", async () => {
    const server = await serve({ engine, config: { rateLimits: true } });
    const { headers } = await server.api("POST", "/api/domains/test", { url: "ftp://shop.test" });
    expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual(["30", "29"]);
  });

  test("is refused with every field that is wrong, without a check", async () => {
    const server = await serve({ engine });
    const wrong = await server.api("POST", "/api/domains/test", { url: "ftp://shop.test", timeout: 90 });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.errors).toSorted()).toEqual(["timeout", "url"]);
    const assertions = [{ type: "status", codes: "nine" }];
    const later = await server.api("POST", "/api/domains/test", { url: "http://127.0.0.1:1/", assertions });
    expect(later.status).toBe(422);
  });
});

const TCP = { name: "Port", protocol: "tcp" };

eachEngine("a service that is tried before it is saved", (engine) => {
  const opened = async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    return { target, server: await serve({ engine }) };
  };

  test("is checked once in both families, and nothing of it is stored", async () => {
    const { target, server } = await opened();
    const protocolConfig = { host: "127.0.0.1", port: target.port };
    const passed = await server.api("POST", "/api/services/test", { ...TCP, protocolConfig });
    expect(passed.status).toBe(200);
    expect(passed.body.data).toMatchObject({ state: "up", message: "The check passed.", reason: null });
    expect(passed.body.data.phases.connect).toBeGreaterThan(0);
    await target.refuse();
    const failed = await server.api("POST", "/v2/services/test", {
      ...TCP,
      protocol_config: protocolConfig,
    });
    expect(failed.body.data).toMatchObject({ state: "down", reason_code: "refused" });
    expect((await server.api("GET", "/api/services")).body.data).toEqual([]);
  });

  test("409: is refused where there is nothing to check", async () => {
    const { server } = await opened();
    const job = { name: "Job", protocol: "heartbeat", protocolConfig: {} };
    expect((await server.api("POST", "/api/services/test", job)).status).toBe(409);
  });

  test("422: names every field that is wrong, without a check", async () => {
    const { server } = await opened();
    const wrong = { ...TCP, protocolConfig: { host: "127.0.0.1", port: 0 }, timeout: 90 };
    const { status: code, body } = await server.api("POST", "/api/services/test", wrong);
    expect([code, Object.keys(body.errors).toSorted()]).toEqual([422, ["protocolConfig.port", "timeout"]]);
  });
});

eachEngine("a change that is tried before it is saved", (engine) => {
  const bearer = { authType: "bearer", authConfig: { token: "s3cret" } };

  test("is checked with the credentials that are stored, and changes nothing", async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    const server = await serve({ engine });
    const { id, uuid } = await makeDomain(server, { url: `${target.url}old`, ...bearer });
    const change = { url: `${target.url}new`, name: "Renamed" };
    const answer = await server.api("POST", `/api/domains/${id}/test`, change);
    expect([answer.status, answer.body.data.state]).toEqual([200, "up"]);
    const seen = target.requests.map(({ path, headers }) => [path, headers["authorization"]]);
    expect(seen).toEqual([["/new", "Bearer s3cret"]]);
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
    expect((await server.api("POST", `/v2/domains/${uuid}/test`, {})).status).toBe(200);
    expect(target.requests.at(-1)?.path).toBe("/old");
    const { data } = (await server.api("GET", `/api/domains/${id}`)).body;
    expect([data.name, data.url]).not.toContain("Renamed");
    expect(data.url).toBe(`${target.url}old`);
  });

  test("422: sends stored credentials nowhere else, as saving it would not", async () => {
    const thief = await startHttpTarget();
    onTestFinished(() => thief.close());
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { url: "https://shop.test", ...bearer });
    const moved = await server.api("POST", `/api/domains/${id}/test`, { url: thief.url });
    expect([moved.status, Object.keys(moved.body.errors)]).toEqual([422, ["authConfig"]]);
    const protocolConfig = { host: "db.test", database: "shop", user: "watcher" };
    const password = "open-sesame";
    const db = await makeService(server, {
      protocol: "postgres",
      protocolConfig: { ...protocolConfig, password },
    });
    const stolen = { protocolConfig: { ...protocolConfig, host: "127.0.0.1", port: thief.port } };
    const tried = await server.api("POST", `/api/services/${db.id}/test`, stolen);
    expect([tried.status, Object.keys(tried.body.errors)]).toEqual([422, ["protocolConfig.password"]]);
    expect(thief.connections()).toBe(0);
  });
});
