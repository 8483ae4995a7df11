import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_METRICS } from "../../../src/monitors/schemas/agent-report.ts";
import { BODY_LIMIT_BYTES } from "../../../src/platform/http/errors.ts";
import { MAX_KEYS, MAX_VALUES } from "../../../src/platform/operations/validator.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";

interface Size {
  values: number;
  /** Of the widest object. */
  fields: number;
}

/** How much a value holds. */
function sizeOf(value: unknown): Size {
  if (typeof value !== "object" || value === null) return { values: 1, fields: 0 };
  const inner = Object.values(value).map(sizeOf);
  return {
    values: inner.reduce((sum, { values }) => sum + values, 1),
    fields: Math.max(Array.isArray(value) ? 0 : inner.length, 0, ...inner.map(({ fields }) => fields)),
  };
}

const NOTHING: Size = { values: 0, fields: 0 };
/** More than is parsed at once. */
const PADDING = " ".repeat(40_000);

let server: TestServer;
/** How much of the latest body reached the main thread. */
let reached = NOTHING;

beforeAll(async () => {
  server = await startTestServer({
    engine: "sqlite",
    routes: (app) => void app.addHook("preValidation", async ({ body }) => void (reached = sizeOf(body))),
  });
});
afterAll(() => server.close());

async function send(method: string, path: string, payload: string, token = server.key) {
  reached = NOTHING;
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}`, host: "localhost" };
  const answer = await server.app.inject({ method: method as "POST", url: path, headers, payload });
  const { request_id: _, ...body } = answer.json() as Record<string, unknown>;
  return { status: answer.statusCode, body, reached };
}

const many = (length: number, text: (at: number) => string) =>
  Array.from({ length: Math.floor(length) }, (_, at) => text(at)).join();
const wide = (fields: number) => `{${many(fields, (at) => `"f${at}":1`)}}`;

/** Bodies of which each part is small, and that are as large as the route takes. */
const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  "one wide object": (bytes) => wide(bytes / 12),
  "wide objects": (bytes) => `[${many(bytes / wide(MAX_KEYS).length - 1, () => wide(MAX_KEYS))}]`,
  "empty objects": (bytes) => `[${many(bytes / 4, () => "{}")}]`,
  "empty objects far down": (bytes) =>
    `${'{"a":['.repeat(25)}${many(bytes / 4, () => "{}")}${"]}".repeat(25)}`,
  "lists in lists": (bytes) => `[${many(bytes / 12, () => "[[[[]]]]")}]`,
};

const bodyOf = (schema: object) => (schema as { body?: { properties?: Record<string, unknown> } }).body;
const routesWithBodies = () =>
  server.app.routeList.filter(({ alias, method, schema }) => !alias && method !== "GET" && bodyOf(schema));

test("whatever a body holds, a bounded number of values reaches the main thread, and none where it is invalid", async () => {
  expect(routesWithBodies().length).toBeGreaterThan(80);
  const wrong: unknown[] = [];
  for (const { method, url, schema, bodyLimitBytes = BODY_LIMIT_BYTES } of routesWithBodies()) {
    const [field = "a"] = Object.keys(bodyOf(schema)?.properties ?? {});
    for (const [shape, make] of Object.entries(SHAPES)) {
      const body = `{"${field}":${make(Math.min(bodyLimitBytes, 600_000) - 1_000)}}`;
      const { status, reached } = await send(method, url.replaceAll(/:\w+/g, "999999"), body);
      const isBounded = reached.values <= MAX_VALUES && reached.fields <= MAX_KEYS;
      if (status >= 500 || !isBounded || (status === 422 && reached.values > 1))
        wrong.push({ method, url, shape, status, ...reached });
    }
  }
  expect(wrong).toEqual([]);
}, 240_000);

const identity = { version: "1.0.0", instance: randomUUID(), machineId: "m", bootId: "b", run: randomUUID() };
const reports = (parts: string[]) =>
  `{"agent":${JSON.stringify(identity)},"sentAt":${Date.now()},"dropped":0,"reports":[${parts
    .map((part, at) => `{"sequence":${at + 1},"at":${Date.now()},${part}}`)
    .join()}]}`;
const metrics = (length: number) => `"metrics":{${many(length, (at) => `"cpu.core${at}":1`)}}`;
const rows = (length: number, row: string) =>
  `"applications":{"total":1,"items":[${many(length, () => row)}]}`;

test.each([
  ["as many metrics as one object may have fields", 422, [metrics(MAX_KEYS)], 1],
  ["more metrics than that", 413, [metrics(50_000)], 0],
  [
    "unknown metrics, in each report",
    422,
    Array.from({ length: 100 }, () => `"metrics":${wide(MAX_METRICS)}`),
    1,
  ],
  ["reports of nothing but empty rows", 422, Array.from({ length: 100 }, () => rows(1_900, "{}")), 1],
  ["rows with a list in each field", 422, [rows(10_000, `{"name":[[],[]],"version":[{},{}]}`)], 1],
])(
  "a report of %s is answered with %d and stays beside the main thread",
  async (_name, status, parts, values) => {
    const { token } = (await server.api("POST", "/api/devices", { name: randomUUID() })).body.data;
    const answer = await send("POST", "/api/agent/report", reports(parts), token);
    expect([answer.status, answer.reached.values]).toEqual([status, values]);
  },
);

/** The same body as short and as long as that it is validated beside the main thread. */
test.each([
  ["POST", "/api/domains", { url: 5, tags: "a", headers: { a: 1 }, nothing: true }],
  ["POST", "/api/domains", {}],
  ["POST", "/v2/domains", { name: "", url: "no address", auth: { type: "none of them" }, tagz: [] }],
  [
    "POST",
    "/v2/services",
    { name: "a", protocol: "http", protocol_config: { assertions: [{ type: "x" }], prot: 1 } },
  ],
  ["POST", "/api/services", { name: "a", protocol: ["http"], protocolConfig: null }],
  ["POST", "/api/maintenance", { everything: 1, startAt: "tomorrow", recurrence: "FREQ=NEVER" }],
  ["POST", "/api/auth/sign-in", { email: "nobody", password: "" }],
  ["POST", "/v2/domains/bulk", { action: "explode", ids: [{}, {}] }],
  ["POST", "/api/domains", { name: "a\u0000b" }],
])("%s %s says the same of a long body with %j as of a short one", async (method, path, body) => {
  const text = JSON.stringify(body);
  const short = await send(method, path, text);
  const long = await send(method, path, text + PADDING);
  expect(short.status).toBe(422);
  expect({ ...long, reached: null }).toEqual({ ...short, reached: null });
});

test("a long body that is valid is taken as a short one is, with its defaults", async () => {
  const made = await Promise.all(
    ["", PADDING].map((padding, at) =>
      send("POST", "/api/domains", `{"name":"Site","url":"https://${at}.vedette.test/"}${padding}`),
    ),
  );
  const [short, long] = made.map(({ status, body: { data } }) => {
    const { id: _, uuid: __, url: ___, ...more } = data as Record<string, unknown>;
    const timeless = Object.entries(more).filter(([name]) => !/(?:At|Since)$/.test(name));
    return { status, fields: Object.fromEntries(timeless) };
  });
  expect(short).toMatchObject({ status: 201, fields: { method: "GET", checkInterval: 60 } });
  expect(long).toEqual(short);
});

test("each route's schema is the same after its way into the thread", () => {
  for (const { schema } of routesWithBodies()) {
    const body = bodyOf(schema);
    expect(JSON.parse(JSON.stringify(body))).toEqual(body);
  }
});
