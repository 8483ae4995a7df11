import { expect, test } from "vitest";
import { ownTurn, takeTurns } from "../../src/platform/turns.ts";

/** In which turn of the event loop each of these goes on. */
async function turnsOf(all: readonly (() => Promise<void>)[]): Promise<number[]> {
  let turn = 0;
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const seen = await Promise.all(all.map((wait) => wait().then(() => turn)));
  isDone = true;
  return seen;
}

test("of many who wait for a turn each has one of its own", async () => {
  const turns = await turnsOf(Array.from({ length: 20 }, () => ownTurn));
  expect(new Set(turns).size).toBe(20);
});

test("of many who give way after long work no two go on in the same turn", async () => {
  const all = Array.from({ length: 10 }, () => takeTurns());
  const until = performance.now() + 6;
  while (performance.now() < until) continue;
  expect(new Set(await turnsOf(all)).size).toBe(10);
});
