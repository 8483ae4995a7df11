import type { Generated } from "kysely";
import { table } from "../table.ts";

export interface MetaTable {
  key: string;
  value: string;
}

export interface LocationTable {
  id: Generated<number>;
  /** e.g. `local`. */
  code: string;
  name: string;
  created_at: number;
}

export interface ProbeTable {
  /** A uuid, new at each start of a built-in probe. */
  id: string;
  location_id: number;
  started_at: number;
  seen_at: number;
}

/** As rate-limiter-flexible made it; PostgreSQL's replicas count there. */
export interface RateLimitTable {
  key: string;
  points: number;
  expire: number | null;
}

/** Tables of the installation as a whole. */
export const INSTALLATION_TABLES = {
  meta: table<MetaTable>({ tenant: null, retention: "kept" }),
  locations: table<LocationTable>({ tenant: null, retention: "kept" }),
  probes: table<ProbeTable>({
    tenant: null,
    retention: { elsewhere: "until the process stops or falls silent (probe/roster.ts)" },
  }),
  rate_limits: table<RateLimitTable>({
    tenant: null,
    retention: { elsewhere: "until the window ends (http/limiter.ts)" },
    backup: "left out",
  }),
};
