import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "./factories.ts";

const BODY = { name: "Shop", url: "https://new.test" };

/** Every route of domains: method, path with `:id` for one of them, body, and the code of success. */
const LEGACY = [
  ["GET", "/api/domains", undefined, 200],
  ["POST", "/api/domains", BODY, 201],
  ["GET", "/api/domains/stats", undefined, 200],
  ["GET", "/api/domains/response-time-trends", undefined, 200],
  ["GET", "/api/domains/:id", undefined, 200],
  ["GET", "/api/domains/:id/monitoring/history", undefined, 200],
  ["GET", "/api/domains/:id/monitoring/locations", undefined, 200],
  ["GET", "/api/domains/:id/summary", undefined, 200],
  ["PUT", "/api/domains/:id", { name: "Renamed" }, 200],
  ["DELETE", "/api/domains/:id", undefined, 200],
] as const;
const V2 = [
  ["GET", "/v2/domains", undefined, 200],
  ["POST", "/v2/domains", BODY, 201],
  ["GET", "/v2/domains/stats", undefined, 200],
  ["GET", "/v2/domains/response-time-trends", undefined, 200],
  ["GET", "/v2/domains/:id", undefined, 200],
  ["GET", "/v2/domains/:id/history", undefined, 200],
  ["GET", "/v2/domains/:id/locations", undefined, 200],
  ["GET", "/v2/domains/:id/summary", undefined, 200],
  ["PUT", "/v2/domains/:id", { name: "Renamed" }, 200],
  ["DELETE", "/v2/domains/:id", undefined, 200],
] as const;
const ROUTES = [...LEGACY, ...V2];
const ONE = ROUTES.filter(([, path]) => path.includes(":id"));
const WRITES = ROUTES.filter(([method]) => method !== "GET");

