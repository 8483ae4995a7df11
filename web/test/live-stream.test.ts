import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startLive } from "../src/api/live.ts";

/** As a browser's, but for what the test says happens. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readonly url: string;
  readyState = 1;
  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.all.push(this);
  }
  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
  receive(type: string, lastEventId: string, data: object): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }));
  }
  /** What the browser does when it is not let in again. */
  giveUp(): void {
    this.close();
    this.dispatchEvent(new Event("error"));
  }
}

const fetched: string[] = [];

beforeEach(() => {
  FakeSource.all = [];
  fetched.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeSource);
  vi.stubGlobal("window", Object.assign(new EventTarget(), { setTimeout }));
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal("fetch", async (url: string) => {
    fetched.push(url);
    return new Response('{"success":false,"message":"Unauthenticated."}', { status: 401 });
  });
});

function live() {
  const client = new QueryClient();
  const invalidated = vi.spyOn(client, "invalidateQueries");
  const stop = startLive(client);
  onTestFinished(() => {
    stop();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const newest = () => FakeSource.all.at(-1) as FakeSource;
  return { newest, invalidated };
}

test("a stream that the browser gave up on goes on where it stopped, and nothing is read anew", () => {
  const { newest, invalidated } = live();
  expect(newest().url).toBe("/api/events");
  newest().dispatchEvent(new Event("open"));
  newest().receive("results", "position-1", { results: [] });
  newest().giveUp();
  vi.advanceTimersByTime(1_000);
  expect(newest().url).toBe("/api/events?lastEventId=position-1");
  newest().dispatchEvent(new Event("open"));
  expect(invalidated.mock.calls.filter(([filters]) => filters === undefined)).toEqual([]);
  newest().receive("reset", "position-9", {});
  expect(invalidated.mock.calls.filter(([filters]) => filters === undefined)).toHaveLength(1);
  newest().giveUp();
  vi.advanceTimersByTime(1_000);
  expect(newest().url).toBe("/api/events?lastEventId=position-9");
});

test("a stream on which nothing had come yet has everything read anew when it is back", () => {
  const { newest, invalidated } = live();
  newest().giveUp();
  vi.advanceTimersByTime(1_000);
  newest().dispatchEvent(new Event("open"));
  expect(invalidated.mock.calls.filter(([filters]) => filters === undefined)).toHaveLength(1);
});

test("a stream that is refused has the session looked at, which may have been ended elsewhere", async () => {
  const { newest } = live();
  newest().dispatchEvent(new Event("open"));
  newest().giveUp();
  await vi.advanceTimersByTimeAsync(10);
  expect(fetched).toEqual(["/api/auth/me"]);
});
