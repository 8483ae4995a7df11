import type { StoredResult } from "../../src/engine/results/stored-result.ts";

/** A passed check of monitor 1 at location 1, 20 ms long, with whatever the test cares about on top. */
export function makeResult(overrides: Partial<StoredResult> = {}): StoredResult {
  return {
    monitorId: 1,
    locationId: 1,
    scheduledAt: Date.UTC(2026, 10, 21, 9, 0),
    outcome: 0,
    statusCode: 200,
    dnsUs: 1_000,
    connectUs: 2_000,
    tlsUs: null,
    firstByteUs: 15_000,
    transferUs: null,
    totalUs: 20_000,
    reason: null,
    message: null,
    maintenance: 0,
    ...overrides,
  };
}
