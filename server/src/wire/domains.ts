import { type Static, Type } from "typebox";
import { certificateStatus } from "../monitor/certificate-status.ts";
import type { ShownMonitor } from "../monitor/monitor.ts";
import {
  CertificateStatus,
  DomainState,
  DomainStatus,
  DomainUrl,
  domainFilters,
  Flapping,
  milliseconds,
  ms,
  nullable,
  percent,
  percentage,
  stateOf,
  statusOf,
  Uuid,
} from "./domain-fields.ts";
import { SortQuery } from "./domain-sort.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { Timestamp, timestamp, timestampOrNull } from "./field.ts";

/** GET /api/domains. */
export const DomainListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: "Page, from 1." }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 20, description: "Domains a page." }),
  ...domainFilters,
  sort: SortQuery,
});

/** What list and detail have in common. */
export const domainFields = {
  id: Type.Integer({ examples: [42] }),
  uuid: Uuid,
  url: DomainUrl,
  name: Type.String({ examples: ["Example"] }),
  status: DomainStatus,
  state: DomainState,
  flapping: Flapping,
  statusSince: nullable(Timestamp, "When the state became what it is."),
  uptimePercentage: percent("Time-weighted over the last 24 hours."),
  responseTime: ms("Of the last check."),
  lastCheck: nullable(Timestamp, "When the last check was due."),
  lastReason: nullable(Type.String(), "What the last check found wrong, as a sentence."),
  lastReasonFact: Fact,
  checkInterval: Type.Integer({ description: "Seconds.", examples: [60] }),
  enabled: Type.Boolean({ description: "False: paused." }),
  tags: Type.Array(Type.String()),
  certificateStatus: CertificateStatus,
  certificateExpiresAt: nullable(Timestamp, "The earliest end in the chain the server sent."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const DomainListItem = Type.Object(domainFields, { title: "Domain" });

/** A domain as lists show it. `now` in milliseconds. */
export function projectDomain(domain: ShownMonitor, now: number): Static<typeof DomainListItem> {
  return {
    id: domain.id,
    uuid: domain.uuid,
    url: domain.displayTarget,
    name: domain.name,
    status: statusOf(domain.status),
    state: stateOf(domain.status, domain.enabled),
    flapping: domain.flapping,
    statusSince: timestampOrNull(domain.statusSince),
    uptimePercentage: percentage(domain.uptimePercentage),
    responseTime: milliseconds(domain.lastTotalUs),
    lastCheck: timestampOrNull(domain.lastCheckAt),
    lastReason: sentenceOf(domain.lastReason),
    lastReasonFact: domain.lastReason,
    checkInterval: domain.intervalSeconds,
    enabled: domain.enabled,
    tags: domain.tags,
    certificateStatus: certificateStatus(domain.certificate, now),
    certificateExpiresAt: timestampOrNull(domain.certificate?.expiresAt ?? null),
    createdAt: timestamp(domain.createdAt),
    updatedAt: timestamp(domain.updatedAt),
  };
}

/** DELETE of a domain. */
export const DeletedDomain = Type.Object({ id: Type.Integer(), uuid: Uuid }, { title: "DeletedDomain" });
