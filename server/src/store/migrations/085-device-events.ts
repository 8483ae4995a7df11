import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What each name was of devices as well, until they had names of their own. */
const OF_DEVICES: Readonly<Record<string, string>> = {
  "monitor.down": "device.offline",
  "monitor.up": "device.online",
  "monitor.degraded": "device.health",
};

/** Channels that chose events go on hearing of devices what they heard until now. */
export const deviceEvents: Migration = {
  async up(db) {
    const { rows } = await sql<{ id: number; events: string }>`
      select id, events from channels where events <> '[]'`.execute(db);
    for (const { id, events } of rows) {
      const known = JSON.parse(events) as string[];
      const more = known.flatMap((event) => OF_DEVICES[event] ?? []);
      const all = [...new Set([...known, ...more])];
      if (all.length === known.length) continue;
      await sql`update channels set events = ${JSON.stringify(all)} where id = ${id}`.execute(db);
    }
  },
};
