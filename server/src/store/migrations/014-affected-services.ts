import type { Migration } from "kysely/migration";
import { insertMany } from "../bulk.ts";
import { createIndex, createTable, references } from "../ddl.ts";
import type { AnyDb } from "../dialect.ts";

const ROWS_A_STEP = 1_000;

/**
 * What an incident affects is referred to by id; its name stays as it was at the time. The lists of names so far say of
 * incidents that were opened by an outage whose name it is.
 */
export const affectedServices: Migration = {
  async up(db) {
    await createTable(
      db,
      "affected_services",
      { id: "id", organization_id: "bigint", incident_id: "bigint", monitor_id: "bigint?", name: "text" },
      [references("incident_id", "incidents")],
    );
    await createIndex(db, "index affected_services_incident on affected_services (incident_id, id)");
    await carryOver(db);
    await db.schema.alterTable("incidents").dropColumn("affected_services").execute();
  },
};

interface OldIncident {
  id: number;
  organization_id: number;
  monitor_id: number | null;
  automatic: number;
  /** JSON array of names. */
  affected_services: string;
}

async function carryOver(db: AnyDb): Promise<void> {
  for (let last = 0; ; ) {
    const incidents: OldIncident[] = await db
      .selectFrom("incidents")
      .select(["id", "organization_id", "monitor_id", "automatic", "affected_services"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(ROWS_A_STEP)
      .execute();
    await insertMany(db, "affected_services", incidents.flatMap(servicesOf));
    const newest = incidents.at(-1);
    if (!newest) return;
    last = newest.id;
  }
}

const servicesOf = ({ id, organization_id, monitor_id, automatic, affected_services }: OldIncident) =>
  (JSON.parse(affected_services) as string[]).map((name) => ({
    organization_id,
    incident_id: id,
    monitor_id: automatic === 1 ? monitor_id : null,
    name,
  }));
