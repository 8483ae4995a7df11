import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../harness/server.ts";

/** What every object answers to without having it. */
const NAMES = [
  ...["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "toLocaleString"],
  ...["propertyIsEnumerable", "__defineGetter__", "__lookupSetter__", "__proto__"],
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ engine: "sqlite" });
});
afterAll(async () => {
  expect(server.problems).toEqual([]);
  await server.close();
});

const failure = { success: false, message: "The given data was invalid.", fact: { code: "input.invalid" } };

describe.each(NAMES)("the name %s", (name) => {
  test("of a parameter is unknown like any other, in every v2 endpoint that has no body", async () => {
    const errors = Object.fromEntries([[name, [`The ${name} parameter is not recognized.`]]]);
    const facts = Object.fromEntries([[name, [{ code: "input.parameter", params: { field: name } }]]]);
    const routes = server.app.routeList.filter(
      ({ family, by, schema }) => family === "v2" && by !== "session" && !("body" in schema),
    );
    for (const { method, url } of routes) {
      const needed = url.endsWith("/fetch-title") ? "&url=https://shop.test" : "";
      const path = `${url.replaceAll(/:\w+/g, "1")}?${name}=1${needed}`;
      const { status, body } = await server.api(method, path);
      expect([url, status, body]).toEqual([url, 422, { ...failure, errors, facts }]);
    }
    expect((await server.api("GET", `/api/domains?${name}=1`)).status).toBe(200);
  });

  test("of a header to send is one like any other", async () => {
    for (const path of ["/api/domains", "/v2/domains"]) {
      const headers = `{"${name}":"1"}`;
      const { status, body } = await server.api(
        "POST",
        path,
        `{"name":"${path} ${name}","url":"https://shop.test","headers":${headers}}`,
        { headers: { "content-type": "application/json" } },
      );
      if (name === "__proto__") expect([status, body.success]).toEqual([422, false]);
      else expect([status, Object.keys(body.data?.headers ?? {})]).toEqual([201, [name]]);
    }
  });

  test("as a value is refused or found nowhere", async () => {
    for (const path of [
      "/api/domains?sort=",
      "/v2/domains?sort=",
      "/v2/domains?status=",
      "/api/domains?organization=",
    ]) {
      const { status, body } = await server.api("GET", path + name);
      expect([path, body.success ?? false, status < 500]).toEqual([path, status === 200, true]);
    }
    for (const field of ["authType", "method", "severity", "locations", "tags"]) {
      const { status } = await server.api("POST", "/api/domains", {
        url: "https://shop.test",
        [field]: name,
      });
      expect([field, status]).toEqual([field, 422]);
    }
    expect((await server.api("GET", `/api/domains/${name}`)).status).toBe(404);
    expect((await server.api(name, "/api/domains")).status).toBeLessThan(500);
  });
});

// `__proto__` is refused as JSON already, as the header above.
describe.each(NAMES.filter((name) => name !== "__proto__"))("the name %s", (name) => {
  test("of a field is unknown like any other, at any depth", async () => {
    const body = {
      name: "Shop",
      url: "https://shop.test",
      [name]: 1,
      auth_type: "bearer",
      auth_config: { token: "y", [name]: 1 },
      assertions: [{ type: "response_time", max_ms: 5, [name]: 1 }],
    };
    const answer = await server.api("POST", "/v2/domains", body);
    expect(answer.status).toBe(422);
    const fields = [name, `auth_config.${name}`, `assertions.0.${name}`];
    expect(Object.keys(answer.body.errors)).toEqual(expect.arrayContaining(fields));
    for (const path of ["/v2/domains/bulk", "/v2/api-keys", "/v2/organizations"]) {
      const { status, body: reported } = await server.api("POST", path, { [name]: 1 });
      expect([path, status, Object.keys(reported.errors ?? {})]).toEqual([
        path,
        422,
        expect.arrayContaining([name]),
      ]);
    }
  });
});
