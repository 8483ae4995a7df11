import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedRoute } from "../../../src/platform/http/types.ts";
import { nearestName } from "../../../src/platform/operations/field-errors.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ engine: "sqlite" });
});
afterAll(() => server.close());

const at = (route: ListedRoute) => route.url.replaceAll(/:\w+/g, "1");
/** Those that a key may call. */
const v2Routes = () =>
  server.app.routeList.filter((route) => route.family === "v2" && route.by !== "session");
const errorsOf = async (method: string, path: string, body?: unknown) => {
  const answer = await server.api(method, path, body);
  return answer.status === 422 ? answer.body.errors : answer.status;
};

/** What an endpoint requests in its query besides. */
const neededAt = (url: string) => (url.endsWith("/fetch-title") ? "&url=https://shop.test" : "");

describe("a v2 endpoint", () => {
  test("of whatever kind refuses a query parameter that it does not know", async () => {
    expect(v2Routes().length).toBeGreaterThan(30);
    // A body is validated first, so those that take one need a good one: the last of these.
    for (const route of v2Routes().filter(({ schema }) => !("body" in schema))) {
      const errors = await errorsOf(route.method, `${at(route)}?xyzzy=1${neededAt(route.url)}`);
      expect([route.method, route.url, errors]).toEqual([
        ...[route.method, route.url],
        { xyzzy: ["The xyzzy parameter is not recognized."] },
      ]);
    }
    const body = { name: "Shop", url: "https://shop.test" };
    expect(await errorsOf("POST", "/v2/domains?xyzzy=1", body)).toHaveProperty("xyzzy");
  });

  test("of whatever kind refuses a field of the body that it does not know", async () => {
    const writing = v2Routes().filter((route) => "body" in route.schema);
    expect(writing.length).toBeGreaterThan(5);
    for (const route of writing) {
      const errors = await errorsOf(route.method, at(route), { xyzzy: 1 });
      expect([route.url, errors.xyzzy]).toEqual([route.url, ["The xyzzy field is not recognized."]]);
    }
  });

  test("names the parameter that was meant", async () => {
    const meant = {
      limit: "per_page",
      perPage: "per_page",
      per_pge: "per_page",
      serach: "search",
      organization_id: "organizationId",
    };
    for (const [name, known] of Object.entries(meant)) {
      expect(await errorsOf("GET", `/v2/domains?${name}=3`)).toEqual({
        [name]: [`The ${name} parameter is not recognized. Did you mean ${known}?`],
      });
    }
    expect(await errorsOf("GET", "/v2/domains?limit=")).toHaveProperty("limit");
  });

  test("names the field that was meant, in nested objects as well", async () => {
    const body = {
      name: "Shop",
      url: "https://shop.test",
      checkInterval: 60,
      auth_type: "bearer",
      auth_config: { tokn: "x", token: "y" },
      assertions: [{ type: "response_time", degradedAboveMs: 5 }],
    };
    expect(await errorsOf("POST", "/v2/domains", body)).toEqual({
      checkInterval: ["The checkInterval field is not recognized. Did you mean check_interval?"],
      "auth_config.tokn": ["The auth_config.tokn field is not recognized. Did you mean token?"],
      "assertions.0.degradedAboveMs": [
        "The assertions.0.degradedAboveMs field is not recognized. Did you mean degraded_above_ms?",
      ],
    });
    expect((await server.api("GET", "/v2/domains")).body.pagination.total).toBe(0);
  });
});

test("a legacy endpoint ignores what it does not know", async () => {
  const body = { url: "https://legacy.test", unknownField: 1, check_interval: 60 };
  expect((await server.api("POST", "/api/domains?xyzzy=1", body)).status).toBe(201);
  expect((await server.api("GET", "/api/domains?xyzzy=1&per_page=x")).status).toBe(200);
});

