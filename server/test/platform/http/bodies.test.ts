import { brotliCompressSync, deflateSync, gzipSync, constants as zlib, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { MAX_DEPTH, MAX_KEYS, parseJson } from "../../../src/platform/operations/validator.ts";
import { startTestServer } from "../../harness/server.ts";

const ANY = 1_000_000;

/** How many values a parsed text holds, itself included. */
const valuesIn = (value: unknown): number =>
  1 +
  (typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + valuesIn(one), 0)
    : 0);

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((one) => depthOf(one)))
    : 0;

describe("a JSON body", () => {
  test("is what JSON.parse makes of it, and its values are counted exactly", () => {
    // Keys that reach a prototype and U+0000 are refused, which has tests of its own.
    const texts = fc.json({ maxDepth: 6 }).filter((text) => !/__proto__|constructor|u0000/.test(text));
    fc.assert(
      fc.property(texts, (text) => {
        const value: unknown = JSON.parse(text);
        const bytes = Buffer.from(text);
        const count = valuesIn(value);
        expect(parseJson(bytes, count)).toEqual({ value });
        expect(parseJson(bytes, count - 1)).toEqual({ refused: "too_many_values" });
      }),
    );
  });

  test("may be as deep as the limit says, and no deeper, whatever it is nested in", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: MAX_DEPTH + 3 }), (levels) => {
        const text = levels.reduce((inner, isList) => (isList ? `[${inner}]` : `{"a":${inner}}`), "1");
        const parsed = parseJson(Buffer.from(text), ANY);
        expect(parsed).toEqual(
          depthOf(JSON.parse(text)) > MAX_DEPTH ? { refused: "depth" } : { value: JSON.parse(text) },
        );
      }),
    );
  });

  test.each([
    ["brackets and commas in a text", `["[[[[,,,,{{{{\\"[,"]`, { value: ['[[[[,,,,{{{{"[,'] }],
    ["a backslash at the end of a text", `["\\\\",[]]`, { value: ["\\", []] }],
    ["closing brackets first", "]]]]", { refused: "syntax" }],
    ["a text that does not end", `{"a":"`, { refused: "syntax" }],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xe4, 0x22]), { refused: "encoding" }],
    ["nothing", "", { value: undefined }],
  ])("with %s", (_name, text, expected) => {
    expect(parseJson(Buffer.from(text), 4)).toEqual(expected);
  });

  test.each([
    [`{"__proto__":{}}`, "body", "__proto__"],
    [`{"a":[{"\\u005f_proto__":1}]}`, "a.0", "__proto__"],
    [`{"a":{"constructor":{"prototype":{}}}}`, "a", "constructor"],
  ])("%s is refused by the field that holds such a name", (text, field, name) => {
    const problem = { code: "input.reserved_name", params: { field, name } };
    expect(parseJson(Buffer.from(text), ANY)).toMatchObject({
      refused: "invalid_fields",
      fields: { [field]: [problem] },
    });
  });

  test("may have names that only resemble those", () => {
    const text = `{"a":"__proto__","constructor":1,"prototype":{"a":1}}`;
    expect(parseJson(Buffer.from(text), ANY)).toEqual({ value: JSON.parse(text) });
  });

  test("may have as many fields in each object as the limit says, and no more, however deep it is", () => {
    const object = (length: number) => `{${Array.from({ length }, (_, at) => `"a${at}":[1,{}]`).join()}}`;
    const within = (inner: string) => `[{"a":1,"b":[${inner},${inner}]}]`;
    const fits = within(object(MAX_KEYS));
    expect(parseJson(Buffer.from(fits), ANY)).toEqual({ value: JSON.parse(fits) });
    expect(parseJson(Buffer.from(within(object(MAX_KEYS + 1))), ANY)).toEqual({ refused: "too_many_fields" });
    const list = `[${"{},".repeat(2 * MAX_KEYS)}1]`;
    expect(parseJson(Buffer.from(list), ANY)).toEqual({ value: JSON.parse(list) });
  });
});

