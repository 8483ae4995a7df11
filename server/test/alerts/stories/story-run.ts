import fc from "fast-check";
import { expect, onTestFinished, vi } from "vitest";
import { startTestServer } from "../../harness/server.ts";
import type { EngineName } from "../../harness/stores.ts";
import { finish, happen, startStory } from "./stories.ts";
import { type Happening, happening } from "./story-happenings.ts";
import { makeOrganization, openStoryStore } from "./story-setup.ts";

/** Side by side, each in a database of its own: most of a story on PostgreSQL is waiting for it. */
const AT_ONCE = { sqlite: 1, postgres: 3 } as const;

/** A server of its own for stories, and what plays one. */
export async function startStories(engine: EngineName) {
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

/** Plays so many random stories, of up to `longest` happenings; the same seed plays the same ones. */
export async function playStories(
  engine: EngineName,
  { stories, seed, longest = 10 }: { stories: number; seed: number; longest?: number },
): Promise<void> {
  const atOnce = AT_ONCE[engine];
  const playSome = async (own: number) => {
    const { server, run } = await startStories(engine);
    const happenings = fc.array(happening, { minLength: 3, maxLength: longest });
    const numRuns = Math.ceil(stories / atOnce);
    const options = { numRuns, seed: own, endOnFailure: false, includeErrorInReport: true };
    await fc.assert(fc.asyncProperty(happenings, run), options);
    const expected = /given up|attempt to send/;
    expect(server.problems.filter(({ message }) => !expected.test(message ?? ""))).toEqual([]);
  };
  await Promise.all(Array.from({ length: atOnce }, (_, at) => playSome(seed + at)));
}
