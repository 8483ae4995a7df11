import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";

/** Something that an incident affects, under the name that it had at the time. */
export interface AffectedService {
  /** Null where only the name is known. It may be a monitor that is gone. */
  monitorId: number | null;
  name: string;
}

/** Says what each of these incidents affects. */
export async function insertAffectedServices(
  trx: Db,
  incidents: readonly { id: number; organizationId: number; affectedServices: readonly AffectedService[] }[],
): Promise<void> {
  await insertMany(
    trx,
    "affected_services",
    incidents.flatMap(({ id, organizationId, affectedServices }) =>
      affectedServices.map(({ monitorId, name }) => ({
        organization_id: organizationId,
        incident_id: id,
        monitor_id: monitorId,
        name,
      })),
    ),
  );
}

/** What these incidents affect, by the incident's id and in the order in which it was said. */
export async function readAffectedServices(
  db: Db,
  incidentIds: readonly number[],
): Promise<Map<number, AffectedService[]>> {
  const rows = await db
    .selectFrom("affected_services")
    .select(["incident_id", "monitor_id as monitorId", "name"])
    .where(idIn("incident_id", incidentIds))
    .orderBy("incident_id")
    .orderBy("id")
    .execute();
  const services = new Map<number, AffectedService[]>(incidentIds.map((id) => [id, []]));
  for (const { incident_id, monitorId, name } of rows) services.get(incident_id)?.push({ monitorId, name });
  return services;
}
