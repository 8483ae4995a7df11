import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Assertion } from "../../../src/checks/http/http-assertion-config.ts";
import { BodyError, decodeBody } from "../../../src/checks/http/http-body.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { check, startHttpTarget } from "../factories.ts";

const present = (value: string): Assertion => ({ type: "keyword", operator: "present", value });
const absent = (value: string): Assertion => ({ type: "keyword", operator: "absent", value });

async function evaluate(behaviour: behaviours.Behaviour, ...assertions: Assertion[]) {
  const target = await startHttpTarget({ handler: behaviour });
  return check({ url: target.url, assertions }, { timeoutMs: 3000 });
}

const UP = { verdict: "ok", reason: null };

describe("bodies", () => {
  test("of a known length, in chunks, and until the connection ends", async () => {
    expect(await evaluate(behaviours.body("hay needle hay"), present("needle"))).toMatchObject(UP);
    expect(await evaluate(behaviours.chunked(["hay nee", "dle hay"]), present("needle"))).toMatchObject(UP);
    const open = behaviours.raw(["HTTP/1.1 200 OK\r\n\r\nhay nee", "dle"]);
    expect(await evaluate(open, present("needle"), absent("nothing"))).toMatchObject(UP);
  });

  test.each(["gzip", "deflate", "br", "zstd"] as const)("compressed with %s", async (encoding) => {
    const text = `${"hay ".repeat(1000)}needle`;
    expect(await evaluate(behaviours.compressed(encoding, text), present("needle"))).toMatchObject(UP);
    expect(await evaluate(behaviours.compressed(encoding, text), absent("needle"))).toMatchObject({
      reasonCode: "assertion",
      reason: 'The body contains "needle", which it must not.',
    });
  });

  test("compressed twice, or as bare deflate", async () => {
    const twice = zlib.brotliCompressSync(zlib.gzipSync("needle"));
    const headers = { "content-encoding": "gzip, br" };
    expect(await evaluate(behaviours.body(twice, headers), present("needle"))).toMatchObject(UP);
    const bare = behaviours.body(zlib.deflateRawSync("needle"), { "content-encoding": "deflate" });
    expect(await evaluate(bare, present("needle"))).toMatchObject(UP);
  });

  test.each(["gzip", "deflate", "br", "zstd"] as const)(
    "compressed with %s and followed by stray bytes are read as browsers do",
    async (encoding) => {
      const whole = await new Promise<Buffer>((resolve, reject) => {
        const done = (error: Error | null, bytes: Buffer) => (error ? reject(error) : resolve(bytes));
        if (encoding === "gzip") zlib.gzip("hay needle", done);
        else if (encoding === "deflate") zlib.deflate("hay needle", done);
        else if (encoding === "br") zlib.brotliCompress("hay needle", done);
        else zlib.zstdCompress("hay needle", done);
      });
      for (const stray of [
        "stray",
        "\0\0",
        "\x1f\x8b\x01",
        "\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff no member",
        "\n",
      ]) {
        const bytes = Buffer.concat([whole, Buffer.from(stray, "latin1")]);
        const body = behaviours.body(bytes, { "content-encoding": encoding });
        expect(await evaluate(body, present("needle"))).toMatchObject(UP);
        expect(await evaluate(body)).toMatchObject(UP);
      }
    },
  );

  test("compressed with gzip in several members are read to their end, and down where that is missing", async () => {
    const head = Buffer.from("\x1f\x8b\x08\x1e\0\0\0\0\0\x03\x02\0\x01\x02a.txt\0note\0", "latin1");
    const check16 = Buffer.alloc(2);
    check16.writeUInt16LE(zlib.crc32(head) & 0xffff);
    const named = Buffer.concat([head, check16, zlib.gzipSync("first, ").subarray(10)]);
    const bytes = Buffer.concat([named, zlib.gzipSync("second")]);
    const encoding = { "content-encoding": "gzip" };
    for (const tail of ["", "stray"]) {
      const body = behaviours.body(Buffer.concat([bytes, Buffer.from(tail)]), encoding);
      expect(await evaluate(body, present("first, second"))).toMatchObject(UP);
    }
    for (const broken of [bytes.subarray(0, -3), bytes.subarray(0, -8), named.subarray(0, -3)]) {
      const outcome = await evaluate(behaviours.body(broken, encoding), present("first"));
      expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "body" });
      expect(await evaluate(behaviours.body(broken, encoding))).toMatchObject({ reasonCode: "body" });
    }
    const wrong = Buffer.from(named);
    wrong.writeUInt32LE(1, wrong.length - 8);
    const corrupt = behaviours.body(Buffer.concat([wrong, Buffer.from("stray")]), encoding);
    expect(await evaluate(corrupt, present("first"))).toMatchObject({ reasonCode: "body" });
  });

  test("compressed in an unknown way, or badly, are down", async () => {
    const unknown = behaviours.body("x", { "content-encoding": "zip" });
    expect(await evaluate(unknown, present("x"))).toMatchObject({
      reasonCode: "body",
      reason: "The server compressed the body in a way that was not offered.",
    });
    const broken = behaviours.body("not gzip", { "content-encoding": "gzip" });
    expect((await evaluate(broken, present("x"))).reason).toBe(
      "The server sent a body that cannot be decompressed.",
    );
  });

  test.each(["none", "UTF-8", "binary", "aws-chunked", "utf-8, gzip"])(
    "with a Content-Encoding that is none, %s, are read all the same, as in browsers",
    async (encoding) => {
      const content = encoding.includes("gzip") ? zlib.gzipSync("text") : "text";
      const sent = behaviours.body(content, { "content-encoding": encoding });
      expect(await evaluate(sent, present("text"))).toMatchObject(UP);
      expect(await evaluate(sent)).toMatchObject(UP);
    },
  );

  test("that blow up are read to the first megabyte only", async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50_000_000, "a"));
    expect(bomb.length).toBeLessThan(100_000);
    const { body, cut } = await decodeBody([bomb], "gzip", 1_048_576, false);
    expect([body.length, cut]).toEqual([1_048_576, true]);
    const outcome = await evaluate(behaviours.body(bomb, { "content-encoding": "gzip" }), present("b"));
    expect(outcome.reason).toBe('The first megabyte of the body does not contain "b".');
  });

  test("compressed more often than anybody would are refused", async () => {
    await expect(decodeBody([Buffer.from("x")], "gzip,gzip,gzip,gzip", 10, false)).rejects.toThrow(BodyError);
  });

  test("without end are read to the limit, with assertions to the first megabyte", async () => {
    expect(await evaluate(behaviours.endlessBody)).toMatchObject(UP);
    expect(await evaluate(behaviours.endlessBody, absent("less"))).toMatchObject(UP);
    expect((await evaluate(behaviours.endlessBody, present("less"))).reason).toContain("first megabyte");
  });

  test("with a keyword are read to it, once bodyBytes of them have been", async () => {
    const never = behaviours.raw(["HTTP/1.1 200 OK\r\n\r\nhay nee", "dle and never more"], { open: true });
    const target = await startHttpTarget({ handler: never });
    const run = (bodyBytes: number) =>
      check({ url: target.url, bodyBytes, assertions: [present("needle")] }, { timeoutMs: 300 });
    expect(await run(0)).toMatchObject(UP);
    expect(await run(25)).toMatchObject(UP);
    expect(await run(26)).toMatchObject({ verdict: "failed", reasonCode: "timeout", statusCode: 200 });
  });

  test("a body that stops coming is timed out as such", async () => {
    const target = await startHttpTarget({
      handler: behaviours.raw(["HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc"], { open: true }),
    });
    const outcome = await check({ url: target.url, assertions: [present("zzz")] }, { timeoutMs: 200 });
    expect(outcome.reason).toContain("did not finish sending the body");
  });

  test("HEAD, 204 and 304 have none, whatever they say", async () => {
    const headers = { "content-length": "5" };
    for (const [method, status] of [
      ["HEAD", 200],
      ["GET", 204],
      ["GET", 304],
    ] as const) {
      const target = await startHttpTarget({ handler: behaviours.respond({ status, headers, body: "" }) });
      const assertions = [absent("x")];
      expect(await check({ url: target.url, method, assertions })).toMatchObject({
        ...UP,
        statusCode: status,
      });
    }
  });

  test("are searched as text of their charset, bytes that make no sense included", async () => {
    const latin = behaviours.body(Buffer.from("caf\xe9", "latin1"), {
      "content-type": "text/html; charset=ISO-8859-1",
    });
    expect(await evaluate(latin, present("café"))).toMatchObject(UP);
    const broken = behaviours.body(Buffer.from([0xff, 0xfe, 0x80, 0x61, 0x62, 0x63]));
    expect(await evaluate(broken, present("abc"))).toMatchObject({ verdict: "failed" });
    const utf8 = behaviours.body(Buffer.from([0x80, 0xc3, 0x61, 0x62, 0x63]));
    expect(await evaluate(utf8, present("abc"), absent("é"))).toMatchObject(UP);
  });

  const inCharset = (start: string, hex: string, contentType?: string) =>
    behaviours.body(
      Buffer.concat([Buffer.from(start, "latin1"), Buffer.from(hex, "hex"), Buffer.from("</p>")]),
      contentType === undefined ? {} : { "content-type": contentType },
    );
  const LOGIN = "b5c7c2bcb3c9b9a6";

  test.each<[string, string, string, string | undefined]>([
    ["登录成功", "<meta charset=gbk><p>", LOGIN, "text/html"],
    ["登录成功", "<!doctype html>\n<head><META CHARSET = 'gb2312' /><p>", LOGIN, "text/html"],
    ["登录成功", "<meta charset=GB18030><p>", LOGIN, undefined],
    ["登入", "<meta charset=big5><p>", "b56ea44a", "text/html"],
    [
      "größe €",
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>',
      "6772f6df652080",
      "text/html",
    ],
    [
      "größe",
      '<meta content="text/html;charset=latin1" http-equiv=content-type><p>',
      "6772f6df65",
      "text/html",
    ],
    ["ログイン", '<?xml version="1.0" encoding="EUC-JP"?><p>', "a5eda5b0a5a4a5f3", "application/xhtml+xml"],
    ["Привет", "<?xml version='1.0' encoding='koi8-r'?><p>", "f0d2c9d7c5d4", "text/xml"],
    ["Привет", `<!-- ${"x".repeat(2000)} --><meta charset=windows-1251><p>`, "cff0e8e2e5f2", "text/html"],
    ["Привет", "<meta charset><meta charset=windows-1251><p>", "cff0e8e2e5f2", "text/html"],
    // What a header says comes first, and what is unknown says nothing.
    ["ü", "<meta charset=gbk><p>", "c3bc", "text/html; charset=utf-8"],
    ["登录成功", "<meta charset=gbk><p>", LOGIN, "text/html; charset=nonsense"],
    // Declarations that are none.
    ["ü", "<!-- <meta charset=gbk> --><p>", "c3bc", "text/html"],
    ["ü", '<meta name=description content="text/html; charset=gbk"><p>', "c3bc", "text/html"],
    ["ü", '<a title="<meta charset=gbk>"></a><p>', "c3bc", "text/html"],
    ["ü", "<meta charset=utf-16><p>", "c3bc", "text/html"],
    ["ü", '{"a":"<meta charset=gbk>', "c3bc", "application/json"],
    ["ü", "see <meta charset=gbk>", "c3bc", undefined],
    // Undeclared, and not in UTF-8: what browsers take it for.
    ["größe", "<p>", "6772f6df65", "text/html"],
  ])("are read as what they declare: %s in %j", async (keyword, start, hex, contentType) => {
    const outcome = await evaluate(inCharset(start, hex, contentType), present(keyword), absent("\ufffd"));
    expect(outcome).toMatchObject(UP);
  });

  test("in UTF-16 are known by their mark, and XML without one", async () => {
    const page = Buffer.from("<?xml version='1.0'?><p>größe", "utf16le");
    const xml = { "content-type": "application/xml" };
    expect(await evaluate(behaviours.body(page, xml), present("größe"))).toMatchObject(UP);
    expect(await evaluate(behaviours.body(Buffer.from(page).swap16(), xml), present("größe"))).toMatchObject(
      UP,
    );
    const marked = Buffer.from("\ufeff<meta charset=gbk>größe", "utf16le");
    expect(await evaluate(behaviours.body(marked), present("größe"))).toMatchObject(UP);
  });

  test("are quoted in the evidence in the charset that they are searched in", async () => {
    const target = await startHttpTarget({ handler: inCharset("<meta charset=gbk><p>", LOGIN, "text/html") });
    const outcome = await check({ url: target.url, assertions: [present("missing")] });
    expect(outcome.evidence?.().body).toEqual({
      encoding: "text",
      content: "<meta charset=gbk><p>登录成功</p>",
      cut: false,
    });
  });

  test("JSON is read where an assertion needs it", async () => {
    const json = behaviours.chunked(['{"queue":{"de', 'pth":3}}'], { "content-type": "application/json" });
    const depth = { type: "json", path: "$.queue.depth" } as const;
    expect(await evaluate(json, { ...depth, operator: "lt", value: 10 })).toMatchObject(UP);
    expect(await evaluate(json, { ...depth, operator: "gt", value: 10 })).toMatchObject({
      reasonCode: "assertion",
      reason: "$.queue.depth is 3; expected more than 10.",
    });
    expect((await evaluate(behaviours.body("<html>"), { ...depth, operator: "exists" })).reason).toBe(
      "The body is not valid JSON.",
    );
  });
});
