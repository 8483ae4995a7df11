import type { AgentConfig } from "../check/agent.ts";
import { NOTHING_SEEN } from "../check/check.ts";
import { isDatedAhead } from "../clock.ts";
import type { ProbeResult } from "../probe/link.ts";
import { LOCAL } from "../probe/location-probe.ts";
import type { Device } from "../store/queries/devices.ts";
import type { AgentReport, AgentReports } from "../wire/agent/report.ts";
import type { Arrival } from "./arrival.ts";
import { reasonOf, thresholdsOf } from "./health.ts";
import type { Figures } from "./metrics/figures.ts";
import { latestOf, sampleOf } from "./report-figures.ts";
import { reportedAt } from "./report-times.ts";
import { type HealthState, judgeHealth, NEW_HEALTH, problemsOf } from "./rules.ts";

/** Those of a request that are new, in the order of their sequences. `now` in milliseconds. */
export interface NewReports {
  reports: readonly AgentReport[];
  body: AgentReports;
  now: number;
}

/** What one of them measured, and when by the server's clock. */
interface Measured {
  at: number;
  figures: Figures;
  unresponsiveMounts: readonly string[];
}

/** What each of them measured. */
export const figuresOf = ({ reports, body, now }: NewReports): Measured[] =>
  reports.flatMap((report) => {
    const { metrics: figures, unresponsiveMounts = [] } = report;
    const mounts = [...new Set(unresponsiveMounts)];
    return figures ? [{ at: reportedAt(report, body, now), figures, unresponsiveMounts: mounts }] : [];
  });

/**
 * The device as it is after them. `silenceMs`: after that long without a report its health is judged anew. What is older was kept
 * while the server could not be reached: it tells how the device was, and nothing of how it is.
 */
export function withReports(
  device: Device,
  news: NewReports,
  { config, silenceMs }: { config: AgentConfig; silenceMs: number },
): Device {
  const { reports, body, now } = news;
  const figures = figuresOf(news);
  const thresholds = thresholdsOf(config);
  const fresh = figures.filter(({ at }) => at > now - silenceMs);
  const healthState = fresh.reduce(
    (state, one) => judgeHealth(state, sampleOf(one), { thresholds, maxGapMs: silenceMs }),
    healthBefore(device, now),
  );
  const last = figures.at(-1);
  return {
    ...device,
    sequence: reports.at(-1)?.sequence ?? device.sequence,
    reportedAt: now,
    agentVersion: body.agent.version,
    clockAheadMs: body.sentAt - now,
    dropped: body.dropped,
    system: reports.findLast(({ system }) => system)?.system ?? device.system,
    latest: last ? { ...latestOf(last.figures), unresponsiveMounts: last.unresponsiveMounts } : device.latest,
    health: problemsOf(healthState)[0]?.level ?? "healthy",
    healthState,
  };
}

/** What is known of its health; when it was judged last, a clock that was ahead then does not say. */
function healthBefore({ healthState }: Device, now: number): HealthState {
  const known = healthState ?? NEW_HEALTH;
  return isDatedAhead(known.lastAt, now) ? { ...known, lastAt: NEW_HEALTH.lastAt } : known;
}

/** What its reports say of the device: it is there, and how well it is. */
export function resultOf(
  { id, healthState }: Device,
  { holder, address, at }: Arrival,
  config: AgentConfig,
): ProbeResult {
  const problems = healthState ? problemsOf(healthState) : [];
  return {
    monitorId: id,
    revision: holder.revision,
    location: LOCAL.code,
    scheduledAt: at,
    verdict: problems.length > 0 ? "degraded" : "ok",
    reason: reasonOf(problems, thresholdsOf(config)),
    ...NOTHING_SEEN,
    address,
  };
}
