import fc from "fast-check";
import { test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { lateStep, type Step, startStory, step } from "./outage-story.ts";

/** One of two that are told of together is up again, and down again, before the channel's hours begin. */
const sharedThenSeparated: Step[] = [
  { is: "later" },
  { is: "down", some: [0, 2] },
  { is: "splitAll" },
  { is: "up", some: [0] },
  { is: "up", some: [0] },
  { is: "down", some: [0] },
];

/** What is held tells of others in the place of what is up by then. */
const upWhileHeld: Step[] = [
  { is: "later" },
  { is: "down", some: [0] },
  { is: "up", some: [0] },
  { is: "down", some: [2, 0] },
  { is: "up", some: [2, 0] },
];

/** What was down together is up while the channel is closed, and one of them flaps by the time it opens. */
const flapsWhenHeard: Step[] = [
  { is: "later" },
  { is: "down", some: [2, 0] },
  { is: "up", some: [2] },
  { is: "down", some: [2] },
  { is: "up", some: [2, 0] },
];

/** Two are down again when the channel opens, and what would have told of both is about one that flaps by then. */
const flapsBesideOneDown: Step[] = [
  { is: "later" },
  { is: "down", some: [2, 0] },
  { is: "up", some: [2, 0] },
  { is: "splitAll" },
  { is: "wait" },
  { is: "down", some: [2, 0] },
  { is: "up", some: [2] },
];

/** One that flaps when it goes down, and stays down. */
const flapsAndStays: Step[] = [
  { is: "down", some: [0] },
  { is: "quiet", which: 0 },
  { is: "up", some: [0] },
  { is: "down", some: [0] },
  { is: "up", some: [0] },
  { is: "down", some: [0] },
  { is: "quiet", which: 0 },
  { is: "down", some: [0] },
];

eachEngine("whatever happens to outages and to their incidents,", (engine) => {
  const follow = async (isLate: boolean, steps: readonly Step[]) => {
    const story = await startStory(engine, { isLate });
    for (const one of steps) {
      await story.take(one);
      await story.drain();
      await story.inspect();
    }
    await story.finish();
  };
  const numRuns = engine === "sqlite" ? 12 : 4;

  test("each told outage has one told end, and none before it is over", { timeout: 1_200_000 }, async () => {
    const steps = fc.array(step, { minLength: 3, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, (all) => follow(false, all)),
      { numRuns, examples: [[flapsAndStays]] },
    );
  });

  test("so it has where messages wait for hours, or for the other side", { timeout: 1_200_000 }, async () => {
    const steps = fc.array(lateStep, { minLength: 4, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, (all) => follow(true, all)),
      { numRuns, examples: [[sharedThenSeparated], [upWhileHeld], [flapsWhenHeard], [flapsBesideOneDown]] },
    );
  });
});
