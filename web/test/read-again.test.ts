import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readAgainSoon, readingRounds } from "../src/api/read-again.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const client = new QueryClient();
  const invalidated = vi.spyOn(client, "invalidateQueries");
  const read = () => invalidated.mock.calls.map(([filters]) => filters?.queryKey?.join("/"));
  return { client, read };
}

test("what many events name is read once a moment later, and a part not beside its whole", () => {
  const { client, read } = start();
  readAgainSoon(client, ["monitor", "domain", 7, "checks"]);
  readAgainSoon(client, ["incidents"], ["stats"]);
  readAgainSoon(client, ["incidents"], ["monitor", "domain", 7], ["monitor", "domain", 70, "checks"]);
  vi.advanceTimersByTime(999);
  expect(read()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(read().sort()).toEqual(["incidents", "monitor/domain/7", "monitor/domain/70/checks", "stats"]);
  readAgainSoon(client, ["incidents"]);
  vi.advanceTimersByTime(1_000);
  expect(read()).toHaveLength(5);
});

test("rounds with a rest keep it, and lose nothing that came meanwhile", () => {
  const { client, read } = start();
  const readSlowly = readingRounds(3_000);
  readSlowly(client, ["a"]);
  vi.advanceTimersByTime(1_000);
  expect(read()).toEqual(["a"]);
  readSlowly(client, ["b"]);
  vi.advanceTimersByTime(1_500);
  readSlowly(client, ["c"]);
  expect(read()).toEqual(["a"]);
  vi.advanceTimersByTime(1_500);
  expect(read()).toEqual(["a", "b", "c"]);
});

test("what is being read for the first time when it changes is read once more", async () => {
  const { client } = start();
  const answers = ["old", "new"];
  const queryFn = async () => {
    const answer = answers.shift();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return answer;
  };
  const reading = client.fetchQuery({ queryKey: ["maintenance", "list"], queryFn });
  readAgainSoon(client, ["maintenance"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reading).toBe("old");
  expect(client.getQueryState(["maintenance", "list"])?.isInvalidated).toBe(true);
});
