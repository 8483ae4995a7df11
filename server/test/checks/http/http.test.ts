import { describe, expect, test } from "vitest";
import { stopCheck } from "../../../src/checks/deadline.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { check, startHttpTarget } from "../factories.ts";

const answering = (behaviour: behaviours.Behaviour) => startHttpTarget({ handler: behaviour });

describe("a plain check", () => {
  test("an answer of 200 is up, with code, address, protocol and phases in whole microseconds", async () => {
    const target = await startHttpTarget();
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({
      verdict: "ok",
      reasonCode: null,
      reason: null,
      statusCode: 200,
      address: "127.0.0.1",
      protocol: "http/1.1",
      certificate: null,
    });
    const { dnsUs, connectUs, tlsUs, firstByteUs, totalUs } = outcome.phases;
    expect([dnsUs, tlsUs]).toEqual([null, null]);
    for (const phase of [connectUs, firstByteUs, totalUs]) expect(Number.isInteger(phase)).toBe(true);
    expect(totalUs).toBeGreaterThanOrEqual((connectUs ?? 0) + (firstByteUs ?? 0) - 2);
  });

  test("the first byte's time is the server's, not the connection's", async () => {
    const target = await answering(behaviours.slow(500));
    const { phases } = await check(target.url);
    expect(phases.firstByteUs).toBeGreaterThan(490_000);
    expect(phases.connectUs).toBeLessThan(phases.firstByteUs ?? 0);
    expect(phases.totalUs).toBeGreaterThanOrEqual(phases.firstByteUs ?? 0);
  });

  test("the request says what a request must, and every check opens a connection of its own", async () => {
    const target = await startHttpTarget();
    await check(`${target.url}a/b?c=d#e`);
    await check(target.url);
    expect(target.connections()).toBe(2);
    const [first] = target.requests;
    expect(first).toMatchObject({ method: "GET", path: "/a/b?c=d", body: "" });
    expect(first?.headers).toEqual({
      host: `127.0.0.1:${target.port}`,
      "user-agent": expect.stringMatching(/^Vedette\//),
      accept: "*/*",
      "accept-encoding": "gzip, deflate, br, zstd",
      connection: "close",
    });
  });

  test.each([404, 500, 503, 400, 999])("%d is down without another word from the monitor", async (code) => {
    const target = await answering(behaviours.status(code));
    expect(await check(target.url)).toMatchObject({
      verdict: "failed",
      reasonCode: "status",
      statusCode: code,
      reason: `The server answered ${code}; expected 200-399.`,
    });
  });

  test("an odd form of the loopback address is the loopback address", async () => {
    const target = await startHttpTarget();
    expect(await check(`http://0x7f.1:${target.port}/`)).toMatchObject({
      verdict: "ok",
      address: "127.0.0.1",
    });
  });

  test("the header's end is enough: an endless body costs nothing", async () => {
    const target = await answering(behaviours.endlessBody);
    expect(await check(target.url, { timeoutMs: 2000 })).toMatchObject({ verdict: "ok", statusCode: 200 });
  });
});

describe("failures before an answer", () => {
  test("a closed port has refused the connection", async () => {
    const target = await startHttpTarget();
    await target.refuse();
    expect(await check(target.url)).toMatchObject({
      verdict: "failed",
      reasonCode: "refused",
      reason: `127.0.0.1:${target.port} refused the connection.`,
      statusCode: null,
      address: "127.0.0.1",
    });
  });

  test("a server that never answers is timed out, on time, and let go of", async () => {
    const target = await answering(behaviours.hang);
    const before = performance.now();
    const outcome = await check(target.url, { timeoutMs: 300 });
    expect(performance.now() - before).toBeLessThan(900);
    expect(outcome).toMatchObject({
      reasonCode: "timeout",
      reason: `Timed out after 0.3 s: 127.0.0.1:${target.port} accepted the connection but sent no complete answer.`,
    });
    expect(outcome.phases.totalUs).toBeGreaterThan(295_000);
  });

  test("a reset and a closed connection are distinguished", async () => {
    const target = await answering(behaviours.reset);
    expect((await check(target.url)).reason).toBe(
      `127.0.0.1:${target.port} reset the connection before the answer was complete.`,
    );
    target.set(behaviours.hangUp);
    expect(await check(target.url)).toMatchObject({
      reasonCode: "protocol",
      reason: `127.0.0.1:${target.port} closed the connection without an answer.`,
    });
  });

  test("a stop ends the check at once", async () => {
    const target = await answering(behaviours.hang);
    const signal = { isStopped: false, listener: null };
    const running = check(target.url, { signal });
    await expect.poll(() => target.requests.length).toBe(1);
    stopCheck(signal);
    expect(await running).toMatchObject({ reasonCode: "internal", verdict: "failed" });
    expect(await check(target.url, { signal })).toMatchObject({ reasonCode: "internal" });
    expect(target.connections()).toBe(1);
  });
});

describe("hostile answers become sentences", () => {
  const answers: [string, behaviours.Behaviour, string][] = [
    ["a header without end", behaviours.endlessHeader, "sent more than 64 KB of header"],
    [
      "one giant header",
      behaviours.raw([`HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}\r\n\r\n`]),
      "more than 64 KB",
    ],
    [
      "a malformed status line",
      behaviours.raw(["HTTP/1.1 OK\r\n\r\n"]),
      'a malformed status line: "HTTP/1.1 OK"',
    ],
    ["a status of four digits", behaviours.raw(["HTTP/1.1 2000 OK\r\n\r\n"]), "malformed status line"],
    [
      "a mail server",
      behaviours.raw(["220 mail.test ESMTP\r\n"], { open: true }),
      'begins "220 mail.test ESMTP"',
    ],
    ["control characters", behaviours.raw(["\x1b[31mred\x00\r\n"]), 'begins "�[31mred�"'],
    ["a TLS alert", behaviours.raw(["\x15\x03\x01\x00\x02\x02\x0a"]), "speaks TLS on this port: use https"],
    ["half a header", behaviours.raw(["HTTP/1.1 200 OK\r\nserver: x\r\n"]), "in the middle of the header"],
    [
      "interim answers without end",
      behaviours.raw(["HTTP/1.1 100 Continue\r\n\r\n".repeat(50)]),
      "interim answers",
    ],
    [
      "an interim answer and nothing more",
      behaviours.raw(["HTTP/1.1 103 Early Hints\r\n\r\n"]),
      "middle of the header",
    ],
  ];

  test.each(answers)("%s", async (_name, behaviour, sentence) => {
    const target = await answering(behaviour);
    const outcome = await check(target.url, { timeoutMs: 3000 });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
    expect(outcome.reason).toContain(sentence);
    expect(outcome.reason).toContain(`127.0.0.1:${target.port} `);
  });

  test("a header that stops in the middle is timed out", async () => {
    const target = await answering(behaviours.raw(["HTTP/1.1 200 OK\r\nserver: x"], { open: true }));
    expect(await check(target.url, { timeoutMs: 200 })).toMatchObject({ reasonCode: "timeout" });
  });

  test("interim answers before the real one are passed over", async () => {
    const early = "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n";
    const target = await answering(behaviours.raw([early, early, "HTTP/1.1 201 Created\r\n\r\n"]));
    expect(await check(target.url)).toMatchObject({ verdict: "ok", statusCode: 201 });
  });

  test("invalid UTF-8, bare line feeds and lines without a colon are borne", async () => {
    const target = await answering(behaviours.raw(["HTTP/1.0 200\nx-\xff\xfe: \x80\nnonsense\n\n"]));
    expect(await check(target.url)).toMatchObject({ verdict: "ok", protocol: "http/1.0" });
  });
});
