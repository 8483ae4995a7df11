import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { liveHandlers } from "../src/api/live-events.ts";
import { monitorKeys } from "../src/api/monitor-keys.ts";
import type { Domain } from "../src/api/monitor-list.ts";
import { makeDomain } from "./domain.ts";
import { at, resultOf, statusOf } from "./live.ts";

const parts = ["detail", "results", "summary"] as const;

/** An open page of a domain; `reads` counts how often each part of it was read again. */
function openPageOf(domain: Domain) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const reads = { detail: 0, results: 0, summary: 0 };
  for (const part of parts) {
    const queryKey = monitorKeys[part]("domain", domain.id);
    client.setQueryData(queryKey, domain);
    const queryFn = () => {
      reads[part] += 1;
      return domain;
    };
    new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  }
  return { client, reads, shown: () => client.getQueryData<Domain>(monitorKeys.detail("domain", domain.id)) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

const failed = (domain: Domain) =>
  resultOf(domain, { verdict: "failed", responseTime: null, reason: "The connection was refused." });

test("a check shows at once on its domain's page, and what changes with every check is read again once", () => {
  const domain = makeDomain();
  const { client, reads, shown } = openPageOf(domain);
  liveHandlers.results(client, { results: [failed(domain)] });
  liveHandlers.results(client, { results: [failed(domain)] });
  expect(shown()).toMatchObject({
    lastCheck: at,
    lastReason: "The connection was refused.",
  });
  vi.advanceTimersByTime(1_000);
  expect(reads).toEqual({ detail: 1, results: 1, summary: 0 });
});

test("a change of status shows at once, and everything on the page is read again, even with a check beside it", () => {
  const domain = makeDomain();
  const { client, reads, shown } = openPageOf(domain);
  liveHandlers.status(client, statusOf(domain));
  liveHandlers.results(client, { results: [failed(domain)] });
  expect(shown()).toMatchObject({ state: "down", statusSince: at });
  vi.advanceTimersByTime(1_000);
  expect(reads).toEqual({ detail: 1, results: 1, summary: 1 });
});

test("an event that comes late does not undo what is known, but has it read again", () => {
  const domain = makeDomain({ state: "up", statusSince: "2026-11-21T10:05:00.000Z" });
  const newer = { ...domain, lastCheck: "2026-11-21T10:06:00.000Z" };
  const { client, reads, shown } = openPageOf(newer);
  liveHandlers.status(client, statusOf(domain));
  liveHandlers.results(client, { results: [failed(domain)] });
  expect(shown()).toEqual(newer);
  vi.advanceTimersByTime(1_000);
  expect(reads.detail).toBe(1);
});

test.each([
  ["comes in time", 0],
  ["takes longer than the pause before reading again", 5_000],
])("a first reading from before an event does not win where it %s", async (_, takesMs) => {
  const domain = makeDomain({ state: "unknown", lastCheck: null });
  const queryKey = monitorKeys.detail("domain", domain.id);
  const client = new QueryClient();
  let now = domain;
  const queryFn = async () => {
    const read = now;
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    return read;
  };
  // The page's script is on its way while what it shows is read ahead.
  void client.prefetchQuery({ queryKey, queryFn });
  now = { ...domain, state: "up", lastCheck: at };
  liveHandlers.status(client, statusOf(domain, { state: "up", status: "up", reason: null }));
  await vi.advanceTimersByTimeAsync(100);
  new QueryObserver(client, { queryKey, queryFn, staleTime: 30_000 }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(12_000);
  expect(client.getQueryData<Domain>(queryKey)).toMatchObject({ state: "up", lastCheck: at });
});

test("what happens to other domains leaves the page alone", () => {
  const domain = makeDomain();
  const { client, reads, shown } = openPageOf(domain);
  liveHandlers.results(client, { results: [failed(makeDomain())] });
  expect(shown()).toEqual(domain);
  vi.advanceTimersByTime(1_000);
  expect(reads).toEqual({ detail: 0, results: 0, summary: 0 });
});
