import { describe, expect, test } from "vitest";
import {
  correctState,
  initialState,
  type LocationState,
  type MonitorState,
} from "../../../src/engine/status/state.ts";
import { aReason } from "../../harness/reasons.ts";
import { MINUTE, T0 } from "./timeline.ts";

const HOUR = 60 * MINUTE;
const AHEAD = T0 + 25 * HOUR;
const PAST = T0 - HOUR;

const location = (time: number, change: Partial<LocationState> = {}): LocationState => ({
  vote: "failing",
  confirmed: "failing",
  failures: 2,
  successes: 0,
  slows: 0,
  reason: aReason("refused"),
  lastAt: time,
  runSince: time,
  recheckAt: time,
  ...change,
});

/** A state all of whose times are the same one. */
const dated = (time: number, change: Partial<MonitorState> = {}): MonitorState => ({
  ...initialState(time),
  status: "down",
  since: time,
  historyAt: time,
  watchedSince: time,
  locations: { local: location(time) },
  outage: { startedAt: time, detectedAt: time },
  recentTransitions: [time, time],
  flapping: { since: time, unstableAt: time },
  ...change,
});

describe("a state from a clock that was ahead", () => {
  test("is dated now, and a check that was under way still votes", () => {
    expect(correctState(dated(AHEAD), T0)).toEqual(
      dated(T0, {
        locations: { local: location(T0 - MINUTE, { recheckAt: 0 }) },
      }),
    );
  });

  test.each<[string, Partial<MonitorState>]>([
    ["its status", { since: AHEAD }],
    ["its history", { historyAt: AHEAD }],
    ["the time from which it is watched", { watchedSince: AHEAD }],
    ["its flapping", { flapping: { since: PAST, unstableAt: AHEAD } }],
    ["a location's newest result", { locations: { local: location(PAST, { lastAt: AHEAD }) } }],
    [
      "a location's recheck",
      { locations: { a: location(PAST), local: location(PAST, { recheckAt: AHEAD }) } },
    ],
  ])("is known by %s alone, and the rest stays", (_name, change) => {
    const state = dated(PAST, change);
    const corrected = correctState(state, T0);
    const times =
      JSON.stringify(corrected)
        .match(/\d{13}/g)
        ?.map(Number) ?? [];
    expect(Math.max(...times)).toBeLessThanOrEqual(T0);
    const [key] = Object.keys(change);
    expect({ ...corrected, [key as string]: null }).toEqual({ ...state, [key as string]: null });
  });

  test("stays paused, without what it does not have", () => {
    const change = { watchedSince: null, outage: null, flapping: null, locations: {} };
    expect(correctState(dated(AHEAD, change), T0)).toEqual(dated(T0, change));
  });
});

test("a state that is less than two hours ahead is left as it is", () => {
  const state = dated(T0 + 2 * HOUR);
  expect(correctState(state, T0)).toBe(state);
});
