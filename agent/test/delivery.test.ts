import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import type { DiskQueueOptions } from "../../server/src/engine/queue/queue.ts";
import { DiskQueue } from "../../server/src/engine/queue/queue.ts";
import { Delivery, type DeliveryOptions, type Waiting } from "../src/link/delivery.ts";
import { connectTo } from "../src/link/http.ts";
import { createLog } from "../src/log.ts";

interface Sent {
  sentAt: number;
  dropped: number;
  reports: { sequence: number; at: number; metrics: Record<string, number> }[];
}
/** What the server answers to each request: a status, and its data; a number alone has none. */
type Answers = (sent: Sent) => number | { status: number; data?: object; retryAfter?: number };

const machine = { machineId: null, bootId: "boot", run: "run" };

async function setUp(answers: Answers, bounds?: Partial<DiskQueueOptions>) {
  const requests: Sent[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as Sent;
    requests.push(sent);
    const answer = answers(sent);
    const { status, data, retryAfter } = typeof answer === "number" ? { status: answer } : answer;
    response.statusCode = status;
    if (retryAfter) response.setHeader("retry-after", retryAfter);
    response.end(JSON.stringify({ success: status < 300, message: "What the server says.", data }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const folder = mkdtempSync(join(tmpdir(), "vedette-agent-queue-"));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const post = connectTo(new URL(`http://127.0.0.1:${port}/`), null);
  return { requests, folder, ...begin(folder, { post, ...(bounds && { bounds }) }) };
}

/** An agent that begins with what is in that folder. */
function begin(
  folder: string,
  { bounds, ...more }: Pick<DeliveryOptions, "post"> & { bounds?: Partial<DiskQueueOptions> },
) {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const queue = new DiskQueue({ folder, log, ...bounds });
  const clock = { now: 0 };
  const said = { intervals: [] as object[], revoked: 0, admitted: 0 };
  const delivery = new Delivery({
    ...{ queue, log, machine, token: "vda_token", instance: "i", version: "1", ...more },
    onIntervals: (requested) => void said.intervals.push(requested),
    onRevoked: () => void (said.revoked += 1),
    onAdmitted: () => void (said.admitted += 1),
    random: () => 0,
    now: () => clock.now,
  });
  const collect = (value: number, taken: Partial<Waiting["taken"]> = {}) => {
    const waiting = {
      taken: { wall: Date.now(), up: 0, bootId: "boot", ...taken },
      report: { metrics: { "cpu.usage": value } },
    };
    queue.append(JSON.stringify(waiting), 1);
  };
  return { queue, delivery, clock, said, lines, collect, post: more.post };
}

const valuesOf = (requests: readonly Sent[]) =>
  requests.flatMap(({ reports }) => reports.map(({ metrics }) => metrics["cpu.usage"]));

it("sends what waits in order, and strikes it off", async () => {
  const { collect, delivery, requests, queue, said } = await setUp(() => ({
    status: 200,
    data: { intervals: { metrics: 20 } },
  }));
  for (const value of [1, 2, 3]) collect(value);
  await delivery.deliver();
  expect(valuesOf(requests)).toEqual([1, 2, 3]);
  expect(requests[0]?.reports.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(queue.pending).toBe(0);
  expect(said.intervals).toEqual([{ metrics: 20 }]);
});

it("keeps everything while the server is away, and says so once", async () => {
  let isAway = true;
  const { collect, delivery, clock, requests, queue, lines } = await setUp(() => (isAway ? 503 : 200));
  for (let at = 1; at <= 5; at += 1) {
    collect(at);
    await delivery.deliver();
    clock.now += 600_000;
  }
  expect(queue.pending).toBe(5);
  expect(lines.filter((line) => line.startsWith("warn"))).toHaveLength(1);
  isAway = false;
  requests.length = 0;
  await delivery.deliver();
  expect(valuesOf(requests)).toEqual([1, 2, 3, 4, 5]);
  expect(queue.pending).toBe(0);
});

it("does not try again before it may", async () => {
  const { collect, delivery, clock, requests } = await setUp(() => ({ status: 429, retryAfter: 60 }));
  collect(1);
  await delivery.deliver();
  clock.now = 59_000;
  await delivery.deliver();
  expect(requests).toHaveLength(1);
  clock.now = 61_000;
  await delivery.deliver();
  expect(requests).toHaveLength(2);
});

it("brings after a restart what the server has not acknowledged, under the same sequences", async () => {
  const { collect, delivery, folder, queue, post, requests } = await setUp(({ reports }) =>
    reports[0]?.sequence === 1 ? { status: 200, data: { acknowledged: 2 } } : 503,
  );
  for (const value of [1, 2, 3]) collect(value);
  await delivery.deliver();
  queue.close();
  requests.length = 0;
  const again = begin(folder, { post });
  again.collect(4);
  await again.delivery.deliver();
  // What was acknowledged may come again: the server knows it by its sequence.
  const sequences = requests[0]?.reports.map(({ sequence }) => sequence);
  expect(sequences?.slice(-2)).toEqual([3, 4]);
  expect(valuesOf(requests)).toEqual(sequences);
});

it("gives up the one report that the server refuses, and no other", async () => {
  const { collect, delivery, requests, queue, lines } = await setUp(({ reports }) =>
    reports.some(({ metrics }) => metrics["cpu.usage"] === 3) ? 422 : 200,
  );
  for (const value of [1, 2, 3, 4, 5]) collect(value);
  await delivery.deliver();
  expect(queue.pending).toBe(0);
  const taken = requests.filter(({ reports }) => reports.every(({ metrics }) => metrics["cpu.usage"] !== 3));
  expect(valuesOf(taken)).toEqual([1, 2, 4, 5]);
  expect(taken.at(-1)?.dropped).toBe(1);
  expect(lines.join("")).toContain("refuses a report");
});

it("stops at a revoked token, and says so once an hour", async () => {
  const { collect, delivery, clock, requests, queue, said, lines } = await setUp(() => 401);
  for (let minute = 0; minute < 120; minute += 1) {
    collect(minute);
    await delivery.deliver();
    clock.now += 60_000;
  }
  expect(requests).toHaveLength(2);
  expect(said.revoked).toBe(2);
  expect(lines.filter((line) => line.includes("refuses this token"))).toHaveLength(2);
  expect(queue.pending).toBe(120);
});

it("says once that the server takes a token again which it had refused", async () => {
  let status = 200;
  const { collect, delivery, clock, said } = await setUp(() => status);
  const seen: number[] = [];
  for (const next of [200, 401, 401, 200, 200, 401, 200]) {
    status = next;
    collect(1);
    await delivery.deliver();
    clock.now += 3_600_000;
    seen.push(said.admitted);
  }
  expect(seen).toEqual([0, 0, 0, 1, 1, 1, 2]);
});

it("says how long ago a report was by the time since the machine started, also where its clock was set", async () => {
  const { collect, delivery, requests } = await setUp(() => 200);
  const { uptime } = await import("node:os");
  const up = Math.round(uptime() * 1000) - 60_000;
  collect(1, { wall: Date.now() + 365 * 86_400_000, up });
  await delivery.deliver();
  const [sent] = requests;
  expect(Math.round(((sent?.sentAt ?? 0) - (sent?.reports[0]?.at ?? 0)) / 1000)).toBe(60);
});

it("gives up what is older than a day, and counts it", async () => {
  const { collect, delivery, requests } = await setUp(() => 200);
  collect(1, { wall: Date.now() - 25 * 3_600_000, bootId: "before" });
  collect(2);
  await delivery.deliver();
  expect(valuesOf(requests)).toEqual([2]);
  expect(requests[0]?.dropped).toBe(1);
});

it("keeps as much as it may on disk, drops the oldest and reports how many", async () => {
  let isAway = true;
  const bounds = { maxBytes: 16_384, segmentBytes: 4_096, memoryResults: 10 };
  const { collect, delivery, clock, requests } = await setUp(() => (isAway ? 503 : 200), bounds);
  for (let value = 1; value <= 1_000; value += 1) collect(value);
  await delivery.deliver();
  clock.now += 600_000;
  isAway = false;
  requests.length = 0;
  await delivery.deliver();
  const values = valuesOf(requests) as number[];
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(values.at(-1)).toBe(1_000);
  expect(values.length).toBeLessThan(300);
  expect(requests.at(-1)?.dropped).toBe(1_000 - values.length);
});

it("says that this machine's clock is wrong, once an hour while it is", async () => {
  let wrongBy = 3_600_000;
  const { collect, delivery, clock, lines } = await setUp(() => ({
    status: 200,
    data: { serverTime: Date.now() - wrongBy },
  }));
  const said = () => lines.filter((line) => line.includes("clock"));
  for (let minute = 0; minute < 90; minute += 1) {
    collect(minute);
    await delivery.deliver();
    clock.now += 60_000;
  }
  expect(said()).toHaveLength(2);
  expect(said()[0]).toMatch(/^warn: This machine's clock is 36\d\d s ahead of the server's/);
  wrongBy = 0;
  clock.now += 3_600_000;
  collect(0);
  await delivery.deliver();
  expect(said()).toHaveLength(2);
});

it("answers an agent whose place is taken by keeping its reports", async () => {
  const { collect, delivery, queue, lines } = await setUp(() => 409);
  collect(1);
  await delivery.deliver();
  expect(queue.pending).toBe(1);
  expect(lines.join("")).toContain("What the server says.");
});

it("counts on from what the server knows where its own count was lost", async () => {
  let known = 100;
  const { collect, delivery, requests, queue } = await setUp(({ reports }) => {
    known = Math.max(known, reports.at(-1)?.sequence ?? 0);
    return { status: 200, data: { acknowledged: known } };
  });
  collect(1);
  await delivery.deliver();
  collect(2);
  await delivery.deliver();
  expect(requests.at(-1)?.reports.map(({ sequence }) => sequence)).toEqual([101]);
  collect(3);
  await delivery.deliver();
  expect(valuesOf(requests)).toEqual([1, 2, 3]);
  expect(queue.pending).toBe(0);
});

it("does not stop at a queue of which the beginning is too old", async () => {
  const { collect, delivery, requests } = await setUp(() => 200);
  for (let at = 0; at < 150; at += 1) collect(at, { wall: Date.now() - 25 * 3_600_000, bootId: "before" });
  collect(1_000);
  await delivery.deliver();
  expect(valuesOf(requests)).toEqual([1_000]);
  expect(requests[0]?.dropped).toBe(150);
});
