import { bigint, id, integer, table, text } from "../table.ts";

export const INSTALLATION_TABLES = {
  meta: table({
    columns: {
      key: text(),
      value: text(),
    },
    primaryKey: ["key"],
    tenant: null,
    retention: "until deleted",
  }),
  locations: table({
    columns: {
      id: id(),
      /** e.g. `local`. */
      code: text().unique(),
      name: text(),
      created_at: bigint(),
    },
    tenant: null,
    retention: "until deleted",
  }),
  probes: table({
    columns: {
      /** A uuid, new at each start of a built-in probe. */
      id: text(),
      location_id: bigint().references("locations"),
      started_at: bigint(),
      seen_at: bigint(),
    },
    primaryKey: ["id"],
    tenant: null,
    retention: { elsewhere: "until the process stops or falls silent (engine/probe/roster.ts)" },
  }),
  /** As rate-limiter-flexible made it; PostgreSQL's replicas count there. */
  rate_limits: table({
    columns: {
      key: text(),
      points: integer().default(0),
      expire: bigint().nullable(),
    },
    primaryKey: ["key"],
    tenant: null,
    retention: { elsewhere: "until the window ends (platform/http/rate-limits.ts)" },
    backup: "left out",
  }),
};
