import { expect, test } from "vitest";
import { type BulkAnswer, type Progress, runBulk } from "../src/api/bulk.ts";
import { ApiError } from "../src/api/client.ts";

const items = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1 }));
const quiet = { signal: new AbortController().signal, onProgress: () => {}, pauseMs: 1 };
const allChanged = (ids: number[]): BulkAnswer => ({
  changed: ids.map((id) => ({ id, uuid: "" })),
  unchanged: [],
  failed: [],
});

test("every item is sent once, hundreds a request, one request at a time, and progress counts to the end", async () => {
  const sent: number[][] = [];
  const progress: Progress[] = [];
  let running = 0;
  const send = async (ids: number[]) => {
    expect(running).toBe(0);
    running += 1;
    sent.push(ids);
    await Promise.resolve();
    running -= 1;
    return allChanged(ids);
  };
  const all = items(1_200);
  const outcome = await runBulk(all, send, { ...quiet, onProgress: (now) => progress.push(now) });
  expect(outcome).toEqual({ done: all, failed: [], gone: [], left: [] });
  expect(sent.flat()).toEqual(all.map(({ id }) => id));
  expect(progress).toEqual([
    { through: 0, stoppable: true },
    { through: 500, stoppable: true },
    { through: 1_000, stoppable: false },
    { through: 1_200, stoppable: false },
  ]);
});

test("what failed, what is gone and what was so already are distinguished from what was done", async () => {
  const send = async () => ({
    changed: [{ id: 1, uuid: "" }],
    unchanged: [{ id: 2, uuid: "" }],
    failed: [
      { id: "3", status: 404, message: "Resource not found.", fact: { code: "request.not_found" } },
      { id: "4", status: 422, message: "Too many tags.", fact: { code: "tag.of_a_newer_server" } },
    ],
  });
  const outcome = await runBulk(items(4), send, quiet);
  expect(outcome).toEqual({
    done: [{ id: 1 }],
    gone: [{ id: 3 }],
    failed: [{ item: { id: 4 }, message: "Too many tags." }],
    left: [],
  });
});

test("of a request that is refused all have failed, and the others are sent all the same", async () => {
  const send = async (ids: number[]) => {
    if (ids.includes(1)) throw new ApiError(503, "Service Unavailable");
    return allChanged(ids);
  };
  const { done, failed } = await runBulk(items(700), send, quiet);
  expect([done.length, failed.length]).toEqual([200, 500]);
  expect(failed[0]).toEqual({ item: { id: 1 }, message: "Service Unavailable" });
});

test("where the API limits the rate, the same are sent again after a pause", async () => {
  let refusals = 2;
  const send = async (ids: number[]) => {
    if (refusals-- > 0) throw new ApiError(429, "Too Many Attempts.");
    return allChanged(ids);
  };
  const { done, failed } = await runBulk(items(6), send, quiet);
  expect([done.length, failed]).toEqual([6, []]);
});

test("what waits can be stopped at once, and is left", async () => {
  const stopper = new AbortController();
  const send = () => Promise.reject(new ApiError(429, "Too Many Attempts."));
  const progress: Progress[] = [];
  const onProgress = (now: Progress) => {
    progress.push(now);
    if (now.stoppable) stopper.abort();
  };
  const outcome = await runBulk(items(6), send, { signal: stopper.signal, onProgress, pauseMs: 60_000 });
  expect(outcome).toEqual({ done: [], failed: [], gone: [], left: items(6) });
  expect(progress).toEqual([
    { through: 0, stoppable: false },
    { through: 0, stoppable: true },
    { through: 0, stoppable: false },
  ]);
});

test("once it is stopped nothing new begins, what had begun still counts, and the rest is left", async () => {
  const stopper = new AbortController();
  const send = async (ids: number[]) => {
    stopper.abort();
    return allChanged(ids);
  };
  const { done, left } = await runBulk(items(1_300), send, { ...quiet, signal: stopper.signal });
  expect([done.length, left.length]).toEqual([500, 800]);
});
