import { env } from "node:process";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { finish, happen, startStory } from "./stories.ts";
import { type Happening, happening } from "./story-happenings.ts";
import { makeOrganization, openStoryStore } from "./story-setup.ts";

/** More by hand: STORIES=50000 npx vitest run server/test/alerts/stories.test.ts; SEED=1 begins elsewhere. */
const STORIES = Number(env["STORIES"] ?? 0);
const SEED = Number(env["SEED"] ?? 1);
const OF_ENGINE = { sqlite: 1_000, postgres: 120 } as const;
const LONGEST = STORIES > 0 ? 16 : 10;
/** Side by side, each in a database of its own: most of a story on PostgreSQL is waiting for it. */
const AT_ONCE = { sqlite: 1, postgres: 3 } as const;

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
  "what flaps has not settled when a channel wants to know of that no more": [
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
  "a machine that wants no ends is sent none of what is paused": [
    ...[filter(4, ["monitor.down"]), down(0), { is: "pause", which: 0 } as const],
  ],
};

async function startStories(engine: EngineName) {
  const clock = { ms: Date.UTC(2026, 10, 22, 12) };
  const store = await openStoryStore(engine);
  onTestFinished(() => store.close());
  const server = await startTestServer({
    ...{ engine, store, clock: { now: () => clock.ms, wait: async () => {} } },
    config: { publicUrl: "https://vedette.test" },
  });
  onTestFinished(() => server.close());
  // A story that goes wrong goes wrong again.
  const random = vi.spyOn(Math, "random").mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  const organization = await makeOrganization(server);
  const run = async (all: readonly Happening[]) => {
    const story = await startStory(server, organization, clock);
    for (const one of all) await happen(story, one);
    await finish(story);
  };
  return { server, run };
}

eachEngine("stories", (engine) => {
  test("leave every channel knowing what is so", { timeout: STORIES > 0 ? 0 : 400_000 }, async () => {
    const atOnce = AT_ONCE[engine];
    const numRuns = Math.ceil((STORIES || OF_ENGINE[engine]) / atOnce);
    const tellSome = async (seed: number) => {
      const { server, run } = await startStories(engine);
      const happenings = fc.array(happening, { minLength: 3, maxLength: LONGEST });
      const options = { numRuns, seed, endOnFailure: false, includeErrorInReport: true };
      await fc.assert(fc.asyncProperty(happenings, run), options);
      const expected = /given up|attempt to send/;
      expect(server.problems.filter(({ message }) => !expected.test(message ?? ""))).toEqual([]);
    };
    await Promise.all(Array.from({ length: atOnce }, (_, at) => tellSome(SEED + at)));
  });

  test.each(Object.entries(EXAMPLES))("%s", async (_, story) => {
    const { run } = await startStories(engine);
    await run(story);
  });
});
