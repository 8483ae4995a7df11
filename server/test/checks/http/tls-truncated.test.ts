import net from "node:net";
import { describe, expect, test } from "vitest";
import { followRecords, isInsideRecord, type RecordState } from "../../../src/checks/http/http-exchange.ts";
import type { Behaviour } from "../../harness/behaviours.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { answer, startHttp2Target } from "../../harness/http2-target.ts";
import { check, closing, startTlsTarget } from "../factories.ts";

const BODY = Buffer.alloc(10_000, "x");

/** Header and body as TLS records of their own, then the end of the connection. */
const inRecords =
  (header: string): Behaviour =>
  (socket) =>
    void socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n`, () => socket.end(BODY));

const UNTIL_CLOSE = inRecords("");

/** Splits TLS records. */
function recordsOf(bytes: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    records.push(bytes.subarray(at, end));
    at = end;
  }
  return records;
}

type Cut = (records: Buffer[]) => Buffer;
const whole: Cut = (records) => Buffer.concat(records);
const withoutCloseNotify: Cut = (records) => whole(records.slice(0, -1));
const short =
  (bytes: number): Cut =>
  (records) =>
    withoutCloseNotify(records).subarray(0, -bytes);
/** So much of close_notify itself. */
const begun =
  (bytes: number): Cut =>
  (records) =>
    Buffer.concat([withoutCloseNotify(records), (records.at(-1) as Buffer).subarray(0, bytes)]);

const fin = (socket: net.Socket) => void socket.end();
const reset = (socket: net.Socket) => void socket.resetAndDestroy();

/** A TCP proxy before a TLS server: what the server answers gets through as `cut` says, then the connection ends. */
async function startCutting(handler: Behaviour, cut: Cut, end = fin) {
  let holding = false;
  const target = await startTlsTarget({
    handler: (socket, request) => {
      holding = true;
      handler(socket, request);
    },
  });
  const proxy = net.createServer({ allowHalfOpen: true }, (client) => {
    holding = false;
    const held: Buffer[] = [];
    const server = net.connect(target.port, "127.0.0.1");
    client.on("data", (bytes: Buffer) => server.write(bytes));
    server.on("data", (bytes: Buffer) => (holding ? held.push(bytes) : client.write(bytes)));
    server.on("end", () => {
      client.write(cut(recordsOf(Buffer.concat(held))), () => end(client));
    });
    for (const socket of [client, server]) {
      socket.on("error", () => {});
      socket.on("close", () => [client, server].map((one) => one.destroy()));
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closing({ close: () => new Promise((resolve) => proxy.close(() => resolve())) });
  const { port } = proxy.address() as net.AddressInfo;
  return { url: `https://localhost:${port}/`, port, requests: target.requests };
}

