import { type Static, Type } from "typebox";
import type { ShownMonitor } from "../monitor/monitor.ts";
import { Uuid } from "./field.ts";
import { monitorFilters, SortQuery } from "./monitor-list-query.ts";
import { monitorFields, projectMonitor } from "./monitors.ts";

/** GET /api/domains. */
export const DomainListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: "Page, from 1." }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 20, description: "Domains a page." }),
  ...monitorFilters,
  url: Type.Optional(
    Type.String({
      format: "monitor-url",
      maxLength: 2048,
      description: "Only domains that watch this very address, in whatever way it is written.",
      examples: ["example.com"],
    }),
  ),
  sort: SortQuery,
});

const { id, uuid, ...sameFields } = monitorFields;

/** What list and detail have in common. */
export const domainFields = {
  id,
  uuid,
  url: Type.String({
    description: "As typed; the host is checked in its punycode form.",
    examples: ["https://example.com"],
  }),
  ...sameFields,
};

export const DomainListItem = Type.Object(domainFields, { title: "Domain" });

/** A domain as lists show it. `now` in milliseconds. */
export const projectDomain = (domain: ShownMonitor, now: number): Static<typeof DomainListItem> => ({
  ...projectMonitor(domain, now),
  url: domain.displayTarget,
});

/** DELETE of a domain. */
export const DeletedDomain = Type.Object({ id: Type.Integer(), uuid: Uuid }, { title: "DeletedDomain" });
