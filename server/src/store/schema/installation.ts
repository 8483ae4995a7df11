import type { Generated } from "kysely";

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
