import { ApiError } from "../api/client.ts";
import type { Deployment } from "../api/deployments.ts";
import type { Day, StatusPeriod } from "../api/monitor.ts";
import type { Reading } from "../components/chart-data.ts";
import type { ShownStatus } from "../components/StatusDot.tsx";
import { phasesOf } from "../monitors/descriptor.ts";
import type { ResponseSeries } from "../monitors/detail/response-series.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const meansMs = { dns: 1.4, connect: 12, tls: 27, firstByte: 74, transfer: 6 };
/** Looks like noise, and is the same every time: -1…1. */
const wave = (at: number) => Math.sin(at * 1.7) * 0.6 + Math.sin(at * 0.31) * 0.4;

/** The end of everything here: a fixed instant, so that pictures of the page compare. */
export const untilMs = Date.UTC(2026, 10, 21, 10);

const valuesOf = (kind: keyof typeof meansMs, phase: number) =>
  Array.from({ length: 60 }, (_, at) => {
    const slow = kind === "firstByte" && at === 36 ? 160 : 0;
    return meansMs[kind] * (1 + wave(at + 9 * phase) / 4) + slow;
  });
const layers = phasesOf("http").map((kind, phase) => ({ kind, values: valuesOf(kind, phase) }));
const times = Array.from({ length: 60 }, (_, at) => untilMs - (59 - at) * minuteMs);

/** One, shortly before two checks failed. */
export const deployments: Deployment[] = [
  {
    ...{ id: 1, uuid: "", name: "shop", version: "1a2b3c4", environment: "production", status: "succeeded" },
    ...{ author: "CI", message: null, url: null, source: "api", monitors: [] },
    startedAt: new Date(untilMs - 12 * minuteMs).toISOString(),
    finishedAt: new Date(untilMs - 9 * minuteMs).toISOString(),
    createdAt: new Date(untilMs).toISOString(),
    updatedAt: new Date(untilMs).toISOString(),
  },
];

/** An hour of checks with their phases; one took long, and two failed. */
export const response: ResponseSeries = {
  times,
  layers,
  total: times.map((_, at) => layers.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  percentiles: null,
  failures: [38, 6].map((ago) => ({ at: untilMs - ago * minuteMs, count: 1 })),
  measured: times.slice(10),
  stepMs: minuteMs,
};

/** When that domain was down, and when nothing was checked. */
export const periods: StatusPeriod[] = [
  [0, "up"],
  [22, "unknown"],
  [24, "up"],
  [34, "down"],
  [39, "up"],
].map(([ago, state], at, all) => ({
  state: state as StatusPeriod["state"],
  startedAt: new Date(untilMs - Number(all[at + 1]?.[0] ?? 60) * minuteMs).toISOString(),
  endedAt: at === 0 ? null : new Date(untilMs - Number(ago) * minuteMs).toISOString(),
  maintenance: false,
  reason: null,
  reasonFact: state === "unknown" ? { code: "watch.silent" } : null,
}));

const downSeconds: Record<number, number> = { 4: 610, 31: 9_400, 52: 45 };

/** Three months of a domain that is watched since two and a half. */
export const days: Day[] = Array.from({ length: 90 }, (_, at) => {
  const ago = 89 - at;
  const seconds = downSeconds[ago] ?? 0;
  return {
    date: new Date(untilMs - ago * dayMs).toISOString().slice(0, 10),
    uptimePercentage: ago < 78 ? 100 - seconds / 864 : null,
    downSeconds: seconds,
    totalChecks: ago < 78 ? 1440 : 0,
    failedChecks: Math.round(seconds / 60),
    avgResponseTime: ago < 78 ? 120 : null,
  };
});

/** What a status looks like as words. */
export const statuses: Record<ShownStatus, string> = {
  up: "Up for 12 days",
  down: "Down for 4 minutes",
  degraded: "Degraded for 18 minutes",
  flapping: "Flapping: 8 changes in 10 minutes",
  unknown: "No recent check",
  waiting: "First check…",
  confirming: "First results are coming in",
  paused: "Paused",
};

export const checks = [
  { at: "09:31:07", status: "up", location: "local", ms: "122 ms", reason: null },
  {
    at: "09:30:07",
    status: "down",
    location: "local",
    ms: "–",
    reason: "The server refused the connection.",
  },
  { at: "09:29:07", status: "degraded", location: "eu-central", ms: "1,840 ms", reason: "Over 1,500 ms." },
] as const;

const reading = { data: undefined, dataUpdatedAt: untilMs, isFetching: false, refetch: () => {} };
const failure = new ApiError(503, "The database does not answer at the moment.", {}, "req-7f4b");

/** What could not be read, what the role may not do, and what could not be read again. */
export const readings: Reading<string>[] = [
  { ...reading, error: failure },
  { ...reading, error: new ApiError(403, "Your role may not read the audit log.") },
  { ...reading, error: new ApiError(0, "Vedette cannot be reached."), data: "118 domains are up." },
];
