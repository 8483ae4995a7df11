import { describe, expect, test } from "vitest";
import { foldActivity } from "../src/overview/fold-activity.ts";
import { change, start } from "./activity.ts";

const minuteMs = 60_000;
const summarize = (items: Parameters<typeof foldActivity>[0]) =>
  foldActivity(items).map(({ at, word, count }) => [at, word, count]);
const spanOf = (fromMinute: number, toMinute: number) => ({
  fromMs: start + fromMinute * minuteMs,
  toMs: start + toMinute * minuteMs,
});

describe("a time in which nothing was checked", () => {
  test("is one line for all monitors, dated from the first that fell silent to the first that reported again", () => {
    const items = [
      change(14, "unknown", "up", { monitorId: 2 }),
      change(13, "unknown", "up"),
      change(11, "up", "unknown", { monitorId: 2 }),
      change(10, "up", "unknown"),
      change(2, "up", "down", { monitorId: 3 }),
    ];
    expect(summarize(items)).toEqual([
      [0, "offline", 4],
      [4, "down", 1],
    ]);
    expect(foldActivity(items)[0]?.span).toEqual(spanOf(10, 13));
  });

  test("goes on while a monitor has not reported again", () => {
    const items = [change(13, "unknown", "up"), change(11, "up", "unknown", { monitorId: 2 })];
    expect(summarize(items)).toEqual([
      [0, "up", 1],
      [1, "silent", 1],
    ]);
  });

  test("does not hide what happened meanwhile, but what went on has no line", () => {
    const over = [change(13, "unknown", "down"), change(10, "up", "unknown")];
    expect(summarize(over)).toEqual([
      [0, "down", 1],
      [1, "offline", 1],
    ]);
    const same = [change(13, "unknown", "down"), change(10, "down", "unknown"), change(4, "up", "down")];
    expect(summarize(same)).toEqual([
      [0, "offline", 2],
      [2, "down", 1],
    ]);
  });

  test("is apart from another one, and a pause is none", () => {
    const items = [
      change(40, "unknown", "up"),
      change(38, "up", "unknown"),
      change(13, "unknown", "up"),
      change(10, "up", "unknown"),
      change(5, "unknown", "up"),
      change(3, "up", "unknown", { reason: "paused" }),
    ];
    expect(summarize(items)).toEqual([
      [0, "offline", 2],
      [2, "offline", 2],
      [4, "up", 1],
      [5, "paused", 1],
    ]);
  });
});

describe("a monitor that keeps changing", () => {
  const turns = (minutes: readonly number[]) =>
    minutes.map((minute, at) => (at % 2 === 0 ? change(minute, "down", "up") : change(minute, "up", "down")));

  test("is one line with how often it changed and in which time", () => {
    const [line] = foldActivity(turns([10, 8, 6, 5, 3, 2]));
    expect(line).toMatchObject({ at: 0, word: "flapping", count: 6, span: spanOf(2, 10) });
  });

  test.each([
    ["three changes", turns([10, 8, 6])],
    ["changes that are further apart than ten minutes", turns([50, 39, 28, 17])],
    ["changes of several monitors", turns([10, 8, 6, 4]).map((item, at) => ({ ...item, monitorId: at }))],
  ])("is not what %s make", (_what, items) => {
    expect(foldActivity(items).map(({ word }) => word)).not.toContain("flapping");
  });

  test("is one of several lines, each change by itself", () => {
    const [last, ...before] = turns([10, 8, 6, 4]);
    const other = change(9, "up", "down", { monitorId: 2 });
    expect(summarize([last as never, other, ...before])).toEqual([
      [0, "flapping", 4],
      [1, "down", 1],
    ]);
  });
});
