import { type Static, Type } from "typebox";
import { certificateStatus } from "../monitor/certificate-status.ts";
import type { ShownMonitor } from "../monitor/monitor.ts";
import { MAX_INTERVAL_SECONDS } from "../monitor/monitor-defaults.ts";
import { shownStatus } from "../status/state.ts";
import { Fact, sentenceOf } from "./fact.ts";
import {
  fromOutside,
  milliseconds,
  ms,
  nullable,
  percent,
  percentage,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "./field.ts";
import {
  CertificateStatus,
  Flapping,
  FullState,
  MonitorStatus,
  NamedMonitor,
  stateOf,
} from "./monitor-fields.ts";

/** What lists and details of every kind of monitor show. */
export const monitorFields = {
  id: Type.Integer({ examples: [42] }),
  uuid: Uuid,
  name: Type.String({ examples: ["Example"] }),
  status: MonitorStatus,
  state: FullState,
  flapping: Flapping,
  maintenanceUntil: nullable(
    Timestamp,
    "Until when it is in maintenance: it is checked, but nobody is told of trouble. Null: it is not.",
  ),
  suppressedBy: nullable(
    NamedMonitor,
    "What it depends on that is down: so is it, but no incident opens for it and nobody is told. Null: nothing holds its outages back.",
  ),
  statusSince: nullable(Timestamp, "When the state became what it is."),
  uptimePercentage: percent("Time-weighted over the last 24 hours."),
  responseTime: ms("Of the last check."),
  lastCheck: nullable(Timestamp, "When the last check was due."),
  lastReason: fromOutside(nullable(Type.String(), "What the last check found wrong, as a sentence.")),
  lastReasonFact: Fact,
  checkInterval: Type.Integer({ description: "Seconds.", examples: [60] }),
  enabled: Type.Boolean({ description: "False: paused." }),
  tags: Type.Array(Type.String()),
  parents: Type.Array(Uuid, { description: "Uuids of the domains and services that it depends on." }),
  certificateStatus: CertificateStatus,
  certificateExpiresAt: nullable(
    Timestamp,
    "When it stops to verify, by the first end on the path to a trust anchor.",
  ),
  certificateUnverified: Type.Boolean({
    description: "True: it is accepted even if it is not valid (`ignoreCertificate`).",
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

type Shown = { [K in keyof typeof monitorFields]: Static<(typeof monitorFields)[K]> };

/** A monitor as lists show it. `now` in milliseconds. */
export function projectMonitor(monitor: ShownMonitor, now: number): Shown {
  return {
    id: monitor.id,
    uuid: monitor.uuid,
    name: monitor.name,
    status: shownStatus(monitor.status),
    state: stateOf(monitor.status, monitor.enabled),
    flapping: monitor.flapping,
    maintenanceUntil: timestampOrNull(monitor.maintenanceUntil),
    suppressedBy: monitor.suppressedBy,
    statusSince: timestampOrNull(monitor.statusSince),
    uptimePercentage: percentage(monitor.uptimePercentage),
    responseTime: milliseconds(monitor.lastTotalUs),
    lastCheck: timestampOrNull(monitor.lastCheckAt),
    lastReason: sentenceOf(monitor.lastReason),
    lastReasonFact: monitor.lastReason,
    // By a cron expression it may be longer than one that can be set.
    checkInterval: Math.min(monitor.intervalSeconds, MAX_INTERVAL_SECONDS),
    enabled: monitor.enabled,
    tags: monitor.tags,
    parents: monitor.parents,
    certificateStatus: certificateStatus(monitor.certificate, now),
    certificateExpiresAt: timestampOrNull(monitor.certificate?.expiresAt ?? null),
    certificateUnverified: monitor.certificate?.unverified ?? false,
    createdAt: timestamp(monitor.createdAt),
    updatedAt: timestamp(monitor.updatedAt),
  };
}
