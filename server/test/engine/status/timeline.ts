import { applyResult, applyTime } from "../../../src/engine/status/rules.ts";
import {
  initialState,
  type MonitorState,
  type StatusConfig,
  type StatusEvent,
  type StatusResult,
} from "../../../src/engine/status/state.ts";
import { aReason } from "../../harness/reasons.ts";

export const T0 = Date.UTC(2026, 10, 21, 9);
export const SECOND = 1_000;
export const MINUTE = 60_000;

export const settings = (change: Partial<StatusConfig> = {}): StatusConfig => ({
  intervalMs: MINUTE,
  timeoutMs: 10 * SECOND,
  confirmations: 2,
  recoveries: 2,
  maintenance: false,
  ...change,
});

export const result = (
  at: number,
  verdict: StatusResult["verdict"],
  location = "local",
  said = `${verdict} at ${location}`,
): StatusResult => ({
  location,
  at,
  verdict,
  reason: verdict === "ok" ? null : aReason("refused", said),
});

const VERDICTS = { ".": "ok", x: "failed", s: "degraded", p: "probe_fault" } as const;

/**
 * One monitor on its way through time. `run("..xx", "a")` applies one result an interval at that
 * location: `.` ok, `x` failed, `s` slow, `p` probe fault; several locations run side by side.
 */
export function timeline(change: Partial<StatusConfig> = {}) {
  let config = settings(change);
  let state = initialState(T0);
  let now = T0;
  const events: StatusEvent[] = [];
  const take = (applied: { state: MonitorState; events: StatusEvent[] }) => {
    state = applied.state;
    events.push(...applied.events);
    return applied.events;
  };
  const line = {
    get state() {
      return state;
    },
    set state(next: MonitorState) {
      state = next;
    },
    get now() {
      return now;
    },
    events,
    take,
    set: (more: Partial<StatusConfig>) => {
      config = { ...config, ...more };
    },
    clockTo: (time: number) => {
      now = time;
    },
    apply: (given: StatusResult) => take(applyResult(state, given, config, now)),
    tick: (ms = 0) => {
      now += ms;
      return take(applyTime(state, config, now));
    },
    run: (...tracks: [pattern: string, location?: string][]) => {
      const happened: StatusEvent[] = [];
      for (let i = 0; i < Math.max(...tracks.map(([pattern]) => pattern.length)); i += 1) {
        now += config.intervalMs;
        for (const [pattern, location] of tracks) {
          const verdict = VERDICTS[pattern[i] as keyof typeof VERDICTS];
          if (verdict) happened.push(...line.apply(result(now, verdict, location)));
        }
      }
      return happened;
    },
    /** Of everything that happened so far. */
    count: (type: StatusEvent["type"], event?: string) =>
      events.filter((each) => each.type === type && (!event || (each as { event?: string }).event === event))
        .length,
    statuses: () =>
      events.filter((each) => each.type === "transition").map(({ from, to }) => `${from}>${to}`),
  };
  return line;
}
