import type { ResultData } from "../../server/src/engine/schemas/live.ts";
import type { StatusEvent } from "../src/api/event-payloads.ts";
import type { Domain } from "../src/api/monitor-list.ts";

/** When everything in these events happened. */
export const at = "2026-11-21T10:00:00.000Z";

/** The event of a domain that went down. */
export const statusOf = (domain: Domain, change: Partial<StatusEvent> = {}): StatusEvent => ({
  monitorId: domain.id,
  uuid: domain.uuid,
  kind: "domain",
  name: domain.name,
  from: "up",
  status: "down",
  state: "down",
  statusSince: at,
  detectedAt: at,
  reason: "The connection was refused.",
  reasonFact: null,
  location: null,
  ...change,
});

/** A check of a domain that passed. */
export const resultOf = (domain: Domain, change: Partial<ResultData> = {}): ResultData => ({
  monitorId: domain.id,
  kind: "domain",
  location: "local",
  timestamp: at,
  verdict: "ok",
  status: "up",
  state: "up",
  statusCode: 200,
  responseTime: 12.5,
  ...change,
});
