import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Assertion } from "../../src/check/assertion-config.ts";
import { BodyError, decodeBody } from "../../src/check/http-body.ts";
import * as behaviours from "../harness/behaviours.ts";
import { check, startHttpTarget } from "./factories.ts";

const present = (value: string): Assertion => ({ type: "keyword", operator: "present", value });
const absent = (value: string): Assertion => ({ type: "keyword", operator: "absent", value });

async function judge(behaviour: behaviours.Behaviour, ...assertions: Assertion[]) {
  const target = await startHttpTarget({ handler: behaviour });
  return check({ url: target.url, assertions }, { timeoutMs: 3000 });
}

const UP = { verdict: "ok", reason: null };

describe("bodies", () => {
  test("of a known length, in chunks, and until the connection ends", async () => {
    expect(await judge(behaviours.body("hay needle hay"), present("needle"))).toMatchObject(UP);
    expect(await judge(behaviours.chunked(["hay nee", "dle hay"]), present("needle"))).toMatchObject(UP);
    const open = behaviours.raw(["HTTP/1.1 200 OK\r\n\r\nhay nee", "dle"]);
    expect(await judge(open, present("needle"), absent("nothing"))).toMatchObject(UP);
  });

  test.each(["gzip", "deflate", "br", "zstd"] as const)("compressed with %s", async (encoding) => {
    const text = `${"hay ".repeat(1000)}needle`;
    expect(await judge(behaviours.compressed(encoding, text), present("needle"))).toMatchObject(UP);
    expect(await judge(behaviours.compressed(encoding, text), absent("needle"))).toMatchObject({
      reasonCode: "assertion",
      reason: 'The body contains "needle", which it must not.',
    });
  });

  test("compressed twice, or as bare deflate", async () => {
    const twice = zlib.brotliCompressSync(zlib.gzipSync("needle"));
    const headers = { "content-encoding": "gzip, br" };
    expect(await judge(behaviours.body(twice, headers), present("needle"))).toMatchObject(UP);
    const bare = behaviours.body(zlib.deflateRawSync("needle"), { "content-encoding": "deflate" });
    expect(await judge(bare, present("needle"))).toMatchObject(UP);
  });

  test("compressed in an unknown way, or badly, are down", async () => {
    const unknown = behaviours.body("x", { "content-encoding": "zip" });
    expect(await judge(unknown, present("x"))).toMatchObject({
      reasonCode: "body",
      reason: "The server compressed the body in a way that was not offered.",
    });
    const broken = behaviours.body("not gzip", { "content-encoding": "gzip" });
    expect((await judge(broken, present("x"))).reason).toBe(
      "The server sent a body that cannot be decompressed.",
    );
  });

  test("that blow up are read to the first megabyte only", async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50_000_000, "a"));
    expect(bomb.length).toBeLessThan(100_000);
    const { body, cut } = await decodeBody([bomb], "gzip", 1_048_576, false);
    expect([body.length, cut]).toEqual([1_048_576, true]);
    const outcome = await judge(behaviours.body(bomb, { "content-encoding": "gzip" }), present("b"));
    expect(outcome.reason).toBe('The first megabyte of the body does not contain "b".');
  });

  test("compressed more often than anybody would are refused", async () => {
    await expect(decodeBody([Buffer.from("x")], "gzip,gzip,gzip,gzip", 10, false)).rejects.toThrow(BodyError);
  });

  test("without end are read to the limit, with assertions to the first megabyte", async () => {
    expect(await judge(behaviours.endlessBody)).toMatchObject(UP);
    expect(await judge(behaviours.endlessBody, absent("less"))).toMatchObject(UP);
    expect((await judge(behaviours.endlessBody, present("less"))).reason).toContain("first megabyte");
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
    expect(await judge(latin, present("café"))).toMatchObject(UP);
    const broken = behaviours.body(Buffer.from([0xff, 0xfe, 0x80, 0x61, 0x62, 0x63]));
    expect(await judge(broken, present("abc"))).toMatchObject({ verdict: "failed" });
    const utf8 = behaviours.body(Buffer.from([0x80, 0xc3, 0x61, 0x62, 0x63]));
    expect(await judge(utf8, present("abc"), absent("é"))).toMatchObject(UP);
  });

  test("JSON is read where an assertion asks for it", async () => {
    const json = behaviours.chunked(['{"queue":{"de', 'pth":3}}'], { "content-type": "application/json" });
    const depth = { type: "json", path: "$.queue.depth" } as const;
    expect(await judge(json, { ...depth, operator: "lt", value: 10 })).toMatchObject(UP);
    expect(await judge(json, { ...depth, operator: "gt", value: 10 })).toMatchObject({
      reasonCode: "assertion",
      reason: "$.queue.depth is 3; expected more than 10.",
    });
    expect((await judge(behaviours.body("<html>"), { ...depth, operator: "exists" })).reason).toBe(
      "The body is not valid JSON.",
    );
  });
});