describe("a body at a route", () => {
  async function start() {
    const server = await startTestServer({ engine: "sqlite" });
    onTestFinished(server.close);
    const send = async (
      body: Buffer | string,
      headers: Record<string, string> = {},
      path = "/api/auth/sign-in",
    ) => {
      const response = await fetch(`${server.url}${path}`, {
        method: "POST",
        body: body as NonNullable<RequestInit["body"]>,
        headers: { "content-type": "application/json", authorization: `Bearer ${server.key}`, ...headers },
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    return { server, send };
  }

  test("that is too deep or has too many values is refused by that name, also within a compressed one", async () => {
    const { send } = await start();
    const deep = "[".repeat(125_000);
    const deepAnswer = {
      status: 400,
      body: { message: "The body is nested too deeply: at most 64 levels.", fact: { code: "request.deep" } },
    };
    expect(await send(deep)).toMatchObject(deepAnswer);
    expect(await send(gzipSync(deep), { "content-encoding": "gzip" })).toMatchObject(deepAnswer);
    const many = `[${"1,".repeat(20_000)}1]`;
    expect(await send(many)).toMatchObject({
      status: 413,
      body: { message: "The body has too many values: at most 20000.", fact: { code: "request.values" } },
    });
  });

  test("at /mcp is read within the same limits, and refused in JSON-RPC's words", async () => {
    const { send } = await start();
    const { status, body } = await send(
      gzipSync("[".repeat(125_000)),
      { "content-encoding": "gzip" },
      "/mcp",
    );
    expect([status, body]).toMatchObject([400, { jsonrpc: "2.0", error: { code: -32_600 } }]);
  });

  test("is unpacked by any coding, which may be written in capitals", async () => {
    const { send } = await start();
    const text = JSON.stringify({ email: "ada@example.com" });
    for (const [coding, body] of [
      ["gzip", gzipSync(text)],
      ["X-GZip", gzipSync(text)],
      ["deflate", deflateSync(text)],
      ["br", brotliCompressSync(text)],
      ["ZSTD", zstdCompressSync(text)],
      ["identity", Buffer.from(text)],
    ] as const) {
      const { status, body: answer } = await send(body, { "content-encoding": coding });
      expect([coding, status, Object.keys(answer["errors"] as object)]).toEqual([coding, 422, ["password"]]);
    }
    expect(await send(text, { "content-encoding": "compress" })).toMatchObject({
      status: 415,
      body: { fact: { code: "request.content_coding" } },
    });
    expect(await send(text, { "content-encoding": "gzip, br" })).toMatchObject({ status: 415 });
  });

  test("grants no zstd frame more than 8 MB of memory", async () => {
    const { send } = await start();
    const wide = { [zlib.ZSTD_c_windowLog]: 27, [zlib.ZSTD_c_contentSizeFlag]: 0 };
    const body = zstdCompressSync(Buffer.alloc(20_000_000, "a"), { params: wide });
    expect(await send(body, { "content-encoding": "zstd" })).toMatchObject({
      status: 400,
      body: { fact: { code: "request.packed" } },
    });
  });

  test("is looked through for 100 problems and no more, wherever its lists and names are", async () => {
    const { server, send } = await start();
    const wide = Object.fromEntries(Array.from({ length: 1_900 }, (_, at) => [`x${at}`, 1]));
    const rows = Array.from({ length: 2_000 }, () => ({ type: "none" }));
    for (const [path, body] of [
      ["/v2/domains", { name: "a", url: "http://a.test", auth: { type: "basic", ...wide } }],
      ["/v2/services", { name: "a", protocol: "http", protocol_config: { ...wide, assertions: rows } }],
    ] as const) {
      const answer = await send(JSON.stringify(body), {}, path);
      const { length } = Object.keys(answer.body["errors"] as object);
      expect([path, answer.status, length > 0 && length <= 100]).toEqual([path, 422, true]);
    }
    expect(server.app.faults.count()).toBe(0);
  });
});
