import { OUTCOMES } from "../../checks/outcome.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, isRef, type Ref } from "../../platform/database/sql.ts";
import { countsFrom } from "../status/confirmations.ts";
import { decodeState } from "../status/encode-state.ts";

/** Which monitors a location has, and which version of each; cheap enough to read for all of them. */
export interface AssignmentVersion {
  monitorId: number;
  revision: number;
  intervalMs: number;
  /** Scheduled time of the newest result, milliseconds; null: a caller may be waiting for the first one. */
  lastCheckAt: number | null;
  /** The newest result contradicts the status: what would confirm it may have ended with the process that owed it. */
  isUnsettled: boolean;
}

/** What a probe needs to know of a monitor. `secrets` is still sealed. */
export interface StoredAssignment {
  monitorId: number;
  revision: number;
  type: string;
  config: object;
  secrets: string | null;
  intervalSeconds: number;
  timeoutSeconds: number;
  recheckDelaySeconds: number;
  confirmations: number;
  recoveries: number;
  /** The first revision whose results count. */
  countsFrom: number;
}

/** The enabled monitors of a location, but for those of some types; with `ids`, only those among them. */
export async function listAssignmentVersions(
  db: Db,
  {
    location,
    exceptTypes,
    ids,
  }: { location: string; exceptTypes: readonly string[]; ids?: readonly number[] },
): Promise<AssignmentVersion[]> {
  const rows = await db
    .selectFrom("monitors")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select(["monitors.id", "revision", "interval_seconds", "locations"])
    .select(["status", "last_check_at", "last_outcome"])
    .where("enabled", "=", 1)
    .where("deleted_at", "is", null)
    .where("type", "not in", exceptTypes)
    .$if(ids !== undefined, (query) => query.where(idIn("monitors.id", ids ?? [])))
    .execute();
  return rows
    .filter((row) => row.locations === null || (JSON.parse(row.locations) as string[]).includes(location))
    .map((row) => ({
      monitorId: row.id,
      revision: row.revision,
      intervalMs: row.interval_seconds * 1_000,
      lastCheckAt: row.last_check_at,
      isUnsettled:
        row.last_outcome !== null &&
        (row.last_outcome === OUTCOMES.failed.stored) !== (row.status === "down"),
    }));
}

/** The monitors themselves, in no particular order. */
export async function readAssignments(db: Db, ids: readonly number[]): Promise<StoredAssignment[]> {
  const rows = await db
    .selectFrom("monitors")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select(["id", "revision", "type", "config", "secrets", "interval_seconds", "timeout_seconds"])
    .select(["recheck_delay_seconds", "confirmations", "recoveries", "rules"])
    .where(idIn("id", ids))
    .where("enabled", "=", 1)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map((row) => ({
    monitorId: row.id,
    revision: row.revision,
    type: row.type,
    config: JSON.parse(row.config) as object,
    secrets: row.secrets,
    intervalSeconds: row.interval_seconds,
    timeoutSeconds: row.timeout_seconds,
    recheckDelaySeconds: row.recheck_delay_seconds,
    confirmations: row.confirmations,
    recoveries: row.recoveries,
    countsFrom: row.rules === null ? 0 : countsFrom(decodeState(row.rules)),
  }));
}

/** A monitor by itself, paused or not, unless it is deleted. */
export async function findAssignment(
  db: Db,
  ref: Ref,
): Promise<
  | (Pick<StoredAssignment, "monitorId" | "revision" | "type" | "config" | "secrets"> & { enabled: boolean })
  | null
> {
  const row = await db
    .selectFrom("monitors")
    .select(["id", "revision", "type", "config", "secrets", "enabled"])
    .where("deleted_at", "is", null)
    .where(isRef("monitors", ref))
    .executeTakeFirst();
  if (!row) return null;
  const { id, revision, type, config, secrets, enabled } = row;
  return { monitorId: id, revision, type, config: JSON.parse(config), secrets, enabled: enabled === 1 };
}
