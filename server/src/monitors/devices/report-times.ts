import type { AgentReport, AgentReports } from "../schemas/agent-report.ts";

/** Agents buffer for a day; the rest is clock tolerance. */
const OLDEST_MS = 25 * 3_600_000;

/**
 * By the server's clock: the device's clock only counts for the time between measuring and sending.
 * Milliseconds.
 */
export function reportedAt(
  { at }: Pick<AgentReports["reports"][number], "at">,
  { sentAt }: Pick<AgentReports, "sentAt">,
  now: number,
): number {
  return now - Math.min(OLDEST_MS, Math.max(0, sentAt - at));
}

/** By the server's clock, milliseconds; null where the device's clock was set to before the start since. */
export const bootedAt = (
  { bootedAt: at }: NonNullable<AgentReport["system"]>,
  { sentAt }: Pick<AgentReports, "sentAt">,
  now: number,
): number | null => (at > sentAt ? null : now - (sentAt - at));
