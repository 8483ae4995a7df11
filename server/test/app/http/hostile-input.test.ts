import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ListedRoute } from "../../../src/platform/http/types.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";

const NUL_SENTENCE = /^The .+ field must not contain the character U\+0000\.$/;
const texts = (schema: unknown): string[] =>
  Object.entries((schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {})
    .filter(([, { type }]) => type === "string")
    .map(([name]) => name);

eachEngine("the character U+0000", (engine) => {
  let server: TestServer;
  let routes: ListedRoute[];
  beforeAll(async () => {
    server = await startTestServer({ engine });
    routes = server.app.routeList.filter((route) => route.by !== "session");
  });
  afterAll(() => server.close());

  const partOf = (route: ListedRoute, part: string) => (route.schema as Record<string, unknown>)[part];

  test("in a path is nothing we have", async () => {
    for (const route of routes.filter(({ url }) => url.includes(":"))) {
      const path = route.url.replaceAll(/:\w+/g, "a%00b");
      const { status } = await server.api(route.method, path, route.method === "GET" ? undefined : {});
      expect([route.method, route.url, status]).toEqual([route.method, route.url, 404]);
    }
  });

  test("in a query is reported by its parameter's name", async () => {
    for (const route of routes) {
      for (const name of texts(partOf(route, "querystring"))) {
        const path = `${route.url.replaceAll(/:\w+/g, "1")}?${name}=a%00b`;
        const { status, body } = await server.api(route.method, path);
        expect([route.url, status, body.errors?.[name]?.[0]]).toEqual([
          route.url,
          422,
          expect.stringMatching(NUL_SENTENCE),
        ]);
      }
    }
  });

  test("in the name of a parameter or field is reported by that name, and by no other's", async () => {
    for (const [path, field] of [
      ["/api/domains?sea%00rch=a", "sea␀rch"],
      ["/v2/domains?%00=a", "␀"],
    ] as const) {
      const { status, body } = await server.api("GET", path);
      const sentence = `The field name ${field} must not contain the character U+0000.`;
      expect([status, body.errors]).toEqual([422, { [field]: [sentence] }]);
    }
    const { status, body } = await server.api("POST", "/api/domains", {
      url: "a.test",
      headers: { "X\u0000": "1" },
    });
    expect([status, Object.keys(body.errors)]).toEqual([422, ["headers.X␀"]]);
  });

  test("in a body is reported by its field's name, wherever it stands", async () => {
    // An agent's token is judged first.
    for (const route of routes.filter(({ admit }) => admit === undefined)) {
      for (const name of texts(partOf(route, "body"))) {
        const path = route.url.replaceAll(/:\w+/g, "1");
        const { status, body } = await server.api(route.method, path, { [name]: "a\u0000b" });
        expect([route.url, name, status, Object.keys(body.errors ?? {})]).toEqual([
          ...[route.url, name, 422],
          [name],
        ]);
      }
    }
    const nested = { url: "http://a.test", headers: { "X-A": "\u0000" }, tags: ["a", "\u0000"] };
    const { status, body } = await server.api("POST", "/api/domains", nested);
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual(["headers.X-A", "tags.1"]);
  });

  test("written as text about it is no such character", async () => {
    const { status, body } = await server.api("POST", "/api-keys", {
      name: "a\\u0000b",
      scopes: ["read:domains"],
    });
    expect([status, body.data.name]).toEqual([201, "a\\u0000b"]);
  });

  test("buried as deep as a body may be is named by all fields on the way", async () => {
    const deep = `{"name":${"[".repeat(63)}"\\u0000"${"]".repeat(63)}}`;
    const { status, body } = await server.api("POST", "/api/domains", deep);
    expect([status, Object.keys(body.errors)]).toEqual([422, [`name${".0".repeat(63)}`]]);
  });
});

eachEngine("a page", (engine) => {
  test("that no store could count to is refused by every list", async () => {
    const server = await startTestServer({ engine });
    onTestFinished(server.close);
    const paged = server.app.routeList.filter((route) => route.paged && route.by !== "session");
    expect(paged.length).toBeGreaterThan(8);
    for (const { url } of paged) {
      const path = `${url.replaceAll(/:\w+/g, String(server.person.organization.id))}?page=99999999999999999999`;
      const { status, body } = await server.api("GET", path);
      expect([url, status, Object.keys(body.errors ?? {})]).toEqual([url, 422, ["page"]]);
    }
  });
});

describe("a body made to cost", () => {
  async function start() {
    const server = await startTestServer({ engine: "sqlite" });
    onTestFinished(server.close);
    return server;
  }

  test.each([
    ["tags that are numbers", { tags: Array(19_000).fill(1) }],
    ["assertions without a kind", { assertions: Array(19_000).fill({}) }],
    [
      "headers that may not be sent",
      { headers: Object.fromEntries(Array.from({ length: 1_900 }, (_, i) => [`h ${i}`, 1])) },
    ],
  ])("of %s is refused with a short answer", async (_name, part) => {
    const server = await start();
    const { status, body } = await server.api("POST", "/api/domains", { url: "http://a.test", ...part });
    expect(status).toBe(422);
    expect(Object.keys(body.errors).length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(body).length).toBeLessThan(64_000);
  });

  const crowd = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, "1"]));

  test("of fields without end is refused for that, before any of them is validated", async () => {
    const server = await start();
    const path = "/v2/domains";
    const unknown = await server.api("POST", path, { name: "a", url: "http://a.test", ...crowd(1_900) });
    const sentence = "The body field must not have more than 1000 items.";
    expect([unknown.status, unknown.body.errors]).toEqual([422, { body: [sentence] }]);
    const headers = await server.api("POST", path, { name: 1, url: "http://a.test", headers: crowd(1_900) });
    expect([headers.status, headers.body.errors]).toEqual([
      422,
      { headers: ["The headers field must not have more than 50 items."] },
    ]);
    const legacy = await server.api("POST", "/api/domains", { url: "http://a.test", ...crowd(1_900) });
    expect(legacy.status).toBe(201);
  });
});

describe("an empty id", () => {
  test("in a path is unknown, not one's own organization", async () => {
    const server = await startTestServer({ engine: "sqlite" });
    onTestFinished(server.close);
    for (const path of [
      "/api/organizations//",
      "/api/organizations//members",
      "/v2/organizations//members",
    ]) {
      expect([path, (await server.api("GET", path)).status]).toEqual([path, 404]);
    }
    expect((await server.api("PUT", "/api/organizations//", { name: "Mine" })).status).toBe(404);
  });
});

test.each<[string, string, string]>([
  ["holds U+0000", "/api/domains", `{"${"x".repeat(50_000)}":{"a\\u0000":1,"b\\u0000":1,"c\\u0000":1}}`],
  ["undeclared fields", "/v2/domains", `{"${"x".repeat(50_000)}":1}`],
  ["is a header's", "/v2/domains", `{"name":"A","url":"a.test","headers":{"${"x".repeat(50_000)}":1}}`],
])("a name that %s is reported by its beginning, however long it is", async (_what, path, body) => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const answer = await server.api("POST", path, body, { headers: { "content-type": "application/json" } });
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toEqual(Object.keys(answer.body.facts));
  expect(JSON.stringify(answer.body).length).toBeLessThan(5_000);
});
