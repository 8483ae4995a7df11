import { sql } from "kysely";

/** In a query over `monitors`: the uuids of what each depends on, with commas between; null: of nothing that is still there. */
export const parentUuids = sql<string | null>`(
  select string_agg(parents.uuid, ',' order by parents.id) from monitor_parents
  join monitors as parents on parents.id = monitor_parents.parent_id
  where monitor_parents.monitor_id = monitors.id and parents.deleted_at is null)`;

/** What `parentUuids` gives, as a list. */
export const uuidsIn = (joined: string | null): string[] => (joined === null ? [] : joined.split(","));
