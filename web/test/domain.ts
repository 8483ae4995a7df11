import type { Domain } from "../src/api/monitor-list.ts";

let lastId = 0;

/** A domain that is up, changed where a test cares. */
export function makeDomain(change: Partial<Domain> = {}): Domain {
  const id = ++lastId;
  return {
    id,
    uuid: `0190b6a4-7f4b-7c3a-9c61-${String(id).padStart(12, "0")}`,
    url: `https://host${id}.example/`,
    name: `Domain ${id}`,
    status: "up",
    state: "up",
    flapping: false,
    maintenanceUntil: null,
    suppressedBy: null,
    parents: [],
    statusSince: "2026-11-20T08:00:00.000Z",
    uptimePercentage: 100,
    responseTime: 87.4,
    lastCheck: "2026-11-21T09:59:00.000Z",
    lastReason: null,
    lastReasonFact: null,
    checkInterval: 60,
    enabled: true,
    tags: [],
    certificateStatus: "valid",
    certificateExpiresAt: "2027-02-14T00:00:00.000Z",
    certificateUnverified: false,
    createdAt: "2026-10-01T00:00:00.000Z",
    updatedAt: "2026-10-01T00:00:00.000Z",
    ...change,
  };
}
