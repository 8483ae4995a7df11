import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Assertion } from "../../../src/checks/http/http-assertion-config.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { type Http2Behaviour, startHttp2Target } from "../../harness/http2-target.ts";
import { check, closing, startHttpTarget, startTlsTarget } from "../factories.ts";

/** Holds of every answer here that is whole. */
const assertions: Assertion[] = [{ type: "keyword", operator: "absent", value: "no such text" }];
const withAndWithout = [{}, { assertions }];

const GZIP = zlib.gzipSync("half an answer ".repeat(200));
const BROTLI = zlib.brotliCompressSync("half an answer ".repeat(200));
const CHUNKED = "transfer-encoding: chunked\r\n\r\n";
const gzipped = (bytes: Buffer, length = bytes.length) =>
  `content-encoding: gzip\r\ncontent-length: ${length}\r\n\r\n${bytes.toString("latin1")}`;

/** A reason as it is listed here: the port is another one each time. */
const withoutHost = (reason: string | null) =>
  reason?.replace(/localhost \(127\.0\.0\.1:\d+\)|127\.0\.0\.1:\d+/, "HOST");

/** What comes after the status line and before the server closes the connection; what is said of it. */
const HALVES: [name: string, rest: string, sentence: string][] = [
  [
    "1 of 1,000 bytes",
    "content-length: 1000\r\n\r\nx",
    "Only 1 of 1000 bytes of the body arrived: HOST closed the connection.",
  ],
  ["none of 5 bytes", "content-length: 5\r\n\r\n", "None of the body arrived: HOST closed the connection."],
  [
    "5 of 100,000 bytes",
    "content-length: 100000\r\n\r\nshort",
    "Only 5 of 100000 bytes of the body arrived: HOST closed the connection.",
  ],
  [
    "chunks without an end",
    `${CHUNKED}3\r\nabc\r\n`,
    "The body broke off after byte 3: HOST closed the connection.",
  ],
  ["half a chunk", `${CHUNKED}3\r\nab`, "The body broke off after byte 2: HOST closed the connection."],
  ["no chunk at all", CHUNKED, "None of the body arrived: HOST closed the connection."],
  [
    "chunks but for the last line",
    `${CHUNKED}3\r\nabc\r\n0\r\n`,
    "The body broke off after byte 3: HOST closed the connection.",
  ],
  [
    "half a trailer",
    `${CHUNKED}3\r\nabc\r\n0\r\nx-more: `,
    "The body broke off after byte 3: HOST closed the connection.",
  ],
  ["a chunk of no size", `${CHUNKED}xyz\r\n`, "HOST sent a chunk without a valid size."],
  [
    "a chunk that is too long",
    `${CHUNKED}3\r\nabcd\r\n0\r\n\r\n`,
    "HOST sent a chunk that is longer than it said.",
  ],
  ["an endless size", `${CHUNKED}3;${"x".repeat(5000)}\r\n`, "HOST sent a chunk without a size."],
  [
    "endless trailers",
    `${CHUNKED}0\r\n${`x: ${"y".repeat(900)}\r\n`.repeat(100)}\r\n`,
    "HOST sent trailers that are too long.",
  ],
  [
    "a gzip body cut short",
    gzipped(GZIP, 1000),
    `Only ${GZIP.length} of 1000 bytes of the body arrived: HOST closed the connection.`,
  ],
  [
    "half a gzip stream, framed well",
    gzipped(GZIP.subarray(0, 30)),
    "The server sent a compressed body that ends too early.",
  ],
  [
    "half a gzip stream until the end",
    `content-encoding: gzip\r\n\r\n${GZIP.toString("latin1", 0, 30)}`,
    "The server sent a compressed body that ends too early.",
  ],
  [
    "what is no gzip",
    gzipped(Buffer.from("plain text")),
    "The server sent a body that cannot be decompressed.",
  ],
];

const WHOLES: [name: string, rest: string][] = [
  ["a body of its length", "content-length: 5\r\n\r\nwhole"],
  ["a body whose length is said twice", "content-length: 5, 5\r\nContent-Length: 5\r\n\r\nwhole"],
  ["one with an odd header", "x-odd : 5\r\nx-note: content-length : 9\r\ncontent-length: 5\r\n\r\nwhole"],
  ["an empty one", "content-length: 0\r\n\r\n"],
  ["more than its length", "content-length: 5\r\n\r\nwhole and more"],
  ["one until the connection ends", "\r\nwhole"],
  ["chunks", `${CHUNKED}5\r\nwhole\r\n0\r\n\r\n`],
  ["chunks and trailers", `${CHUNKED}5\r\nwhole\r\n0\r\nx-more: 1\r\nx-most: 2\r\n\r\n`],
  ["gzip", gzipped(GZIP)],
  ["gzip that is empty", "content-encoding: gzip\r\ncontent-length: 0\r\n\r\n"],
];

