import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Outbox } from "../../../src/engine/probe/worker-main.ts";
import { DiskQueue } from "../../../src/engine/queue/queue.ts";
import type { QueueRecord } from "../../../src/engine/queue/record.ts";
import { eventually } from "../../harness/eventually.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { aResult, temporaryFolder } from "../probe/factories.ts";

function outboxOn(folder: string) {
  const queue = new DiskQueue({ folder, log: recordingLog() });
  const posted: (QueueRecord & { atMs: number })[] = [];
  const outbox = new Outbox(queue, (batches) =>
    posted.push(...batches.map((batch) => ({ ...batch, atMs: performance.now() }))),
  );
  return { outbox, posted, sent: () => posted.reduce((sum, { count }) => sum + count, 0) };
}

describe("outbox", () => {
  it("sends urgent results at once, and collects the others", async () => {
    const { outbox, posted, sent } = outboxOn(temporaryFolder());
    const startMs = performance.now();
    outbox.add(aResult(), false);
    await eventually(sent, (count) => count === 1);
    expect(posted[0]!.atMs - startMs).toBeGreaterThanOrEqual(200);
    const urgentMs = performance.now();
    outbox.add(aResult(), false);
    outbox.add(aResult(), true);
    await eventually(sent, (count) => count === 3);
    expect(posted.at(-1)!.atMs - urgentMs).toBeLessThan(200);
  });

  it("has results on disk long before they are sent", async () => {
    const folder = temporaryFolder();
    const { outbox, posted } = outboxOn(folder);
    outbox.add(aResult(), false);
    const pending = () => new DiskQueue({ folder, log: recordingLog() }).pending;
    const deadlineMs = performance.now() + 200;
    while (pending() === 0 && performance.now() < deadlineMs)
      await new Promise((resolve) => setImmediate(resolve));
    expect(pending()).toBe(1);
    expect(posted).toEqual([]);
  });

  it("lets some results of a batch carry what their check saw, and none where the disk has no room for it", () => {
    const evidence = { method: "GET" } as never;
    const carrying = (folder: string, batches: number) => {
      const { outbox, posted } = outboxOn(folder);
      for (let made = 0; made < 500 * batches; made += 1) outbox.add(aResult({ evidence }), false);
      return posted.map(({ payload }) => payload.split('"evidence"').length - 1);
    };
    expect(carrying(temporaryFolder(), 2)).toEqual([64, 64]);
    const full = temporaryFolder();
    symlinkSync("/dev/full", join(full, "0000000000000001.segment"));
    // The first finds out that there is none.
    expect(carrying(full, 3)).toEqual([64, 0, 0]);
  });

  it("drops routes, which come by themselves, where the disk has no room for them", () => {
    const route = { hops: [], isReached: false, problem: null };
    const carried = (folder: string) => {
      const { outbox, posted } = outboxOn(folder);
      for (let made = 0; made < 2_000; made += 1) outbox.add(aResult(made % 2 === 0 ? {} : { route }), false);
      outbox.flush();
      return posted.flatMap(({ payload }) => JSON.parse(payload)).filter((result) => "route" in result)
        .length;
    };
    expect(carried(temporaryFolder())).toBeGreaterThan(64);
    const full = temporaryFolder();
    symlinkSync("/dev/full", join(full, "0000000000000001.segment"));
    expect(carried(full)).toBe(64);
  });

  it("sends five hundred without waiting", () => {
    const { outbox, sent } = outboxOn(temporaryFolder());
    for (let made = 0; made < 500; made += 1) outbox.add(aResult(), false);
    expect(sent()).toBe(500);
  });

  it("has a bounded number under way, and sends the rest as they are acknowledged", () => {
    const { outbox, posted, sent } = outboxOn(temporaryFolder());
    for (let made = 0; made < 10_000; made += 1) outbox.add(aResult({ monitorId: made }), false);
    expect(sent()).toBe(2_000);
    expect(outbox.pending).toBe(10_000);
    for (let next = 0; next < posted.length; next += 1) outbox.acknowledge(posted[next]!.sequence);
    expect(sent()).toBe(10_000);
    expect(outbox.pending).toBe(0);
    const monitorIds = posted.flatMap(({ payload }) => JSON.parse(payload)).map((result) => result.monitorId);
    expect(monitorIds).toEqual(Array.from({ length: 10_000 }, (_, index) => index));
  });
});
