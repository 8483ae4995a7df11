import { type SqlBool, sql } from "kysely";
import type { Severity } from "../../incident/states.ts";
import type { Db } from "../db.ts";
import { positionIn } from "../dialect.ts";
import { affectsNamed } from "./affected-services.ts";
import { foldForSearch } from "./monitors.ts";
import { isRef, type Ref } from "./ref.ts";

/** Later than any time that is stored. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

export interface IncidentFilter {
  organizationId: number;
  status?: string | undefined;
  severity?: Severity | undefined;
  /** Whether it goes on. */
  active?: boolean | undefined;
  /** Whether somebody has acknowledged it. */
  acknowledged?: boolean | undefined;
  /** What it affects, all of them. */
  monitors?: readonly Ref[];
  /** Part of the title, or of the name of something that it affects, in any case. */
  search?: string | undefined;
  /** Went on at some time from here on, and before `to`; milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The organization's incidents that fit. */
export function filteredIncidents(db: Db, filter: IncidentFilter) {
  const { organizationId, status, severity, active, acknowledged, monitors = [], search, from, to } = filter;
  let query = db.selectFrom("incidents").where("incidents.organization_id", "=", organizationId);
  if (status) query = query.where("incidents.status", "=", status);
  if (severity) query = query.where("incidents.severity", "=", severity);
  if (active !== undefined) query = query.where("incidents.resolved_at", active ? "is" : "is not", null);
  if (acknowledged !== undefined)
    query = query.where("incidents.acknowledged_at", acknowledged ? "is not" : "is", null);
  if (to !== undefined) query = query.where("incidents.started_at", "<", to);
  if (from !== undefined)
    query = query.where(sql<SqlBool>`coalesce(incidents.resolved_at, ${sql.lit(ENDLESS)}) >= ${from}`);
  if (search) {
    const text = sql.ref<string>("incidents.search_text");
    const part = foldForSearch(search);
    query = query.where(
      sql<SqlBool>`(${positionIn(db, text, part)} > 0 or ${affectsNamed(db, organizationId, part)})`,
    );
  }
  for (const monitor of monitors) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("affected_services")
          .innerJoin("monitors", "monitors.id", "affected_services.monitor_id")
          .select("affected_services.id")
          .whereRef("affected_services.incident_id", "=", "incidents.id")
          .where("monitors.organization_id", "=", organizationId)
          .where(isRef("monitors", monitor)),
      ),
    );
  }
  return query;
}