/** Headers that leave it open where the body ends, in which intermediaries and browsers would disagree. */
const UNCLEAR: [lines: string, sentence: string][] = [
  ["Content-Length : 1000", 'sent a malformed header: "Content-Length : 1000".'],
  ["x: y\r\ncontent-length\t:1000", "sent a malformed header: "],
  ["Transfer-Encoding : chunked", 'sent a malformed header: "Transfer-Encoding : chunked".'],
  ["content-length: 1\r\nContent-Length: 2", 'sent an impossible Content-Length: "1, 2".'],
  ["content-length: 1, 2", 'sent an impossible Content-Length: "1, 2".'],
  ["content-length: +1", 'sent an impossible Content-Length: "+1".'],
  ["content-length: -1", 'sent an impossible Content-Length: "-1".'],
  ["content-length: 0x1", 'sent an impossible Content-Length: "0x1".'],
  ["content-length: 1,", 'sent an impossible Content-Length: "1,".'],
  ["content-length:", 'sent an impossible Content-Length: "".'],
];

test.each(UNCLEAR)("an answer with %j is down", async (lines, sentence) => {
  const target = await startHttpTarget({
    handler: behaviours.raw([`HTTP/1.1 200 OK\r\n${lines}\r\n\r\nx`]),
  });
  const outcome = await check(target.url);
  expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
  expect(outcome.reason).toContain(sentence);
});

