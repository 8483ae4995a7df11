import type { AgentReport, AgentReports } from "../schemas/agent-report.ts";

/** Agents keep what they could not send for a day; the rest is for clocks. */
const OLDEST_MS = 25 * 3_600_000;

/**
 * When a report was made, by the server's clock: it was sent now, and only how long before that it was made is the device's to
 * say. Milliseconds.
 */
export function reportedAt(
  { at }: Pick<AgentReports["reports"][number], "at">,
  { sentAt }: Pick<AgentReports, "sentAt">,
  now: number,
): number {
  return now - Math.min(OLDEST_MS, Math.max(0, sentAt - at));
}

/** When the machine was started, by the server's clock, milliseconds; null where the device's clock has been set since, to before that. */
export const bootedAt = (
  { bootedAt: at }: NonNullable<AgentReport["system"]>,
  { sentAt }: Pick<AgentReports, "sentAt">,
  now: number,
): number | null => (at > sentAt ? null : now - (sentAt - at));
