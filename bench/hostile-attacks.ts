/** What an anonymous client, or one tenant, may try to make everybody wait. Each is bounded (hostile-clients.ts). */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import {
  type Aim,
  type Attack,
  files,
  knock,
  reports,
  type Sent,
  SITE_PATHS,
  sendMany,
  shout,
  slowBodies,
  slowHeaders,
  slowReaders,
} from "./hostile-clients.ts";

const NOISE = Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7919 + (n >> 3)) % 256));
const row = (text: string, times: number) => text.repeat(times);

/** Bodies that cost more than they weigh. */
const SHAPES: Readonly<Record<string, () => string>> = {
  "nested arrays": () => row("[", 125_000) + row("]", 125_000),
  "nested objects": () => `${row('{"a":', 40_000)}1${row("}", 40_000)}`,
  "an open nest": () => row("[", 250_000),
  "many unknown fields": () => `{${Array.from({ length: 20_000 }, (_, n) => `"f${n}":1`).join()}}`,
  "one name many times": () => `{${row('"email":"a",', 20_000)}"email":1}`,
  "many empty objects": () => `{"items":[${row("{},", 80_000)}{}]}`,
  "many numbers": () => `{"ids":[${row("1,", 120_000)}1]}`,
  "a long text": () => JSON.stringify({ email: row("a@", 120_000), url: row("%25", 500) }),
  "a long number": () => `{"limit":${row("9", 200_000)}}`,
  escapes: () => `{"name":"${row("\\u0000", 40_000)}"}`,
};

const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  identity: (text) => Buffer.from(text),
  gzip: (text) => gzipSync(text),
  deflate: (text) => deflateSync(text),
  br: (text) => brotliCompressSync(text),
  zstd: (text) => zstdCompressSync(text),
};

/** One address of each family, with and without a key. */
const ADDRESSES: readonly (Sent & { by: Attack["by"] })[] = [
  { path: "/api/auth/sign-in", by: "anonymous" },
  { path: "/api/agent/report", by: "anonymous" },
  { path: "/api/agent/enroll", by: "anonymous" },
  { path: "/mcp", by: "anonymous" },
  { path: "/api/heartbeats/1/x", by: "anonymous" },
  { path: "/api/domains", isKnown: true, by: "tenant" },
  { path: "/v2/services", isKnown: true, by: "tenant" },
  { path: "/api/imports", isKnown: true, by: "tenant" },
  { path: "/api/chat/answers", isKnown: true, by: "tenant" },
];

/** Each shape at each address; the encodings take turns. */
const bodies: Attack[] = ADDRESSES.flatMap(({ by, ...address }, at) =>
  Object.entries(SHAPES).map(([name, make], shape): Attack => {
    const encodings = Object.entries(ENCODINGS);
    const [encoding, encode] = encodings[(at + shape) % encodings.length] as (typeof encodings)[number];
    const headers: Sent["headers"] = encoding === "identity" ? {} : { "content-encoding": encoding };
    return {
      ...{ name: `${name}, ${encoding}, to ${address.path}`, by },
      run: (aim) => {
        const body = encode(make());
        return sendMany(aim, 5, () => ({ ...address, body, headers }));
      },
    };
  }),
);

const broken: Attack[] = ADDRESSES.slice(0, 4).flatMap(({ by, ...address }) => [
  {
    ...{ name: `noise that calls itself gzip, to ${address.path}`, by },
    run: (aim) =>
      sendMany(aim, 20, () => ({ ...address, body: NOISE, headers: { "content-encoding": "gzip" } })),
  },
  {
    ...{ name: `gzip that grows to 200 MB, to ${address.path}`, by },
    run: (aim: Aim) => {
      const body = gzipSync(Buffer.alloc(200_000_000), { level: 1 }).subarray(0, 200_000);
      return sendMany(aim, 5, () => ({ ...address, body, headers: { "content-encoding": "gzip" } }));
    },
  },
]);

const RULES = [
  "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=99",
  "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
  "FREQ=DAILY;INTERVAL=999;BYMONTHDAY=31;BYMONTH=2",
  "FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1;BYHOUR=1,2,3,4,5,6,7,8,9",
  "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;COUNT=1000",
];
const json = (value: object) => JSON.stringify(value);
const known = (path: string, body?: object): Sent => ({
  ...{ path, isKnown: true },
  ...(body ? { body: json(body) } : { method: "GET" }),
});

