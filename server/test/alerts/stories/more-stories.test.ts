import { test } from "vitest";
import { playStories } from "./story-run.ts";

// In a file of their own: both halves run at the same time.
test("900 more stories leave every channel knowing what is so", { timeout: 400_000 }, () =>
  playStories("sqlite", { stories: 900, seed: 1001 }),
);
