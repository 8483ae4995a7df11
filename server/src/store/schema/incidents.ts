import type { Generated } from "kysely";
import type { Impact, Severity } from "../../incident/states.ts";
import type { Status } from "../../status/state.ts";
import { table } from "../table.ts";
import type { Flag } from "./values.ts";

/** A status change is a row; intervals are read between rows. */
export interface TransitionTable {
  id: Generated<number>;
  organization_id: number;
  monitor_id: number;
  from_status: Status;
  to_status: Status;
  /** When it became true (first failure, first success). */
  at: number;
  /** When it was confirmed. */
  detected_at: number;
  /** JSON of a fact. */
  reason: string | null;
  location_id: number | null;
  maintenance: Flag;
}

export interface IncidentTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  /** The monitor that speaks for it; null: none has been down in it. */
  monitor_id: number | null;
  automatic: Flag;
  title: string;
  /** JSON of the fact that the title tells; null where a person wrote it. */
  title_fact: Generated<string | null>;
  description: string;
  /** The same of the description. */
  fact: string | null;
  /** The title in lower case (Unicode). */
  search_text: string | null;
  status: string;
  severity: Severity;
  impact: Impact;
  started_at: number;
  detected_at: number;
  resolved_at: number | null;
  /** Who said first that they know of it, and when. */
  acknowledged_at: number | null;
  acknowledged_by: number | null;
  /** Of which channel the link was by which somebody did who is not known. */
  acknowledged_via: Generated<string | null>;
  assignee_id: number | null;
  /** The incident that has its timeline and members now. */
  merged_into: number | null;
  /** JSON of what its members have in common (incident/group-rules.ts); null: nothing brought them together. */
  grouped_by: string | null;
  /** Markdown. */
  postmortem: string | null;
  created_at: number;
  updated_at: number;
}

/** What an incident affects, in the order of the ids. */
export interface AffectedServiceTable {
  id: Generated<number>;
  organization_id: number;
  incident_id: number;
  /** Which may be gone: incidents stay. Null where only the name is known. */
  monitor_id: number | null;
  /** As it was at the time. */
  name: string;
  /** The same in lower case (Unicode). */
  search_text: string | null;
  /** The monitor's outage, where that is why; null where a person said so. A monitor has one open at most. */
  outage_started_at: number | null;
  outage_ended_at: number | null;
  /** JSON of the times (start and end, milliseconds) in which a device was offline whose outage is its health; null: no such times. */
  offline: string | null;
  /** JSON of what its outage may come from; null: nothing joins it. */
  causes: string | null;
  /** 1: it joined an outage that had been told already. */
  joined: Generated<Flag>;
  /** 1: it came with an incident that a person merged into this one. */
  merged: Generated<Flag>;
  /** 1: somebody has said that they know of it, with the incident that it was in. What joins that silently later is 0. */
  acknowledged: Generated<Flag>;
}

/** The failure that an outage began with, and the one that confirmed it. */
export type EvidenceMoment = "first" | "confirmation";

/** What was seen of a monitor when it failed. */
export interface EvidenceTable {
  id: Generated<number>;
  organization_id: number;
  affected_service_id: number;
  moment: EvidenceMoment;
  /** Code of the location. */
  location: string;
  at: number;
  /** JSON. */
  content: string;
}

export interface IncidentUpdateTable {
  id: Generated<number>;
  organization_id: number;
  incident_id: number;
  user_id: number | null;
  status: string;
  message: string;
  /** JSON of the fact that the message tells; null where a person wrote it. */
  fact: string | null;
  at: number;
  edited_at: number | null;
  /** JSON array of the status pages that it goes to, by their ids; null: all of what the incident affects. */
  pages: string | null;
  /** 1: written when a person opened the incident, in the words of its description, which no status page shows. */
  is_opening: Generated<Flag>;
}

export interface IncidentCommentTable {
  id: Generated<number>;
  organization_id: number;
  incident_id: number;
  user_id: number | null;
  content: string;
  /** Never shown on a status page. */
  is_internal: Flag;
  at: number;
  edited_at: number | null;
}

/** Tables of what happened. */
export const INCIDENT_TABLES = {
  transitions: table<TransitionTable>({ tenant: "organization_id", retention: "with its monitor" }),
  incidents: table<IncidentTable>({ tenant: "organization_id", retention: "kept" }),
  affected_services: table<AffectedServiceTable>({ tenant: "organization_id", retention: "kept" }),
  evidence: table<EvidenceTable>({
    tenant: "organization_id",
    retention: { elsewhere: "of a monitor's newest hundred outages (incident/keep-evidence.ts)" },
  }),
  incident_updates: table<IncidentUpdateTable>({ tenant: "organization_id", retention: "kept" }),
  incident_comments: table<IncidentCommentTable>({ tenant: "organization_id", retention: "kept" }),
};
