import { describe, expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../../harness/server.ts";

async function start() {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const visit = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers: { accept: "text/html,*/*;q=0.8", ...headers }, redirect: "manual" });
  return { server, visit };
}

describe("a slash at the end of an address", () => {
  test("changes nothing, in either family and by any method", async () => {
    const { server } = await start();
    for (const path of [
      "/api/domains",
      "/v2/domains",
      "/api/v2/domains",
      "/api-keys",
      "/api/auth/me",
      "/v2/events",
    ]) {
      const plain = await server.api("GET", path, undefined, { key: null });
      const slashed = await server.api("GET", `${path}/?page=1`, undefined, { key: null });
      expect([path, slashed.status, slashed.body]).toEqual([path, plain.status, plain.body]);
    }
    const list = await server.api("GET", "/v2/domains/?per_page=5");
    expect([list.status, list.body.pagination.per_page]).toEqual([200, 5]);
    const made = await server.api("POST", "/v2/domains/", { name: "a", url: "http://a.test" });
    expect(made.status).toBe(201);
    const { uuid } = made.body.data;
    expect((await server.api("GET", `/v2/domains/${uuid}/`)).body.data.uuid).toBe(uuid);
    expect((await server.api("DELETE", `/v2/domains/${uuid}/`)).status).toBe(200);
    expect((await server.api("GET", "/api/health/")).status).toBe(200);
  });

  test("more than one of them is no address of ours", async () => {
    const { server } = await start();
    expect((await server.api("GET", "/v2/domains//")).status).toBe(404);
  });
});

describe("a browser", () => {
  test("gets a page in its language at an address that is not there, programs the envelope", async () => {
    const { server, visit } = await start();
    for (const path of [
      "/api/nothing",
      "/v2/nothing",
      "/docs/nothing",
      "/agent/nothing",
      "/.well-known/nothing",
    ]) {
      const page = await visit(path, { "accept-language": "de" });
      expect([path, page.status, page.headers.get("content-type")]).toEqual([
        path,
        404,
        "text/html; charset=utf-8",
      ]);
      expect(await page.text()).toContain('<html lang="de">');
      const json = await server.api("GET", path);
      expect([path, json.status, json.body.success]).toEqual([path, 404, false]);
    }
  });

  test("and a crawler are answered at the addresses that they request by themselves", async () => {
    const { visit } = await start();
    const robots = await visit("/robots.txt", { accept: "*/*" });
    expect([robots.status, robots.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(await robots.text()).toBe("User-agent: *\nAllow: /status/\nDisallow: /\n");
  });

  test.each([
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    ["Text/HTML", true],
    ["text/*", true],
    ["text/html;q=0.5, application/json;q=0.4", true],
    ["text/html;q=0.4, application/json;q=0.5", false],
    ["application/json, text/html;q=0", false],
    ["text/html;q=0, */*", false],
    ["*/*", false],
    ["application/json", false],
    ["text/html-not", false],
    ["x-text/html", false],
    [';;,/, text/html;q=x,"', false],
    ["", false],
  ])("is who prefers HTML by the weights of its Accept header: %s", async (accept, isPage) => {
    const { visit } = await start();
    const type = isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
    for (const path of ["/api/nothing", "/status/none/nothing", "/status"]) {
      const answer = await visit(path, { accept });
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 404, type]);
    }
    // What a person sees there, they see for `/api-keys` as well; a program gets the API's answer.
    expect((await visit("/api-keys", { accept })).status).toBe(isPage ? 302 : 401);
  });
});
