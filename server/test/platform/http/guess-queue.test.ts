import { expect, test } from "vitest";
import { createGuessQueue } from "../../../src/platform/http/rate-limits.ts";

test.each([
  ["twenty guesses at an account", 20, () => "one", "one"],
  ["a thousand guesses at all accounts", 1_000, (n: number) => `account ${n % 50}`, "another"],
])("%s may wait, and as many again once those have waited", async (_name, most, accountOf, more) => {
  let over = Promise.withResolvers<void>();
  const queue = createGuessQueue({ now: () => 0, wait: () => over.promise });
  for (let round = 0; round < 2; round += 1) {
    const waiting = Array.from({ length: most }, (_, n) => queue.wait(accountOf(n), 250));
    const refused = { kind: "rate_limited", retryAfterSeconds: 3 };
    await expect(queue.wait(more, 2_500)).rejects.toMatchObject(refused);
    // Who need not wait is not refused.
    await queue.wait(more, 0);
    over.resolve();
    await Promise.all(waiting);
    over = Promise.withResolvers();
  }
});
