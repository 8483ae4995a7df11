import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What each title became; those of a device that was offline as well have a parameter that says so. */
const RENAMED: Readonly<Record<string, { code: string; wasOffline: boolean }>> = {
  "incident.unwell": { code: "incident.not_healthy", wasOffline: false },
  "incident.critical_back": { code: "incident.critical", wasOffline: true },
  "incident.unwell_back": { code: "incident.not_healthy", wasOffline: true },
};

/** Titles of devices' incidents that say the same are the same. */
export const healthTitles: Migration = {
  async up(db) {
    const { rows } = await sql<{ id: number; title: string }>`
      select id, title_fact as title from incidents
      where title_fact like '%"incident.unwell%' or title_fact like '%"incident.critical_back%'`.execute(db);
    for (const { id, title } of rows) {
      const { code, params, ...more } = JSON.parse(title) as { code: string; params?: object };
      // Of a title that was stored because the incident was reopened: it says how it was.
      const isOver = code.endsWith("_over");
      const known = RENAMED[isOver ? code.slice(0, -"_over".length) : code];
      if (!known) continue;
      const over = known.wasOffline ? "incident.offline_critical_over" : "incident.critical_over";
      const renamed = {
        ...{
          code: isOver ? over : known.code,
          params: { ...params, ...(known.wasOffline && { offline: 1 }) },
        },
        ...more,
      };
      await sql`update incidents set title_fact = ${JSON.stringify(renamed)} where id = ${id}`.execute(db);
    }
  },
};
