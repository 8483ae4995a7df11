import { expect, test } from "vitest";
import { playServerAway } from "./server-away.ts";

/** In full, with a minute away: `npm run drill -- agents`. */
test("20 agents bring each report once to a server that was killed and stayed away", {
  timeout: 180_000,
}, async () => {
  const { complaints, made, stored } = await playServerAway({
    ...{ agents: 20, intervalMs: 250, awayMs: 4_000, aroundMs: 2_000 },
    // What they wait before another try in a minute, they wait in these seconds.
    haste: 15,
  });
  expect(complaints).toEqual([]);
  expect(made).toBeGreaterThan(300);
  expect(stored).toBe(made);
});
