import { expect, test } from "vitest";
import { runBulk } from "../src/api/bulk.ts";
import { ApiError } from "../src/api/client.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const quiet = { signal: new AbortController().signal, onProgress: () => {}, pauseMs: 1 };

test("every item is done once, four at a time, and progress counts to the end", async () => {
  let running = 0;
  let most = 0;
  const progress: number[] = [];
  const work = async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running -= 1;
  };
  const { done, failed } = await runBulk(numbers(20), work, {
    ...quiet,
    onProgress: (at) => progress.push(at),
  });
  expect(done.toSorted((a, b) => a - b)).toEqual(numbers(20));
  expect([failed, most]).toEqual([[], 4]);
  expect(progress).toEqual(numbers(20).map((at) => at + 1));
});

test("what fails is told apart from what was done, and the rest goes on", async () => {
  const work = async (item: number) => {
    if (item === 3) throw new ApiError(404, "There is no such domain.");
  };
  const { done, failed } = await runBulk(numbers(10), work, quiet);
  expect(done).toHaveLength(9);
  expect(failed).toEqual([{ item: 3, message: "There is no such domain." }]);
});

test("where the API asks to slow down, the item is tried again after a pause", async () => {
  let refusals = 2;
  const work = async () => {
    if (refusals-- > 0) throw new ApiError(429, "Too Many Attempts.");
  };
  const { done, failed } = await runBulk(numbers(6), work, quiet);
  expect([done.length, failed]).toEqual([6, []]);
});

test("once it is stopped nothing new begins, and what had begun still counts", async () => {
  const stopper = new AbortController();
  let begun = 0;
  const work = async () => {
    begun += 1;
    if (begun === 6) stopper.abort();
    await Promise.resolve();
  };
  const { done } = await runBulk(numbers(100), work, { ...quiet, signal: stopper.signal });
  expect(done).toHaveLength(begun);
  expect(begun).toBeLessThan(12);
});
