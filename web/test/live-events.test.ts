import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { liveHandlers } from "../src/api/live-events.ts";
import { type Domain, monitorPageQuery } from "../src/api/monitor-list.ts";
import { monitorKinds } from "../src/kinds.ts";
import { makeDomain } from "./domain.ts";
import { resultOf, statusOf } from "./live.ts";

const { queryKey } = monitorPageQuery(
  monitorKinds.domain,
  { state: undefined, search: "", sort: "status" },
  2,
);

function cacheWith(domains: Domain[]): QueryClient {
  const client = new QueryClient();
  client.setQueryData(queryKey, { monitors: domains, total: domains.length });
  return client;
}

const shown = (client: QueryClient) => client.getQueryData(queryKey)?.monitors ?? [];
/** Whether the list is read again within the time in which such requests are collected. */
function isToBeReadAgain(client: QueryClient): boolean {
  vi.advanceTimersByTime(60_000);
  return client.getQueryState(queryKey)?.isInvalidated ?? false;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

describe("a status event", () => {
  test("changes that domain in the list, and no other", () => {
    const [one, other] = [makeDomain(), makeDomain()];
    const client = cacheWith([one, other]);
    liveHandlers.status(client, statusOf(one));
    expect(shown(client)).toEqual([
      {
        ...one,
        state: "down",
        statusSince: "2026-11-21T10:00:00.000Z",
        lastReason: "The connection was refused.",
      },
      other,
    ]);
  });

  test("of a pause pauses it in the list, and one of a check after that resumes it", () => {
    const domain = makeDomain();
    const client = cacheWith([domain]);
    liveHandlers.status(client, statusOf(domain, { state: "unknown", status: "unknown", reason: "paused" }));
    expect(shown(client)).toMatchObject([{ enabled: false, state: "paused" }]);
    liveHandlers.status(client, statusOf(domain, { state: "up", status: "up", reason: null }));
    expect(shown(client)).toMatchObject([{ enabled: true, state: "up" }]);
  });

  test("does not make a page pass for fresh that is still to be read again", async () => {
    const domain = makeDomain();
    const client = cacheWith([domain]);
    await client.invalidateQueries({ queryKey });
    liveHandlers.status(client, statusOf(domain));
    expect(shown(client)).toMatchObject([{ state: "down" }]);
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });

  test("does not make a page pass for current that could not be read again", () => {
    const domain = makeDomain();
    const client = cacheWith([domain]);
    const query = client.getQueryCache().find({ queryKey });
    query?.setState({ status: "error", error: new Error("The server is away."), dataUpdatedAt: 5 });
    liveHandlers.status(client, statusOf(domain));
    expect(shown(client)).toMatchObject([{ state: "down" }]);
    expect(query?.state).toMatchObject({ error: { message: "The server is away." }, dataUpdatedAt: 5 });
  });

  test("has the list read again a moment later, for the uptime or for a domain that it lacks", () => {
    const domain = makeDomain();
    const client = cacheWith([domain]);
    liveHandlers.status(client, statusOf(makeDomain()));
    expect(shown(client)).toEqual([domain]);
    expect(isToBeReadAgain(client)).toBe(true);
  });

  test("that comes with a thousand others has the list, the counts and previews of pages read once", () => {
    const client = cacheWith([makeDomain()]);
    const invalidate = vi.spyOn(client, "invalidateQueries");
    for (let at = 0; at < 1000; at += 1) liveHandlers.status(client, statusOf(makeDomain()));
    vi.advanceTimersByTime(60_000);
    expect(invalidate).toHaveBeenCalledTimes(3);
  });

  test("of a service changes it in the list of services, which alone is read again", () => {
    const service = makeDomain();
    const client = cacheWith([service]);
    const { queryKey: listKey } = monitorPageQuery(
      monitorKinds.service,
      { state: undefined, search: "", sort: "status" },
      0,
    );
    client.setQueryData(listKey, { monitors: [service], total: 1 });
    liveHandlers["service.status"](client, statusOf(service, { kind: "service" }));
    expect(client.getQueryData(listKey)?.monitors).toMatchObject([{ state: "down" }]);
    expect(isToBeReadAgain(client)).toBe(false);
    expect(client.getQueryState(listKey)?.isInvalidated).toBe(true);
  });

  test("of a service leaves the domain with the same number alone", () => {
    const domain = makeDomain();
    const client = cacheWith([domain]);
    liveHandlers.status(client, statusOf(domain, { kind: "service" }));
    expect(shown(client)).toEqual([domain]);
  });
});

describe("that monitors were changed", () => {
  test.each([
    ["monitor.changed", true],
    ["service.changed", false],
  ] as const)("as %s has the list of domains read again: %s", (type, isRead) => {
    const domain = makeDomain();
    const client = cacheWith([domain]);
    liveHandlers[type](client, { monitorId: domain.id, monitorIds: [domain.id] });
    expect(isToBeReadAgain(client)).toBe(isRead);
  });
});

describe("results", () => {
  test("bring the response time and the time of the check", () => {
    const domain = makeDomain();
    const client = cacheWith([domain]);
    liveHandlers.results(client, { results: [resultOf(domain)] });
    expect(shown(client)).toEqual([
      {
        ...domain,
        responseTime: 12.5,
        lastCheck: "2026-11-21T10:00:00.000Z",
        lastReason: null,
        lastReasonFact: null,
      },
    ]);
    expect(isToBeReadAgain(client)).toBe(false);
  });

  test("that failed keep the last response time and say why", () => {
    const domain = makeDomain({ responseTime: 87.4 });
    const client = cacheWith([domain]);
    const failed = resultOf(domain, {
      verdict: "failed",
      responseTime: 10_000,
      reason: "No answer in 10 s.",
    });
    liveHandlers.results(client, { results: [failed] });
    expect(shown(client)[0]).toMatchObject({ responseTime: 87.4, lastReason: "No answer in 10 s." });
  });

  test("that are the probe's own fault say nothing about the domain", () => {
    const domain = makeDomain();
    const client = cacheWith([domain]);
    liveHandlers.results(client, { results: [resultOf(domain, { verdict: "probe_fault" })] });
    expect(shown(client)).toEqual([domain]);
  });

  test("that are a domain's first have the list read again, for its certificate and uptime", () => {
    const domain = makeDomain({ state: "unknown", lastCheck: null });
    const client = cacheWith([domain]);
    liveHandlers.results(client, { results: [resultOf(domain)] });
    expect(isToBeReadAgain(client)).toBe(true);
  });
});

test("after a reset everything is read again", () => {
  const client = cacheWith([makeDomain()]);
  liveHandlers.reset(client);
  expect(isToBeReadAgain(client)).toBe(true);
});
