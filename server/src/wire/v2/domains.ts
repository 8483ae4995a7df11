import { type Static, Type } from "typebox";
import { certificateStatus } from "../../monitor/certificate-status.ts";
import type { Domain } from "../../monitor/domain.ts";
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
} from "../domain-fields.ts";
import { V2SortQuery } from "../domain-sort.ts";
import { Timestamp, timestamp, timestampOrNull } from "../field.ts";
import { snakeSchema } from "./snake-case.ts";

/** GET /v2/domains. */
export const V2DomainListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: "Page, from 1." }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 15, description: "Domains a page." }),
  ...domainFilters,
  sort: V2SortQuery,
});

export const v2DomainFields = {
  id: Type.Integer({ examples: [42] }),
  uuid: Uuid,
  name: Type.String({ examples: ["Example"] }),
  url: DomainUrl,
  status: DomainStatus,
  response_time: ms("Of the last check."),
  created_at: Timestamp,
  updated_at: Timestamp,
  monitor: Type.Object({ uptime_status: DomainStatus }),
  certificate_status: Type.Unsafe<Static<typeof CertificateStatus>>(snakeSchema(CertificateStatus)),
  certificate_expiration_date: nullable(Timestamp, "Null: no certificate seen."),
  pivot: Type.Object({ user_domain_name: Type.String({ description: "The name given by the user." }) }),
  state: DomainState,
  flapping: Flapping,
  status_since: nullable(Timestamp, "When the state became what it is."),
  uptime_percentage: percent("Time-weighted over the last 24 hours."),
  last_check: nullable(Timestamp, "When the last check was due."),
  last_reason: nullable(Type.String(), "What the last check found wrong, as a sentence."),
  check_interval: Type.Integer({ description: "Seconds.", examples: [60] }),
  enabled: Type.Boolean({ description: "False: paused." }),
  tags: Type.Array(Type.String()),
};

export const V2DomainListItem = Type.Object(v2DomainFields, { title: "V2Domain" });

/** A domain as the v2 family lists it. `now` in milliseconds. */
export function projectV2Domain(domain: Domain, now: number): Static<typeof V2DomainListItem> {
  const status = statusOf(domain.status);
  return {
    id: domain.id,
    uuid: domain.uuid,
    name: domain.name,
    url: domain.displayUrl,
    status,
    response_time: milliseconds(domain.lastTotalUs),
    created_at: timestamp(domain.createdAt),
    updated_at: timestamp(domain.updatedAt),
    monitor: { uptime_status: status },
    certificate_status: certificateStatus(domain.certificate, now),
    certificate_expiration_date: timestampOrNull(domain.certificate?.expiresAt ?? null),
    pivot: { user_domain_name: domain.name },
    state: stateOf(domain.status, domain.enabled),
    flapping: domain.flapping,
    status_since: timestampOrNull(domain.statusSince),
    uptime_percentage: percentage(domain.uptimePercentage),
    last_check: timestampOrNull(domain.lastCheckAt),
    last_reason: domain.lastReason,
    check_interval: domain.intervalSeconds,
    enabled: domain.enabled,
    tags: domain.tags,
  };
}
