import { describe, expect, test } from "vitest";
import { createReadQueue, type ReadRequest } from "../../../src/platform/database/reader.ts";

const about = (organizationId: number, offset = 0, to = 120_000): ReadRequest => {
  const input = { organizationId, kind: "domain" as const, from: to - 60_000, to, limit: 1, offset };
  return { name: "page by uptime", input };
};

/** A queue whose requests are answered, each with itself, when the test says so. */
function openQueue() {
  const underWay: (PromiseWithResolvers<unknown> & { request: ReadRequest })[] = [];
  const queue = createReadQueue((request) => {
    const pending = { request, ...Promise.withResolvers<unknown>() };
    underWay.push(pending);
    return pending.promise;
  });
  const answerAll = async () => {
    for (let next = underWay.shift(); next; next = underWay.shift()) {
      next.resolve(next.request);
      await new Promise(setImmediate);
    }
  };
  return { queue, underWay, answerAll };
}

const FULL = { kind: "unavailable", retryAfterSeconds: 5 };

describe("the queue of heavy reads", () => {
  test("holds a hundred, of however many organizations, and as many again once those were answered", async () => {
    const { queue, answerAll } = openQueue();
    for (let round = 0; round < 2; round += 1) {
      // One of them is under way.
      const reads = Array.from({ length: 101 }, (_, n) => queue.run(about(n)));
      await expect(queue.run(about(500))).rejects.toMatchObject(FULL);
      await answerAll();
      expect(await Promise.all(reads)).toEqual(reads.map((_, n) => about(n)));
    }
  });

  test("refuses those that wait when it is cleared, and has room for others then", async () => {
    const { queue, underWay, answerAll } = openQueue();
    const first = queue.run(about(0));
    const waiting = Promise.allSettled(Array.from({ length: 100 }, (_, n) => queue.run(about(n + 1))));
    queue.clear();
    for (const one of await waiting) expect(one).toMatchObject({ status: "rejected", reason: FULL });
    expect(underWay).toHaveLength(1);
    const next = Array.from({ length: 100 }, (_, n) => queue.run(about(n)));
    await answerAll();
    expect([await first, (await Promise.all(next)).length]).toEqual([about(0), 100]);
  });

  test("gives those who share an answer that about the newest window", async () => {
    const { queue, answerAll } = openQueue();
    const first = queue.run(about(1));
    const shared = [0, 3, 20].map((ms) => queue.run(about(1, 0, 120_000 + ms)));
    await answerAll();
    expect(await first).toEqual(about(1));
    expect(await Promise.all(shared)).toEqual(shared.map(() => about(1, 0, 120_020)));
  });

  test("lets those who share an answer go on in a turn each", async () => {
    const { queue, answerAll } = openQueue();
    let turn = 0;
    let isOver = false;
    const countTurn = () => {
      turn += 1;
      if (!isOver) setImmediate(countTurn);
    };
    countTurn();
    const reads = [queue.run(about(1)), ...[0, 3, 20].map((ms) => queue.run(about(1, 0, 120_000 + ms)))];
    const turns = Promise.all(reads.map((read) => read.then(() => turn)));
    await answerAll();
    expect(new Set(await turns).size).toBe(reads.length);
    isOver = true;
  });

  test("goes on after a request that fails", async () => {
    const { queue, underWay, answerAll } = openQueue();
    const failing = queue.run(about(1));
    const next = queue.run(about(1));
    underWay.shift()?.reject(new Error("disk I/O error"));
    await expect(failing).rejects.toThrow("disk I/O error");
    await new Promise(setImmediate);
    await answerAll();
    expect(await next).toEqual(about(1));
  });
});