eachEngine("the routes of domains", (engine) => {
  test.each([LEGACY, V2])(
    "answer with their code and the success envelope, by number and by uuid",
    async (...routes) => {
      const server = await serve({ engine });
      for (const form of ["id", "uuid"] as const) {
        const domain = await makeDomain(server, { name: form });
        for (const [method, path, body, code] of routes) {
          const own = body && { ...body, name: `${body.name} ${form}` };
          const answer = await server.api(method, path.replace(":id", String(domain[form])), own);
          expect([method, path, answer.status]).toEqual([method, path, code]);
          expect(answer.body).toMatchObject({ success: true, message: expect.any(String) });
          expect(answer.body).toHaveProperty("data");
        }
      }
    },
  );

  test("answer at /api/v2 as at /v2", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    for (const path of ["/v2/domains", `/v2/domains/${id}`, `/v2/domains/${id}/summary`]) {
      const [plain, alias] = [await server.api("GET", path), await server.api("GET", `/api${path}`)];
      expect([alias.status, alias.body]).toEqual([200, plain.body]);
    }
  });

  test("answer 401 without credentials", async () => {
    const server = await serve({ engine });
    for (const [method, path, body] of ROUTES) {
      const answer = await server.api(method, path.replace(":id", "1"), body, { key: null });
      expect([method, path, answer.status, answer.body]).toEqual([
        ...[method, path, 401],
        { success: false, message: "Unauthenticated.", fact: { code: "request.unauthenticated" } },
      ]);
    }
  });

  test("of v2 answer 403 below the expert plan, those of the legacy family do not", async () => {
    const server = await serve({ engine });
    const key = await server.createKey({ plan: "pro" });
    const { id } = await makeDomain(server, {}, key);
    for (const [method, path, body] of V2) {
      const answer = await server.api(method, path.replace(":id", String(id)), body, { key });
      expect([method, path, answer.status, answer.body]).toEqual([
        ...[method, path, 403],
        {
          success: false,
          message: "This feature requires an Expert Plan subscription.",
          fact: { code: "access.plan", params: { needs: "expert" } },
        },
      ]);
    }
    const freeKey = await server.createKey({ plan: "free" });
    const own = await makeDomain(server, {}, freeKey);
    for (const [method, path, body, code] of LEGACY) {
      const answer = await server.api(method, path.replace(":id", String(own.id)), body, { key: freeKey });
      expect([method, path, answer.status]).toEqual([method, path, code]);
    }
  });

  test("answer 403 naming the scope that is lacking", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    const foreign = await server.createKey({ scopes: ["*:devices"] });
    const reader = await server.createKey({ scopes: ["read:domains"] });
    for (const [method, path, body, code] of ROUTES) {
      const url = path.replace(":id", String(id));
      const scope = method === "GET" ? "read:domains" : "write:domains";
      const refused = await server.api(method, url, body, { key: foreign });
      expect([method, path, refused.status]).toEqual([method, path, 403]);
      expect(refused.body.message).toContain(scope);
      const read = await server.api(method, url, body, { key: reader });
      expect([method, path, read.status]).toEqual([method, path, method === "GET" ? code : 403]);
    }
  });

  test("answer 403 to a viewer's writes", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    const viewer = await server.createOrganization({ role: "viewer" });
    const key = await server.createKey({ person: viewer });
    for (const [method, path, body] of WRITES) {
      const answer = await server.api(method, path.replace(":id", String(id)), body, { key });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  });

  test("answer 404 alike to what is unknown, malformed, deleted or another organization's", async () => {
    const server = await serve({ engine });
    const deleted = await makeDomain(server, { name: "deleted" });
    await server.api("DELETE", `/api/domains/${deleted.id}`);
    const otherKey = await server.createKey({ person: await server.createOrganization() });
    const other = await makeDomain(server, {}, otherKey);
    const unknown = ["999999", "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11", "0", "x", "1e3", "9".repeat(30)];
    for (const id of [...unknown, deleted.id, deleted.uuid, other.id, other.uuid]) {
      for (const [method, path, body] of ONE) {
        const answer = await server.api(method, path.replace(":id", String(id)), body);
        expect([id, method, path, answer.status, answer.body]).toEqual([
          ...[id, method, path, 404],
          { success: false, message: "Resource not found.", fact: { code: "request.not_found" } },
        ]);
      }
    }
    const untouched = await server.api("GET", `/api/domains/${other.id}`, undefined, { key: otherKey });
    expect(untouched.body.data).toMatchObject({ name: "shop.test", enabled: true });
  });

  test("answer 422 with every bad field, in the words of the family", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    const legacy = {
      url: "ftp://a.test",
      name: " ",
      checkInterval: 5,
      timeout: 61,
      severity: "bad",
      tags: [1],
    };
    const v2 = { url: "ftp://a.test", name: " ", check_interval: 5, timeout: 61, auth_type: "x", is_api: 1 };
    const expected = [
      ["POST", "/api/domains", legacy, Object.keys(legacy)],
      ["PUT", `/api/domains/${id}`, legacy, Object.keys(legacy)],
      ["POST", "/v2/domains", v2, Object.keys(v2)],
      ["PUT", `/v2/domains/${id}`, v2, Object.keys(v2)],
    ] as const;
    for (const [method, path, body, fields] of expected) {
      const { status, body: answer } = await server.api(method, path, body);
      expect([method, path, status, answer.message]).toEqual([
        method,
        path,
        422,
        "The given data was invalid.",
      ]);
      const named = Object.keys(answer.errors).map((field) => field.split(".")[0]);
      expect([...new Set(named)].sort()).toEqual([...fields].sort());
    }
  });

  test("answer 422 to what only makes sense together, in the words of the family", async () => {
    const server = await serve({ engine });
    const auth = { authType: "bearer", checkInterval: 20, timeout: 20, locations: ["mars"] };
    const legacy = await server.api("POST", "/api/domains", { ...BODY, ...auth });
    expect(Object.keys(legacy.body.errors).sort()).toEqual(["authConfig.token", "locations", "timeout"]);
    const snake = { auth_type: "bearer", check_interval: 20, timeout: 20, locations: ["mars"] };
    const v2 = await server.api("POST", "/v2/domains", { ...BODY, ...snake });
    expect(Object.keys(v2.body.errors).sort()).toEqual(["auth_config.token", "locations", "timeout"]);
  });

  test("require what the specification requires", async () => {
    const server = await serve({ engine });
    const legacy = await server.api("POST", "/api/domains", {});
    expect([legacy.status, legacy.body.errors]).toEqual([422, { url: ["The url field is required."] }]);
    const v2 = await server.api("POST", "/v2/domains", {});
    expect([v2.status, v2.body.errors]).toEqual([
      422,
      { name: ["The name field is required."], url: ["The url field is required."] },
    ]);
    const empty = await server.api("POST", "/v2/domains", { name: "", url: "" });
    expect(Object.keys(empty.body.errors).sort()).toEqual(["name", "url"]);
  });
});
