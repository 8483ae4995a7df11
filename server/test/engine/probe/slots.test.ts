import { describe, expect, it } from "vitest";
import { lateness99Ms, newLateness, recordLateness } from "../../../src/engine/probe/check-delay.ts";
import { Slots } from "../../../src/engine/probe/running-checks.ts";

describe("places for running checks", () => {
  it("start first come, first served, never more than the limit at once", () => {
    const started: number[] = [];
    const slots = new Slots<number>(3, (item) => started.push(item));
    for (let item = 0; item < 10; item += 1) slots.enter(item, false);
    expect(started).toEqual([0, 1, 2]);
    slots.leave(false);
    slots.leave(false);
    expect(started).toEqual([0, 1, 2, 3, 4]);
    expect(slots.running).toBe(3);
  });

  it("are reserved for quick targets however many slow ones wait", () => {
    const started: string[] = [];
    const slots = new Slots<string>(8, (item) => started.push(item));
    for (let item = 0; item < 1_000; item += 1) slots.enter("slow", true);
    expect(started).toHaveLength(6);
    slots.enter("quick", false);
    expect(started.at(-1)).toBe("quick");
  });

  it("come to slow targets too while quick ones never stop coming", () => {
    const started: string[] = [];
    const slots = new Slots<string>(1, (item) => started.push(item));
    for (let item = 0; item < 50; item += 1) slots.enter("quick", false);
    slots.enter("slow", true);
    for (let ended = 0; ended < 5; ended += 1) slots.leave(started.at(-1) === "slow");
    expect(started).toContain("slow");
  });
});

describe("lateness", () => {
  it("is reported as the 99th percentile over all windows, within a fifth", () => {
    const windows = [newLateness(), newLateness()];
    for (let index = 0; index < 990; index += 1) recordLateness(windows[index % 2]!, 3);
    for (let index = 0; index < 9; index += 1) recordLateness(windows[0]!, 2_000);
    expect(lateness99Ms(windows)).toBeLessThanOrEqual(4);
    for (let index = 0; index < 30; index += 1) recordLateness(windows[1]!, 700);
    expect(lateness99Ms(windows)).toBeGreaterThanOrEqual(700);
    expect(lateness99Ms(windows)).toBeLessThanOrEqual(840);
  });

  it("is 0 before the first check", () => {
    expect(lateness99Ms([])).toBe(0);
    expect(lateness99Ms([newLateness()])).toBe(0);
  });
});
