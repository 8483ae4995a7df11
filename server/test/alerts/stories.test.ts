import { env } from "node:process";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { happening, startStory } from "./stories.ts";

/** More by hand: STORIES=50000 npx vitest run server/test/alerts/stories.test.ts */
const STORIES = Number(env["STORIES"] ?? 0);
const OF_ENGINE = { sqlite: 60, postgres: 20 } as const;

eachEngine("random stories", (engine) => {
  test("leave every channel knowing what is so", { timeout: STORIES > 0 ? 0 : 110_000 }, async () => {
    const clock = { ms: Date.UTC(2026, 10, 22, 12) };
    const server = await startTestServer({
      ...{ engine, clock: { now: () => clock.ms, wait: async () => {} } },
      config: { publicUrl: "https://vedette.test" },
    });
    onTestFinished(() => server.close());
    const happenings = fc.array(happening, { minLength: 3, maxLength: 16 });
    const delivered = fc.asyncProperty(happenings, async (all) => {
      const story = await startStory(server, clock);
      for (const one of all) {
        await story.take(one);
        await story.deliver();
      }
      await story.finish();
    });
    await fc.assert(delivered, {
      numRuns: STORIES || OF_ENGINE[engine],
      endOnFailure: false,
      includeErrorInReport: true,
    });
    const expected = /given up|attempt to send/;
    expect(server.problems.filter(({ message }) => !expected.test(message ?? ""))).toEqual([]);
  });
});