const rules: Attack[] = [
  ...RULES.map(
    (recurrence): Attack => ({
      ...{ name: `the preview of ${recurrence.slice(0, 60)}`, by: "tenant" },
      run: (aim) => sendMany(aim, 20, () => known("/api/maintenance/preview", { duration: 60, recurrence })),
    }),
  ),
  {
    ...{ name: "sixty windows of leap days, listed and as a calendar", by: "tenant" },
    async run(aim) {
      const recurrence = RULES[1];
      await sendMany(aim, 60, () =>
        known("/api/maintenance", { duration: 60, everything: true, recurrence }),
      );
      await sendMany(aim, 3, () => known("/api/maintenance"));
      await sendMany(aim, 3, () =>
        known("/api/maintenance?from=2027-01-01T00:00:00Z&to=2027-12-31T00:00:00Z"),
      );
    },
  },
  {
    ...{ name: "a calendar of windows by the hour", by: "tenant" },
    async run(aim) {
      const recurrence = RULES[4]?.replace(";COUNT=1000", "");
      await sendMany(aim, 60, () =>
        known("/api/maintenance", { duration: 60, everything: true, recurrence }),
      );
      await sendMany(aim, 3, () =>
        known("/api/maintenance?from=2027-01-01T00:00:00Z&to=2027-12-31T00:00:00Z"),
      );
    },
  },
];

const message = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const batch = (method: string, params?: object) =>
  json(Array.from({ length: 20 }, (_, n) => message(n, method, params)));
const tool = (name: string, given: object = {}) => batch("tools/call", { name, arguments: given });

const mcp: Attack[] = [
  {
    ...{ name: "MCP: twenty lists of tools in a batch", by: "anonymous" as const },
    body: batch("tools/list"),
    times: 6,
  },
  {
    ...{ name: "MCP: fifty lists of tools", by: "anonymous" as const },
    body: json(message(1, "tools/list")),
    times: 50,
  },
  {
    ...{ name: "MCP: twenty prompts and templates", by: "anonymous" as const },
    body: batch("prompts/list"),
    times: 6,
  },
  {
    ...{ name: "MCP: twenty explanations", by: "tenant" as const },
    body: tool("explain_incident", { id: 1 }),
    times: 1,
  },
  {
    ...{ name: "MCP: twenty lists of domains", by: "tenant" as const },
    body: tool("list_domains"),
    times: 1,
  },
  {
    ...{ name: "MCP: twenty dashboards", by: "tenant" as const },
    body: tool("get_dashboard_stats"),
    times: 1,
  },
  {
    ...{ name: "MCP: twenty searches", by: "tenant" as const },
    body: tool("search", { query: "o" }),
    times: 1,
  },
  {
    ...{ name: "MCP: twenty lists of resources", by: "tenant" as const },
    body: batch("resources/list"),
    times: 1,
  },
].map(({ name, by, body, times }) => ({
  ...{ name, by },
  run: (aim: Aim) => sendMany(aim, times, () => ({ path: "/mcp", body, isKnown: by === "tenant" })),
}));

const protocol: Attack[] = [
  {
    name: "300 slow readers of the API document",
    by: "anonymous",
    run: (aim) => slowReaders(aim, 300, "/openapi.json"),
  },
  {
    name: "300 slow readers of it, not compressed",
    by: "anonymous",
    run: (aim) => slowReaders(aim, 300, "/openapi.json", "identity"),
  },
  { name: "the API document as YAML", by: "anonymous", run: (aim) => slowReaders(aim, 50, "/docs/yaml") },
  {
    name: "200 slow readers of the API browser's script",
    by: "anonymous",
    run: (aim) => slowReaders(aim, 200, "/docs/static/swagger-ui-bundle.js"),
  },
  { name: "100 slow readers of metrics", by: "tenant", run: (aim) => slowReaders(aim, 100, "/metrics") },
  {
    name: "100 slow readers of a long list",
    by: "tenant",
    run: (aim) => slowReaders(aim, 100, "/api/domains?limit=1000"),
  },
  {
    name: "100 live streams without a reader",
    by: "tenant",
    run: (aim) => slowReaders(aim, 100, "/api/events"),
  },
  { name: "400 slow header senders", by: "anonymous", run: (aim) => slowHeaders(aim, 400) },
  { name: "200 slow body senders", by: "anonymous", run: (aim) => slowBodies(aim, 200, "/api/auth/sign-in") },
  { name: "400 connections that say nothing", by: "anonymous", run: (aim) => shout(aim, 400, "") },
  { name: "400 connections that leave at once", by: "anonymous", run: (aim) => knock(aim, 400) },
  {
    name: "50 connections of 200 requests each without waiting",
    by: "anonymous",
    run: (aim) => shout(aim, 50, row("GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", 200)),
  },
  {
    name: "199 connections of 20 requests each for unknown pages without waiting",
    by: "anonymous",
    run: (aim) => shout(aim, 199, row("GET /no-such-page HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", 20)),
  },
  {
    name: "100 headers of many lines",
    by: "anonymous",
    run: (aim) => shout(aim, 100, `GET / HTTP/1.1\r\n${row("a: b\r\n", 1_900)}host: x\r\n\r\n`),
  },
  {
    name: "100 headers of one long line",
    by: "anonymous",
    run: (aim) => shout(aim, 100, `GET /${row("a", 15_000)} HTTP/1.1\r\nhost: x\r\n\r\n`),
  },
  {
    name: "100 lines that are no HTTP",
    by: "anonymous",
    run: (aim) => shout(aim, 100, NOISE.subarray(0, 20_000)),
  },
  {
    name: "a body of many chunks of a byte",
    by: "anonymous",
    run: (aim) =>
      shout(
        aim,
        20,
        `POST /api/auth/sign-in HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${row("1\r\n[\r\n", 20_000)}`,
      ),
  },
];

