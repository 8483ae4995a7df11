import { expect, test } from "vitest";
import { rememberShortly } from "../../../src/reports/routes/metrics.ts";

function start() {
  const time = { now: 1_000_000 };
  const makings: PromiseWithResolvers<number>[] = [];
  const read = rememberShortly({ now: () => time.now }, 5_000, (_: string) => {
    makings.push(Promise.withResolvers<number>());
    return makings.at(-1)?.promise ?? Promise.reject(new Error("nothing is made"));
  });
  return { time, makings, read };
}

test("one answer serves all requests within the time, for the same key", async () => {
  const { time, makings, read } = start();
  const first = read("a");
  const other = read("b");
  makings[0]?.resolve(1);
  makings[1]?.resolve(2);
  time.now += 4_999;
  expect(await Promise.all([first, other, read("a")])).toEqual([1, 2, 1]);
  time.now += 1;
  void read("a");
  expect(makings).toHaveLength(3);
});

test("what takes longer than the time is not begun again before it is made", async () => {
  const { time, makings, read } = start();
  const first = read("a");
  time.now += 60_000;
  const second = read("a");
  expect(makings).toHaveLength(1);
  makings[0]?.resolve(7);
  expect(await Promise.all([first, second])).toEqual([7, 7]);
  void read("a");
  expect(makings).toHaveLength(2);
});

test("what fails is made anew, and a clock that was set back keeps nothing young", async () => {
  const { time, makings, read } = start();
  const failed = read("a");
  makings[0]?.reject(new Error("no"));
  await expect(failed).rejects.toThrow("no");
  const second = read("a");
  makings[1]?.resolve(1);
  await second;
  time.now -= 3_600_000;
  void read("a");
  expect(makings).toHaveLength(3);
});
