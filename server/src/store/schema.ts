import type {
  ApiKeyTable,
  AuditTable,
  InvitationTable,
  MembershipTable,
  OrganizationTable,
  SessionTable,
  UserTable,
} from "./schema/accounts.ts";
import type { IncidentTable, IncidentUpdateTable, TransitionTable } from "./schema/incidents.ts";
import type { LocationTable, MetaTable, ProbeTable } from "./schema/installation.ts";
import type {
  CertificateTable,
  IconTable,
  MonitorCountTable,
  MonitorStateTable,
  MonitorTable,
} from "./schema/monitors.ts";
import type { EventTable, NotificationTable } from "./schema/notices.ts";
import type { PackTable, ResultTable, RollupTable } from "./schema/results.ts";

/**
 * One schema for SQLite and PostgreSQL (docs/adr/0002): times are integer milliseconds, durations of a
 * check integer microseconds (`…_us`), booleans 0/1, JSON is text, uuids are text. The tables stand in
 * schema/, a file an aggregate. Rows never leave store/: queries return the shapes the rooms above need.
 */
export interface Schema {
  meta: MetaTable;
  organizations: OrganizationTable;
  users: UserTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  sessions: SessionTable;
  api_keys: ApiKeyTable;
  audit_log: AuditTable;
  locations: LocationTable;
  probes: ProbeTable;
  monitors: MonitorTable;
  monitor_counts: MonitorCountTable;
  monitor_states: MonitorStateTable;
  certificates: CertificateTable;
  results: ResultTable;
  packs: PackTable;
  rollups: RollupTable;
  transitions: TransitionTable;
  incidents: IncidentTable;
  incident_updates: IncidentUpdateTable;
  notifications: NotificationTable;
  events: EventTable;
  icons: IconTable;
}