const assertions = [{ type: "json", path: "$.a.b[3]", operator: "eq", value: 1 }];
const sites: Attack[] = SITE_PATHS.map((path) => ({
  ...{ name: `a monitored page: ${path}`, by: "tenant" },
  run: (aim) => {
    const url = `http://127.0.0.1:${aim.sitePort}${path}`;
    return sendMany(aim, 4, () =>
      known("/api/domains/test", { url, isApi: !path.startsWith("/round"), assertions }),
    );
  },
}));

const QUERIES: readonly string[] = [
  `/api/domains?search=${row("%25", 400)}`,
  `/api/domains?search=${row("a_%25", 150)}&limit=1000`,
  `/api/search?query=${row("a%20", 50)}`,
  `/api/domains?${row("tags=a&", 900)}`,
  `/v2/incidents?${row("status=open&", 500)}`,
  `/api/domains/response-time-trends?range=30d`,
  `/api/domains/1/monitoring/history?range=30d&limit=1000`,
  `/api/dashboard/recent-activity?limit=1000`,
];
const queries: Attack[] = QUERIES.map((path) => ({
  ...{ name: `thirty at once: ${path.slice(0, 50)}`, by: "tenant" },
  run: (aim) => sendMany(aim, 30, () => known(path)),
}));

const FIELDS: Readonly<Record<string, object>> = {
  "a long address": { url: `https://${row("a.", 1_000)}test` },
  "an address of percent signs": { url: `https://a.test/${row("%", 2_000)}` },
  "status codes without an end": {
    url: "https://a.test",
    assertions: [{ type: "status", codes: row("200,", 50) }],
  },
  "a path without an end": {
    url: "https://a.test",
    assertions: [{ type: "json", path: `$${row(".a", 240)}!`, operator: "exists" }],
  },
  "many headers": {
    url: "https://a.test",
    headers: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`x${n}`, "y"])),
  },
};
const fields: Attack[] = Object.entries(FIELDS).map(([name, body]) => ({
  ...{ name: `a domain with ${name}`, by: "tenant" },
  run: (aim) => sendMany(aim, 30, () => known("/api/domains/test", body)),
}));

const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${row('<g id="a"><use href="#a"/></g>', 3_000)}</svg>`;
const MARKDOWN = [
  row("*a**", 2_500),
  row("[", 5_000),
  row("> ", 5_000),
  row("`", 9_000),
  row("<a ", 3_000),
  row("![a](", 2_000),
];
const others: Attack[] = [
  {
    name: "500 unknown heartbeats",
    by: "anonymous",
    run: (aim) => sendMany(aim, 500, () => ({ path: "/api/heartbeats/1/x" })),
  },
  {
    name: "100 heartbeats with long messages",
    by: "anonymous",
    run: (aim) => sendMany(aim, 100, () => ({ path: "/api/heartbeats/1/x", body: row("a", 90_000) })),
  },
  {
    name: "200 sign-ins with wrong passwords",
    by: "anonymous",
    run: (aim) =>
      sendMany(aim, 200, (n) => ({
        path: "/api/auth/sign-in",
        body: json({ email: `a${n}@a.test`, password: row("x", 100) }),
      })),
  },
  {
    name: "200 wrong keys",
    by: "anonymous",
    run: (aim) =>
      sendMany(aim, 200, (n) => ({
        method: "GET",
        path: "/api/domains",
        headers: { authorization: `Bearer vdt_${n}` },
      })),
  },
  {
    name: "200 unknown status pages",
    by: "anonymous",
    run: (aim) => sendMany(aim, 200, (n) => ({ method: "GET", path: `/status/nothing-${n}` })),
  },
  {
    name: "200 domains checked without a key",
    by: "anonymous",
    run: (aim) =>
      sendMany(aim, 200, (n) => ({ method: "GET", path: `/check-domain?domain=${row("a-", 30)}${n}` })),
  },
  {
    name: "a picture of nested uses as a logo",
    by: "tenant",
    run: (aim) =>
      sendMany(aim, 5, () => ({
        method: "PUT",
        path: "/api/status-pages/1/logo",
        isKnown: true,
        body: SVG,
        headers: { "content-type": "image/svg+xml" },
      })),
  },
  ...MARKDOWN.map(
    (text): Attack => ({
      ...{ name: `an update of Markdown: ${text.slice(0, 12)}`, by: "tenant" },
      run: (aim) =>
        sendMany(aim, 5, () => known("/api/incidents", { title: "x", message: text, severity: "low" })),
    }),
  ),
];

export const ATTACKS: readonly Attack[] = [
  ...bodies,
  ...broken,
  ...rules,
  ...mcp,
  ...protocol,
  ...sites,
  ...files,
  ...reports,
  ...queries,
  ...fields,
  ...others,
];
