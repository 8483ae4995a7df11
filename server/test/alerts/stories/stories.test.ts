import { env } from "node:process";
import { test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import type { Happening } from "./story-happenings.ts";
import { playStories, startStories } from "./story-run.ts";

/** More by hand: STORIES=50000 npx vitest run server/test/alerts/stories/stories.test.ts; SEED=7 begins elsewhere. 900 more are in more-stories.test.ts. */
const BY_HAND = Number(env["STORIES"] ?? 0);
const SEED = Number(env["SEED"] ?? 1);
const OF_ENGINE = { sqlite: 900, postgres: 200 } as const;

const down = (...some: number[]): Happening => ({ is: "down", some, why: "refused" });
const up = (...some: number[]): Happening => ({ is: "up", some, why: "refused" });
const filter = (channel: number, events: string[]): Happening => ({
  is: "filter",
  channel,
  filter: { events },
});
const HOUR_MS = 3_600_000;

/** Stories that once went wrong. Channel 0 is everybody's, 4 a machine's; M7 depends on M6, M8 on M7. */
const EXAMPLES: Readonly<Record<string, readonly Happening[]>> = {
  "what is critical is not held back by a parent that quiet hours hold": [
    ...[{ is: "pass", ms: 8 * HOUR_MS } as const, down(6), down(7), { is: "pass", ms: HOUR_MS } as const],
  ],
  "a pager has one alert of what joined another incident": [
    ...[down(0, 3), { is: "merge" } as const, { is: "burst" } as const, down(0)],
  ],
  "a pager's alert of a parent is not closed when its incident is separated again": [
    ...[down(0, 6), { is: "merge" } as const, down(7, 0), { is: "split" } as const],
    { is: "pass", ms: HOUR_MS },
  ],
  "a parent whose incident was deleted is not up when its child goes down": [
    ...[down(6), { is: "forget" } as const, down(7)],
    { is: "pass", ms: HOUR_MS },
  ],
  "what flaps is not stable when a channel no longer wants to know of that": [
    ...[{ is: "flap", which: 0 } as const, filter(0, ["monitor.down", "monitor.up"])],
  ],
  "a channel that works again is not sent anew what it knows": [
    ...[down(3, 0), up(3), down(3, 0)],
    ...[{ is: "break", channel: 0 } as const, down(1), { is: "switch", channel: 1 } as const, down(6)],
  ],
  "what quiet hours end with names no end of what is down again": [
    { is: "pass", ms: 8 * HOUR_MS },
    ...[down(5, 0), up(5, 0), down(5, 0)],
    ...[{ is: "break", channel: 0 } as const, { is: "merge" } as const, down(0)],
  ],
  "what was listed behind another, goes on alone and recovers soon has an end": [
    ...[down(8, 7, 0), up(7), down(8), up(8, 0), down(0), { is: "flap", which: 0 } as const, down(0)],
  ],
  "a pager's alert lists what is down behind what it was opened for, whatever that was merged into": [
    ...[down(0, 7), { is: "merge" } as const, down(8), { is: "filter", channel: 0, filter: {} } as const],
    down(0),
  ],
  "what is down behind something is listed with it though its incident was deleted": [
    ...[{ is: "burst" } as const, { is: "merge" } as const, { is: "forget" } as const, down(0), down(0)],
  ],
  "what was listed behind another is announced by itself, also when both were up for a moment": [
    ...[{ is: "burst" } as const, up(8, 7), down(8, 0), down(0), down(0)],
    { is: "filter", channel: 0, filter: {} },
  ],
  "a channel that was off is not sent the end of what is down again behind another": [
    ...[{ is: "burst" } as const, { is: "window", which: 7 } as const, down(0), up(8, 0)],
    ...[{ is: "switch", channel: 0 } as const, down(8)],
    ...[{ is: "break", channel: 0 } as const, { is: "break", channel: 0 } as const],
  ],
  "a machine that wants no ends is sent none of what flaps": [
    ...[down(0), filter(4, ["monitor.down"]), { is: "pass", ms: 7 * HOUR_MS } as const],
    ...[{ is: "flap", which: 0 } as const, down(1), down(0), { is: "merge" } as const],
  ],
  "a pager's alert lists all that is down behind what it was opened for, one behind another": [
    ...[down(6), { is: "severity", which: 6 } as const, { is: "break", channel: 5 } as const, down(0)],
    ...[{ is: "pass", ms: 6_000 } as const, { is: "burst" } as const],
  ],
  "a machine that refuses an earlier outage is sent the one that waited behind it": [
    ...[
      { is: "break", channel: 4 } as const,
      { is: "burst" } as const,
      { is: "refuse", channel: 4 } as const,
    ],
    ...[{ is: "pass", ms: 6_000 } as const, down(0), down(0)],
  ],
  "a machine that wants no ends is sent none of what is paused": [
    ...[filter(4, ["monitor.down"]), down(0), { is: "pause", which: 0 } as const],
  ],
};

eachEngine("stories", (engine) => {
  test("leave every channel knowing what is so", { timeout: BY_HAND > 0 ? 0 : 400_000 }, () =>
    playStories(engine, {
      stories: BY_HAND || OF_ENGINE[engine],
      ...{ seed: SEED, longest: BY_HAND > 0 ? 16 : 10 },
    }),
  );

  test.each(Object.entries(EXAMPLES))("%s", async (_, story) => {
    const { run } = await startStories(engine);
    await run(story);
  });
});