describe.each(withAndWithout)("half an answer over HTTP/1.1, with %o", (expectations) => {
  test.each(HALVES)("%s, is down", async (_name, rest, sentence) => {
    const half = behaviours.raw([`HTTP/1.1 200 OK\r\n${rest}`]);
    for (const target of [
      await startHttpTarget({ handler: half }),
      await startTlsTarget({ handler: half }),
    ]) {
      const outcome = await check({ url: target.url, ...expectations });
      expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "body", statusCode: 200 });
      expect(withoutHost(outcome.reason)).toBe(sentence);
    }
  });

  test.each(WHOLES)("a whole one, %s, is up", async (_name, rest) => {
    const whole = behaviours.raw([`HTTP/1.1 200 OK\r\n${rest}`]);
    for (const target of [
      await startHttpTarget({ handler: whole }),
      await startTlsTarget({ handler: whole }),
    ]) {
      const outcome = await check({ url: target.url, ...expectations });
      expect(outcome).toMatchObject({ verdict: "ok", reason: null });
      expect(outcome.phases.transferUs).toBeGreaterThanOrEqual(0);
    }
  });

  test.each([
    ["content-length: 1000\r\n\r\n", "Only 3 of 1000 bytes of the body arrived: HOST reset the connection."],
    ["\r\n", "The body broke off after byte 3: HOST reset the connection."],
  ])("that is reset after %j is down", async (rest, sentence) => {
    const target = await startHttpTarget({
      handler: (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${rest}abc`);
        // Together with the bytes the reset could overtake them.
        setTimeout(() => socket.resetAndDestroy(), 50);
      },
    });
    const outcome = await check({ url: target.url, ...expectations });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "body", statusCode: 200 });
    expect(withoutHost(outcome.reason)).toBe(sentence);
  });
});

const half: Record<string, [Http2Behaviour, string]> = {
  "1 of 1,000 bytes": [
    (stream) => {
      stream.respond({ ":status": 200, "content-length": "1000" });
      stream.end("x");
    },
    "Only 1 of 1000 bytes of the body arrived: HOST ended the HTTP/2 stream.",
  ],
  "a stream that is reset": [
    (stream) => {
      stream.respond({ ":status": 200 });
      stream.write("abc", () => stream.destroy(new Error("out of order")));
    },
    "The body broke off after byte 3: HOST ended the HTTP/2 exchange with internal error.",
  ],
  "a connection that is closed": [
    (stream) => {
      stream.respond({ ":status": 200 });
      stream.write("abc", () => stream.session?.destroy());
    },
    "The body broke off after byte 3: HOST ended the HTTP/2 stream.",
  ],
  "half a gzip stream": [
    (stream) => {
      stream.respond({ ":status": 200, "content-encoding": "gzip" });
      stream.end(GZIP.subarray(0, 30));
    },
    "The server sent a compressed body that ends too early.",
  ],
};

describe.each(withAndWithout)("half an answer over HTTP/2, with %o", (expectations) => {
  test.each(Object.entries(half))("%s, is down", async (_name, [handler, sentence]) => {
    const target = closing(await startHttp2Target({ handler }));
    const outcome = await check({ url: target.url, ...expectations });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "body", statusCode: 200, protocol: "h2" });
    expect(withoutHost(outcome.reason)).toBe(sentence);
  });

  test("a whole one is up, one of another length than announced cut at the limit too", async () => {
    const target = closing(await startHttp2Target());
    expect(await check({ url: target.url, ...expectations })).toMatchObject({ verdict: "ok" });
    target.set((stream) => {
      stream.respond({ ":status": 200, "content-length": "1000" });
      stream.write("x".repeat(20));
    });
    const outcome = await check({ url: target.url, bodyBytes: 20 });
    expect(outcome).toMatchObject({ verdict: "ok", protocol: "h2" });
  });
});

describe("how much of an answer is read", () => {
  const cutShort = (length: number) =>
    behaviours.raw([`HTTP/1.1 200 OK\r\ncontent-length: 200000\r\n\r\n${"x".repeat(length)}`]);

  test("is 64 KiB unless the monitor says otherwise: what breaks beyond is fine", async () => {
    const target = await startHttpTarget({ handler: cutShort(65_535) });
    expect(await check(target.url)).toMatchObject({ reasonCode: "body" });
    target.set(cutShort(65_536));
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
    expect(await check({ url: target.url, bodyBytes: 65_537 })).toMatchObject({ reasonCode: "body" });
    expect(await check({ url: target.url, bodyBytes: 1_048_576 })).toMatchObject({ reasonCode: "body" });
    expect(await check({ url: target.url, bodyBytes: 1 })).toMatchObject({ verdict: "ok" });
  });

  test("may be nothing: then the answer ends with its header", async () => {
    const target = await startHttpTarget();
    for (const [, rest] of HALVES) {
      target.set(behaviours.raw([`HTTP/1.1 200 OK\r\n${rest}`]));
      expect(await check({ url: target.url, bodyBytes: 0 })).toMatchObject({ verdict: "ok" });
    }
    target.set(behaviours.raw(["HTTP/1.1 200 OK\r\n\r\nnever ends"], { open: true }));
    expect(await check({ url: target.url, bodyBytes: 0 })).toMatchObject({ verdict: "ok" });
  });

  test("is what an assertion on the body needs, whatever the monitor says", async () => {
    const target = await startHttpTarget({ handler: behaviours.body(`${"x".repeat(90_000)}needle`) });
    const needle: Assertion = { type: "keyword", operator: "present", value: "needle" };
    for (const bodyBytes of [0, 10]) {
      expect(await check({ url: target.url, bodyBytes, assertions: [needle] })).toMatchObject({
        verdict: "ok",
      });
    }
  });

  test("is nothing of an answer that has no body: HEAD, 204, 304 and redirects that are followed", async () => {
    const target = await startHttpTarget({
      handler: behaviours.raw(["HTTP/1.1 204 None\r\ncontent-length: 5\r\n\r\n"]),
    });
    expect(await check(target.url)).toMatchObject({ verdict: "ok", statusCode: 204 });
    target.set(behaviours.raw(["HTTP/1.1 304 Same\r\ncontent-length: 5\r\n\r\n"]));
    expect(await check(target.url)).toMatchObject({ verdict: "ok", statusCode: 304 });
    target.set(behaviours.raw(["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"]));
    expect(await check({ url: target.url, method: "HEAD" })).toMatchObject({ verdict: "ok" });
    target.set((socket, request) =>
      request.path === "/"
        ? behaviours.raw(["HTTP/1.1 302 Go\r\nlocation: /on\r\ncontent-length: 900\r\n\r\nx"])(
            socket,
            request,
          )
        : behaviours.status(200)(socket, request),
    );
    expect(await check(target.url)).toMatchObject({ verdict: "ok", statusCode: 200 });
  });

  test("is bounded after decompression too, which an unknown way does not prevent", async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(20_000_000));
    const target = await startHttpTarget({ handler: behaviours.body(bomb, { "content-encoding": "gzip" }) });
    const before = process.cpuUsage();
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
    expect(process.cpuUsage(before).user).toBeLessThan(200_000);
    target.set(behaviours.body("x", { "content-encoding": "utf-8" }));
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
    target.set(behaviours.body(BROTLI, { "content-encoding": "br" }));
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
  });

  test("a body that stops coming is timed out, with its status code", async () => {
    const target = await startHttpTarget({
      handler: behaviours.raw(["HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx"], { open: true }),
    });
    const outcome = await check(target.url, { timeoutMs: 200 });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "timeout", statusCode: 200 });
    expect(outcome.reason).toContain("did not finish sending the body");
    expect(outcome.phases.transferUs).toBeGreaterThan(100_000);
  });

  test("the response time goes to the last byte of it, and the transfer from the first", async () => {
    const slow: behaviours.Behaviour = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na");
      setTimeout(() => socket.end("b"), 500);
    };
    const target = await startHttpTarget({ handler: slow });
    const { phases } = await check(target.url);
    expect(phases.firstByteUs).toBeLessThan(490_000);
    expect(phases.transferUs).toBeGreaterThan(490_000);
    expect(phases.totalUs).toBeGreaterThanOrEqual((phases.firstByteUs ?? 0) + (phases.transferUs ?? 0));
    const { phases: ofHeader } = await check({ url: target.url, bodyBytes: 0 });
    expect(ofHeader.totalUs).toBeLessThan(490_000);
  });
});