describe("what v2 says of fields", () => {
  test.each<[object, string, string]>([
    [
      { name: "A", url: "https://ada:secret@shop.test" },
      "url",
      'The url must not contain a user name or password. Set auth_type to "basic" and give them in auth_config, where they are stored encrypted.',
    ],
    [
      { name: "A", url: "shop.test", check_interval: 5 },
      "check_interval",
      "The check_interval field must be at least 10.",
    ],
    [
      { name: "A", url: "shop.test", check_interval: "60" },
      "check_interval",
      "The check_interval field must be a number.",
    ],
    [
      { name: "A", url: "shop.test", check_interval: 60.5 },
      "check_interval",
      "The check_interval field must be an integer.",
    ],
    [
      { name: "authType", url: "shop.test", auth_type: "bearer" },
      "auth_config.token",
      "The token is required for bearer authentication.",
    ],
  ])("is said in its own words: %j", async (body, field, sentence) => {
    expect((await errorsOf("POST", "/v2/domains", body))[field]).toEqual([sentence]);
  });

  test("is said in its own words of keys as well", async () => {
    const expires_at = "2020-01-01T00:00:00.000Z";
    const body = { name: "old", scopes: ["read:domains"], expires_at };
    expect(await errorsOf("POST", "/v2/api-keys", body)).toEqual({
      expires_at: ["The expires_at field must be in the future."],
    });
  });

  test("leaves alone what people typed", async () => {
    const body = { name: "The checkInterval", url: "https://same.test" };
    expect((await server.api("POST", "/v2/domains", body)).status).toBe(201);
    expect(await errorsOf("POST", "/v2/domains", body)).toEqual({
      name: [
        "You monitor https://same.test under the name The checkInterval already. Give this one another name.",
      ],
    });
    const elsewhere = { ...body, name: "B", locations: ["authType"], headers: { isApi: "1", IsApi: "2" } };
    expect(await errorsOf("POST", "/v2/domains", elsewhere)).toEqual({
      locations: [expect.stringMatching(/^There is no location authType\./)],
      "headers.IsApi": ["The header IsApi is given twice."],
    });
  });

  test("and the OpenAPI document says of v2's shapes, names no field of legacy's", () => {
    const schemas = Object.entries((server.app.swagger() as Document).components.schemas);
    const v2 = schemas.filter(([title]) => title.startsWith("V2"));
    expect(v2.length).toBeGreaterThan(15);
    const named = v2.flatMap(([title, schema]) =>
      (
        JSON.stringify(schema)
          .replaceAll("\\n", " ")
          .match(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g) ?? []
      )
        .filter((word) => !KEYWORDS.includes(word))
        .map((word) => `${title}: ${word}`),
    );
    expect(named).toEqual([]);
  });
});

interface Document {
  components: { schemas: object };
}

/** Words of JSON Schema and OpenAPI, and the one name of legacy's that both families know. */
const KEYWORDS = [
  ...[
    "additionalProperties",
    "patternProperties",
    "maxProperties",
    "maxLength",
    "minLength",
    "maxItems",
    "minItems",
  ],
  ...[
    "uniqueItems",
    "writeOnly",
    "propertyName",
    "oneOf",
    "anyOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "organizationId",
  ],
];

test.each<[string, string[], string | null]>([
  ["nmae", ["name", "url"], "name"],
  ["colour", ["name", "url"], null],
  ["x".repeat(100), ["name"], null],
])("%s is taken for the known name that is near", (name, known, meant) => {
  expect(nearestName(name, known)).toBe(meant);
});

describe("port 0", () => {
  test.each(["/api/domains", "/v2/domains"])("is refused in a URL by POST %s", async (path) => {
    for (const url of ["http://shop.test:0", "shop.test:0/path", "https://[2001:db8::1]:000"]) {
      expect(await errorsOf("POST", path, { name: "Zero", url })).toEqual({
        url: ["Port 0 is not allowed in a URL."],
      });
    }
    expect(await errorsOf("GET", "/api/domains/fetch-title?url=http://shop.test:0")).toHaveProperty("url");
  });
});

describe("tags have one bound", () => {
  test.each(["/api/domains", "/v2/domains"])("at POST %s", async (path) => {
    const create = (name: string, tags: string[]) =>
      errorsOf("POST", path, { name, url: "https://tags.test", tags });
    expect(
      await create(
        `${path} fits`,
        Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(50, "x")),
      ),
    ).toBe(201);
    expect(await create(`${path} long`, ["x".repeat(51)])).toEqual({
      "tags.0": ["The tags.0 field must not be greater than 50 characters."],
    });
    expect(
      await create(
        `${path} many`,
        Array.from({ length: 21 }, (_, n) => `${n}`),
      ),
    ).toEqual({
      tags: ["The tags field must not have more than 20 items."],
    });
    expect(await create(`${path} empty`, ["a", " "])).toEqual({ "tags.1": ["A tag must not be empty."] });
  });
});
