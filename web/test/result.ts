import type { CheckResult } from "../src/api/monitor.ts";

const start = Date.UTC(2026, 10, 21, 10);

/** A passed check so many minutes after ten. */
export function makeResult(minute: number, change: Partial<CheckResult> = {}): CheckResult {
  return {
    id: minute + 1,
    status: "up",
    state: "up",
    responseTime: 100,
    statusCode: 200,
    timestamp: new Date(start + minute * 60_000).toISOString(),
    location: "local",
    reason: null,
    reasonCode: null,
    reasonFact: null,
    message: null,
    messageFact: null,
    phases: { dns: 1, connect: 9, tls: null, firstByte: 80, transfer: 9, total: 100 },
    ...change,
  };
}
