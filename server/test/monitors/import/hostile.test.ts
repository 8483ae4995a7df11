import { describe, expect, onTestFinished, test } from "vitest";
import { FORMAT_NAMES } from "../../../src/monitors/import/file-entry.ts";
import { FileReader } from "../../../src/monitors/import/file-reader.ts";
import { serve } from "../domains/factories.ts";
import { problemOf, read } from "./read.ts";

const laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
  .concat(
    Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(", ")}]`,
    ),
  )
  .join("\n");

const merges = [
  `a: &a {${Array.from({ length: 5_000 }, (_, at) => `k${at}: 1`).join(", ")}}`,
  "b:",
  ...Array<string>(9_000).fill("  <<: *a"),
].join("\n");

describe("a hostile file", () => {
  test("that keeps the thread is refused, and the file after it is read", async () => {
    const reader = new FileReader(new URL("./stuck-thread.ts", import.meta.url), 4_000);
    onTestFinished(() => reader.close());
    const [stuck, next] = await Promise.allSettled([
      reader.read({ content: "stuck", variables: {} }),
      reader.read({ content: "a.test", variables: {} }),
    ]);
    expect(stuck).toMatchObject({ status: "rejected", reason: { kind: "invalid_input" } });
    expect(next).toMatchObject({ status: "fulfilled", value: { entries: [{ line: 1 }] } });
  });

  test.each([
    ["aliases that explode", `vedette: 1\n${laughs}\ndomains: *a12\n`],
    ["merges that explode", `vedette: 1\n${merges}\n`],
    ["an alias of itself", "vedette: 1\ndomains: &a [*a]\n"],
    ["an alias of nothing", "vedette: 1\ndomains: [*a]\n"],
    ["YAML nested deeper than any stack", `vedette: 1\ndomains: ${"[".repeat(100_000)}`],
    ["several documents", "vedette: 1\n---\nvedette: 1\n"],
    ["brackets that never end", `vedette: 1\ndomains: ${"{".repeat(100_000)}`],
    ["a million values", `vedette: 1\n${"- 1\n".repeat(250_000)}`],
  ])("is refused: %s", (_, content) => {
    expect(problemOf(content, "vedette")).toMatch(/^import\.(?:syntax|unreadable)$/);
  });

  test("is refused where little says much, by an alias or a variable", () => {
    const pages = (body: string) =>
      Array.from({ length: 1000 }, (_, at) => `  - {url: a${at}.test, body: ${body}}\n`).join("");
    const long = "x".repeat(60_000);
    expect(problemOf(`vedette: 1\nlong: &a ${long}\ndomains:\n${pages("*a")}`)).toBe("import.unreadable");
    const byName = `vedette: 1\ndomains:\n${pages('"${A}"')}`;
    expect(problemOf(byName, "vedette", { A: long })).toBe("import.unreadable");
  });

  test("of empty lines is looked at in no time", () => {
    const begun = process.cpuUsage();
    expect(read(`endpoints:${"\n".repeat(200_000)}`).format).toBe("urls");
    expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(2);
  });

  test("is refused where it has more entries than can be imported", () => {
    expect(problemOf("a.test\n".repeat(100_000))).toBe("import.many");
  });

  test("of nothing but space is empty", () => {
    for (const format of FORMAT_NAMES) expect(problemOf(" \n\t\n", format)).toBe("import.empty");
  });

  test("of no known format needs one named", () => {
    expect(problemOf("Lorem ipsum dolor\nsit amet\n")).toBe("import.format");
  });

  test("gives nothing to objects that it does not name", () => {
    const yaml = 'vedette: 1\ndomains:\n  - {url: a.test, __proto__: {enabled: false}, "constructor": 1}\n';
    read(yaml);
    read('{"monitorList": [{"type": "http", "url": "a.test", "__proto__": {"upsideDown": true}}]}');
    expect(({} as { enabled?: boolean; upsideDown?: boolean }).enabled).toBeUndefined();
    expect(({} as { upsideDown?: boolean }).upsideDown).toBeUndefined();
  });

  test("has no U+0000 in anything that is made", () => {
    const entry = read('vedette: 1\ndomains:\n  - url: "https://a.test/\\0"\n').entries[0];
    expect(entry).toEqual({ line: 3, kind: "domain", problem: "input.nul" });
  });

  test.each(FORMAT_NAMES)("costs no more than it is long, as %s", (format) => {
    const worst = [
      "a,",
      '"',
      "- ",
      "{",
      "[]",
      "&a *a ",
      "#",
      " ",
      "\n",
      "a: ",
      "a:\n",
      "? [a]: ",
      "a;\n",
      "${a}",
      "<<: *a\n",
      '{"monitorList":[',
    ].map((piece) => `${piece.repeat(25_000 / piece.length)}x`);
    for (const content of worst) {
      const begun = process.cpuUsage();
      try {
        problemOf(content, format);
      } finally {
        const { user, system } = process.cpuUsage(begun);
        expect((user + system) / 1e6, content.slice(0, 20)).toBeLessThan(2);
      }
    }
  });
});

test("a word that every object inherits is an unknown one, and the rest of the file is read", async () => {
  const server = await serve({ engine: "sqlite" });
  const url = "https://a.test/";
  const word = "constructor";
  const monitorList = [
    { type: word },
    { type: "json-query", url, jsonPath: "$.a", jsonPathOperator: word },
    { type: "http", url, method: "POST", body: "x", httpBodyEncoding: word },
    { type: "smtp", name: "Mail", hostname: "mail.test", smtpSecurity: word },
    { type: "http", url: "https://b.test/" },
  ];
  const outcomes = async (content: string) => {
    const { status, body } = await server.api("POST", "/v2/imports", { content });
    return [status, body.data?.entries.map(({ outcome }: { outcome: string }) => outcome)];
  };
  expect(await outcomes(JSON.stringify({ monitorList }))).toEqual([
    200,
    ["invalid", "invalid", "create", "create", "create"],
  ]);
  const table = `url,type\na.test,${word}\nb.test,http\n`;
  expect(await outcomes(table)).toEqual([200, ["invalid", "create"]]);
  const gatus = `endpoints:\n  - url: ${url}\n    interval: ${word}\n    conditions: ["[STATUS] == ${word}"]\n`;
  expect(await outcomes(gatus)).toEqual([200, ["create"]]);
});

test("a body of bad UTF-8 is refused, and one that is too large says how large it may be", async () => {
  const server = await serve({ engine: "sqlite" });
  const send = (body: Uint8Array) =>
    fetch(`${server.url}/v2/imports`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: body as Uint8Array<ArrayBuffer>,
    });
  const bad = Buffer.concat([
    Buffer.from('{"content": "a.test'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ]);
  expect(await (await send(bad)).json()).toMatchObject({ fact: { code: "request.not_utf8" } });
  // What reads a file as UTF-8 before it is sent leaves this in place of what it cannot read.
  const replaced = Buffer.from(JSON.stringify({ content: "a.test\uFFFD" }));
  expect(await (await send(replaced)).json()).toMatchObject({
    facts: { content: [{ code: "import.encoding" }] },
  });
  const large = await send(Buffer.alloc(8 * 1024 * 1024 + 1, 32));
  expect([large.status, ((await large.json()) as { message: string }).message]).toEqual([
    413,
    "The body is too large: at most 8192 KB.",
  ]);
  const long = await server.api("POST", "/v2/imports", { content: "a".repeat(2 * 1024 * 1024 + 1) });
  expect([long.status, Object.keys(long.body.errors)]).toEqual([422, ["content"]]);
});
