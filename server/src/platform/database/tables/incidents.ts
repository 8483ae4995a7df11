import type { Impact, Severity, Status } from "../../monitor-defaults.ts";
import { bigint, flag, id, type RowOf, table, text } from "../table.ts";

/** The failure that an outage began with, and the one that confirmed it. */
export type EvidenceMoment = "first" | "confirmation";

export const INCIDENT_TABLES = {
  /** A status change is a row; intervals are read between rows. */
  transitions: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      monitor_id: bigint(),
      from_status: text<Status>(),
      to_status: text<Status>(),
      /** When it became true (first failure, first success). */
      at: bigint(),
      /** When it was confirmed. */
      detected_at: bigint(),
      /** JSON of a message descriptor. */
      reason: text().nullable(),
      location_id: bigint().nullable(),
      maintenance: flag(),
    },
    indexes: {
      transitions_monitor: "(monitor_id, at)",
      // Without it PostgreSQL walks the history of all others for an organization in which little happens.
      transitions_organization: "(organization_id, id)",
    },
    tenant: "organization_id",
    retention: "with its monitor",
  }),
  incidents: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      /** The monitor that speaks for it; null: none has been down in it. */
      monitor_id: bigint().nullable(),
      automatic: flag(),
      title: text(),
      /** JSON of the message descriptor of the title; null where a person wrote it. */
      title_message: text().nullable(),
      description: text(),
      /** The same of the description. */
      description_message: text().nullable(),
      /** The title in lower case (Unicode). */
      search_text: text().nullable(),
      status: text(),
      severity: text<Severity>(),
      impact: text<Impact>(),
      started_at: bigint(),
      detected_at: bigint(),
      resolved_at: bigint().nullable(),
      /** Who said first that they know of it, and when. */
      acknowledged_at: bigint().nullable(),
      acknowledged_by: bigint().nullable(),
      /** The channel of the link that was used by a person who is not known. */
      acknowledged_via: text().nullable(),
      assignee_id: bigint().nullable(),
      /** The incident that has its timeline and members now. */
      merged_into: bigint().nullable(),
      /** JSON of what its members have in common (incidents/group-rules.ts); null: nothing brought them together. */
      grouped_by: text().nullable(),
      /** Markdown. */
      postmortem: text().nullable(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      incidents_organization: "(organization_id, id)",
      incidents_merged: "(merged_into) where merged_into is not null",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  affected_services: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      incident_id: bigint().references("incidents"),
      /** Which may be gone: incidents stay. Null where only the name is known. */
      monitor_id: bigint().nullable(),
      /** As it was at the time. */
      name: text(),
      /** The same in lower case (Unicode). */
      search_text: text().nullable(),
      /** The monitor's outage, where that is why; null where a person said so. A monitor has one open at most. */
      outage_started_at: bigint().nullable(),
      outage_ended_at: bigint().nullable(),
      /** JSON of the times (start and end, milliseconds) in which a device was offline whose outage is its health; null: no such times. */
      offline: text().nullable(),
      /** JSON of what its outage may come from; null: nothing joins it. */
      causes: text().nullable(),
      /** 1: it joined an outage of which notifications had been sent already. */
      joined: flag().default(0),
      /** 1: it came with an incident that a person merged into this one. */
      merged: flag().default(0),
      /** 1: it was acknowledged, with the incident that it was in. What joins that silently later is 0. */
      acknowledged: flag().default(0),
    },
    indexes: {
      affected_services_incident: "(incident_id, id)",
      affected_services_monitor: "(monitor_id, incident_id)",
      affected_services_one_open:
        "unique (monitor_id) where outage_started_at is not null and outage_ended_at is null",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  evidence: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      affected_service_id: bigint().references("affected_services"),
      moment: text<EvidenceMoment>(),
      /** Code of the location. */
      location: text(),
      at: bigint(),
      /** JSON. */
      content: text(),
    },
    unique: [["affected_service_id", "moment"]],
    tenant: "organization_id",
    retention: { elsewhere: "of a monitor's newest hundred outages (incidents/evidence.ts)" },
  }),
  incident_updates: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      incident_id: bigint().references("incidents"),
      user_id: bigint().nullable(),
      status: text(),
      message: text(),
      /** JSON of the message descriptor of what it says; null where a person wrote it. */
      descriptor: text().nullable(),
      at: bigint(),
      edited_at: bigint().nullable(),
      /** JSON array of the status pages that it goes to, by their ids; null: all of what the incident affects. */
      pages: text().nullable(),
      /** 1: written when a person opened the incident, in the words of its description, which no status page shows. */
      is_opening: flag().default(0),
    },
    indexes: {
      incident_updates_incident: "(incident_id, id)",
      incident_updates_organization: "(organization_id, id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  incident_comments: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      incident_id: bigint().references("incidents"),
      user_id: bigint().nullable(),
      content: text(),
      /** Never shown on a status page. */
      is_internal: flag(),
      at: bigint(),
      edited_at: bigint().nullable(),
    },
    indexes: {
      incident_comments_incident: "(incident_id, id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
};

export type TransitionTable = RowOf<(typeof INCIDENT_TABLES)["transitions"]>;
export type IncidentTable = RowOf<(typeof INCIDENT_TABLES)["incidents"]>;
