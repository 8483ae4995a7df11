import { expect, onTestFinished, test } from "vitest";
import { status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { serve } from "./factories.ts";

eachEngine("a domain that is tried before it is saved", (engine) => {
  test("is checked once with what was sent, and nothing of it is kept", async () => {
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