describe("a body over TLS that lasts until the connection is closed", () => {
  const all = `The body broke off after byte ${BODY.length}`;
  const cuts: [name: string, cut: Cut, arrived: string][] = [
    ["within its record", short(3000), "None of the body arrived"],
    ["one byte before its end", short(1), "None of the body arrived"],
    ["within the header of a record", begun(3), all],
    ["within close_notify", begun(10), all],
  ];
  test.each(cuts)("is cut off %s: down, each time", async (_name, cut, arrived) => {
    const { url, port } = await startCutting(UNTIL_CLOSE, cut);
    for (let times = 0; times < 2; times++) {
      expect(await check(url)).toMatchObject({
        verdict: "failed",
        reasonCode: "body",
        reason: `${arrived}: localhost (127.0.0.1:${port}) closed the connection in the middle of a TLS record.`,
        statusCode: 200,
      });
    }
  });

  test.each([
    ["with close_notify", whole],
    ["without close_notify", withoutCloseNotify],
  ])("is up if it is whole, %s; only the first check sends two requests", async (_name, cut) => {
    const { url, requests } = await startCutting(UNTIL_CLOSE, cut);
    expect(await check(url)).toMatchObject({ verdict: "ok", statusCode: 200, protocol: "http/1.1" });
    expect(requests).toHaveLength(2);
    const outcome = await check(url);
    expect(outcome).toMatchObject({ verdict: "ok", certificate: { valid: true } });
    expect(outcome.phases.tlsUs).toBeGreaterThan(0);
    expect(requests).toHaveLength(3);
  });

  const late: Behaviour = (socket, request) => setTimeout(() => UNTIL_CLOSE(socket, request), 800);
  const seconds: [name: string, second: Behaviour, timeoutMs: number][] = [
    ["hangs", behaviours.hang, 900],
    ["takes long", late, 5_000],
    ["is hung up on", behaviours.hangUp, 5_000],
    ["fails", behaviours.status(500), 5_000],
  ];
  test.each(seconds)(
    "is up, in its own time, if only the second request %s",
    async (_name, second, timeoutMs) => {
      const answers = [UNTIL_CLOSE, second];
      const target = await startTlsTarget({ handler: (...given) => answers.shift()?.(...given) });
      const outcome = await check(target.url, { timeoutMs });
      expect(outcome).toMatchObject({ verdict: "ok", statusCode: 200, protocol: "http/1.1" });
      const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs, totalUs } = outcome.phases;
      const parts = [dnsUs, connectUs, tlsUs, firstByteUs, transferUs].map(Number);
      expect(totalUs).toBeLessThan(800_000);
      expect(parts.reduce((sum, us) => sum + us, 0)).toBeLessThanOrEqual(Number(totalUs) + 5);
      expect(target.requests).toHaveLength(2);
    },
  );

  test("is never requested twice by a method that changes something", async () => {
    const { url, requests } = await startCutting(UNTIL_CLOSE, short(3000));
    expect(await check({ url, method: "POST" })).toMatchObject({ reasonCode: "body" });
    expect(requests).toHaveLength(1);
    const good = await startCutting(UNTIL_CLOSE, whole);
    expect(await check({ url: good.url, method: "POST" })).toMatchObject({ verdict: "ok" });
    expect(good.requests).toHaveLength(1);
  });

  test("is reset: down, whether its records are followed or not", async () => {
    const { url } = await startCutting(UNTIL_CLOSE, withoutCloseNotify, reset);
    for (const method of ["GET", "POST"] as const) {
      const outcome = await check({ url, method });
      expect(outcome).toMatchObject({ verdict: "failed" });
      expect(outcome.reason).toMatch(/^The body broke off after byte \d+: .* reset the connection\.$/);
    }
  });

  test("leaves every other end as it was once its records are followed", async () => {
    const target = await startTlsTarget({ handler: UNTIL_CLOSE });
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
    target.set((socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\nx"));
    expect(await check(target.url, { timeoutMs: 300 })).toMatchObject({ reasonCode: "timeout" });
    target.set(behaviours.body("x".repeat(500_000)));
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
    target.set(behaviours.hangUp);
    expect(await check(target.url)).toMatchObject({ reasonCode: "protocol" });
    await target.refuse();
    expect(await check(target.url)).toMatchObject({ reasonCode: "refused" });
  });
});

describe("other answers over TLS", () => {
  test("a length says what is whole, whatever TLS ends with, and nothing is requested twice", async () => {
    for (const cut of [whole, withoutCloseNotify]) {
      const { url, requests } = await startCutting(inRecords("content-length: 10000\r\n"), cut);
      expect(await check(url)).toMatchObject({ verdict: "ok" });
      expect(requests).toHaveLength(1);
    }
    const { url, port } = await startCutting(inRecords("content-length: 10000\r\n"), short(3000));
    expect(await check(url)).toMatchObject({
      reasonCode: "body",
      reason: `None of the body arrived: localhost (127.0.0.1:${port}) closed the connection.`,
    });
  });

  test("HTTP/2 needs none of it, for no method", async () => {
    const target = closing(await startHttp2Target({ handler: answer(200) }));
    for (const method of ["GET", "POST", "POST"] as const) {
      expect(await check({ url: target.url, method })).toMatchObject({ verdict: "ok", protocol: "h2" });
    }
    expect(target.requests).toHaveLength(3);
  });
});

test("records are followed however they are split", () => {
  const record = (length: number) =>
    Buffer.concat([Buffer.from([23, 3, 3, length >> 8, length & 255]), Buffer.alloc(length, 7)]);
  const bytes = Buffer.concat([record(300), record(0), record(1), record(16_640)]);
  const ends = [305, 310, 316, bytes.length];
  for (const step of [1, 2, 4, 5, 7, 304, 305, 306, bytes.length]) {
    const state: RecordState = { headerBytes: 0, missingBytes: 0 };
    for (let at = 0; at < bytes.length; at += step) {
      followRecords(state, bytes.subarray(at, at + step));
      const arrived = Math.min(at + step, bytes.length);
      expect(isInsideRecord(state)).toBe(!ends.includes(arrived));
    }
  }
});
