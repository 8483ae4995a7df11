import type { InjectOptions } from "fastify";
import { afterAll, beforeAll } from "vitest";
import { createCursors } from "../../../src/app/live/cursor.ts";
import { nulProblems } from "../../../src/platform/operations/validator.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { BODY_CHARACTERS, parser, row, testCosts } from "./cost.ts";

/** Node takes no longer header, address included. */
const HEADER = 15_000;

const cursors = createCursors(Buffer.alloc(32));
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    engine: "sqlite",
    config: { trustedProxies: ["loopback"], rateLimits: false },
  });
  // The first caller has it made.
  await send({ url: "/openapi.json" });
});
afterAll(() => server.close());

const send = ({ headers, ...more }: InjectOptions) =>
  server.app.inject({
    method: "GET",
    url: "/api/domains",
    ...more,
    headers: { host: "localhost", authorization: `Bearer ${server.key}`, ...headers },
  });

const ROWS = [
  " ",
  ",",
  ";",
  "=",
  '"',
  "a",
  "a=",
  "a;",
  "a,",
  "a=b;",
  "*/*,",
  "a;q=",
  "1.",
  "::",
  "\t",
  "%",
  "\\",
  '"\\',
  "W/",
  '"a",',
  "text/html;",
  "\xe4",
  "-",
  "0",
  "1,",
  "127.0.0.1,",
  "for=",
  "http://",
];
const rows = (length: number, before = "") =>
  Object.fromEntries(ROWS.map((text) => [JSON.stringify(text), () => before + row(text, length)]));

const header = (name: string, before = "", more: InjectOptions = {}) =>
  parser(
    (value: string) => send({ ...more, headers: { ...more.headers, [name]: value } }),
    rows(HEADER, before),
  );

const json = { method: "POST", headers: { "content-type": "application/json" } } as const;
const many = (length: number, text: (index: number) => string) =>
  Array.from({ length }, (_, index) => text(index)).join();
const body = (url: string, method: "POST" | "PUT" = "POST") =>
  parser((payload: string) => send({ ...json, method, url, payload }), {
    "open arrays": () => row("[", BODY_CHARACTERS),
    "arrays within arrays": () =>
      `{"name":${row("[", BODY_CHARACTERS / 2 - 10)}${row("]", BODY_CHARACTERS / 2 - 10)}}`,
    "objects within objects": () =>
      `${row('{"name":', BODY_CHARACTERS / 2)}1${row("}", BODY_CHARACTERS / 16)}`,
    "spaces after a name like a prototype's": () => `{"__proto__"${row(" ", BODY_CHARACTERS)}`,
    "names like a prototype's": () => row('"__proto__" ', BODY_CHARACTERS),
    "unknown fields much like known ones": () =>
      `{${many(3500, (i) => `"confirmations_${"a".repeat(40)}${i}":1`)}}`,
    "unknown fields of a letter each": () => `{${many(3500, (i) => `"${row("a_", 50)}${i}":1`)}}`,
    "a long unknown field": () => `{"${row("a_", BODY_CHARACTERS - 10)}":1}`,
    "a long unknown field in capitals": () => `{"${row("A", BODY_CHARACTERS - 10)}":1}`,
    "unknown fields": () => `{${many(20_000, (i) => `"a${i}":1`)}}`,
    "U+0000 in every field": () => `{${many(14_000, (i) => `"${i}":"\\u0000"`)}}`,
    "U+0000 far down": () => `${row('{"a":', BODY_CHARACTERS / 2)}"\\u0000"${row("}", BODY_CHARACTERS / 10)}`,
    ...Object.fromEntries(
      [
        "name",
        "url",
        "email",
        "search",
        "password",
        "code",
        "domain",
        "body",
        "scopes",
        "tags",
        "headers",
        "assertions",
        "locations",
      ].flatMap((field) =>
        [" ", "a", "a.", "a-", "-", "@", "a@", "ä", "\\t", "/", "é́"].map((text) => [
          `${field} of ${JSON.stringify(text)}`,
          () => `{"${field}":"${row(text, 60_000)}!"}`,
        ]),
      ),
    ),
    "tags that are one": () => `{"url":"a.test","tags":[${many(60_000, () => '"a"')}]}`,
    "tags that are numbers": () => `{"url":"a.test","tags":[${row("1,", BODY_CHARACTERS - 100)}1]}`,
    "assertions of nothing": () => `{"url":"a.test","assertions":[${many(80_000, () => "{}")}]}`,
    "headers that may not be sent": () => `{"url":"a.test","headers":{${many(18_000, (i) => `"h ${i}":1`)}}}`,
    "unknown scopes": () => `{"name":"a","scopes":[${many(60_000, () => '"x"')}]}`,
  });

