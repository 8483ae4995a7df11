import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { AnyDb } from "../dialect.ts";
import { idIn } from "../dialect.ts";

const ROWS_A_STEP = 500;

interface Outage {
  id: number;
  /** JSON: what its incident's members have in common; null: nothing that is known. */
  groupedBy: string | null;
  /** JSON array of what it may come from. */
  causes: string | null;
}

/**
 * Which outages people had brought to an incident before that was kept (065): in one that others were merged into, those that
 * do not have in common what joins them, but for that of the monitor which leads.
 */
export const mergedBefore: Migration = {
  async up(db) {
    for (let last = 0, rows = await outagesAfter(db, last); rows.length > 0; ) {
      const merged = rows.filter((one) => !hasJoined(one)).map(({ id }) => id);
      await db.updateTable("affected_services").set({ merged: 1 }).where(idIn("id", merged)).execute();
      last = rows.at(-1)?.id ?? last;
      rows = await outagesAfter(db, last);
    }
  },
};

async function outagesAfter(db: AnyDb, last: number): Promise<Outage[]> {
  const { rows } = await sql<Outage>`
    select outage.id, incidents.grouped_by as "groupedBy", outage.causes
    from affected_services as outage join incidents on incidents.id = outage.incident_id
    where outage.id > ${last} and outage.outage_started_at is not null
      and outage.monitor_id <> coalesce(incidents.monitor_id, 0)
      and exists (select 1 from incidents as source where source.merged_into = incidents.id)
    order by outage.id limit ${ROWS_A_STEP}`.execute(db);
  return rows.map(({ id, ...row }) => ({ ...row, id: Number(id) }));
}

interface Cause {
  kind: string;
  value: string;
  id?: number;
}

function hasJoined({ groupedBy, causes }: Outage): boolean {
  if (groupedBy === null || causes === null) return false;
  const by = JSON.parse(groupedBy) as Cause;
  return (JSON.parse(causes) as Cause[]).some(
    ({ kind, value, id }) => kind === by.kind && value === by.value && id === by.id,
  );
}