testCosts({
  "the header accept": header("accept", "", { url: "/" }),
  "the header accept-encoding": header("accept-encoding", "", { url: "/openapi.json" }),
  "the header if-none-match": header("if-none-match", "", { url: "/" }),
  "the header if-modified-since": header("if-modified-since", "", { url: "/" }),
  "the header range": header("range", "bytes=", { url: "/" }),
  "the header cookie": header("cookie", "vedette_session=", {
    headers: { authorization: undefined } as never,
  }),
  "the header authorization": header("authorization", "Bearer "),
  "the header content-type": header("content-type", "application/json;", { method: "POST", payload: "{}" }),
  "the header host": header("host", "", { url: "/metrics", headers: { authorization: undefined } as never }),
  "the header origin": header("origin", "http://", { method: "POST", url: "/api/auth/sign-in" }),
  "the header x-forwarded-for": header("x-forwarded-for"),
  "the header x-forwarded-host": header("x-forwarded-host", "", { method: "POST", url: "/api/auth/sign-in" }),
  "the header x-forwarded-proto": header("x-forwarded-proto"),
  "the header forwarded": header("forwarded"),
  "the header x-request-id": header("x-request-id"),
  "the header last-event-id": parser((id: string) => cursors.open(1, id), rows(HEADER)),
  "a query": parser((query: string) => send({ url: `/api/domains?${query}` }), {
    ...rows(HEADER),
    "&": () => row("&", HEADER),
    "a&": () => row("a&", HEADER),
    "a=&": () => row("a=&", HEADER),
    "page=1&": () => row("page=1&", HEADER),
    "%00=&": () => row("%00=&", HEADER),
    names: () => many(2500, (i) => `${i}=`).replaceAll(",", "&"),
    "a broken letter": () => `a=${row("%e4", HEADER)}`,
  }),
  "a query of v2": parser((query: string) => send({ url: `/v2/domains?${query}` }), {
    "unknown names": () =>
      many(1500, (i) => `${row("a_", 50)}${i}=`)
        .replaceAll(",", "&")
        .slice(0, HEADER),
    "a long unknown name": () => row("a_", HEADER),
    "a long unknown name in capitals": () => row("A", HEADER),
  }),
  "a search": parser(
    (search: string) => send({ url: `/api/domains?search=${encodeURIComponent(search)}` }),
    rows(255),
  ),
  "a path": parser(
    (path: string) => send({ url: `/${path.replaceAll(/[^ -~]/g, "x").replaceAll(" ", "%20")}` }),
    {
      ...rows(HEADER),
      "/": () => row("/", HEADER),
      "..": () => row("../", HEADER),
      "api/": () => row("api/", HEADER),
      assets: () => `assets/${row("%2e%2e%2f", HEADER)}`,
      docs: () => `docs/static/${row("../", HEADER)}`,
    },
  ),
  "a domain to look up": parser(
    (domain: string) => send({ url: `/check-domain?domain=${encodeURIComponent(domain)}` }),
    {
      ...rows(4000),
      labels: () => row("ä.", 1600),
    },
  ),
  "a new domain": body("/api/domains"),
  "a new domain of v2": body("/v2/domains"),
  "many domains at once": body("/v2/domains/bulk"),
  "a new key": body("/api-keys"),
  "a sign-in": body("/api/auth/sign-in"),
  "a set-up": body("/api/auth/set-up"),
  "an organization's name": body("/api/organizations"),
  "U+0000 in a query": parser(nulProblems, {
    "many names": () => Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`\u0000${i}`, "\u0000"])),
  }),
});
