import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { Db } from "../db.ts";
import { type Monitor, monitorOf } from "./monitors.ts";
import { parentUuids } from "./parent-uuids.ts";

/** By what a monitor is known to people: no two of an organization and kind have the same of both. */
export interface MonitorName {
  id: number;
  uuid: string;
  target: string;
  name: string;
}

/** Some of the monitors of an organization and kind, in the order of their ids: from the one after `afterId`. */
export interface Stretch {
  organizationId: number;
  kind: MonitorKind;
  afterId: number;
  limit: number;
}

const stretchOf = (db: Db, { organizationId, kind, afterId, limit }: Stretch) =>
  db
    .selectFrom("monitors")
    .where("organization_id", "=", organizationId)
    .where("kind", "=", kind)
    .where("deleted_at", "is", null)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit);

/** What they are known by. */
export const listMonitorNames = (db: Db, stretch: Stretch): Promise<MonitorName[]> =>
  stretchOf(db, stretch).select(["id", "uuid", "target", "name"]).execute();

/** All of what is set of them; their secrets stay sealed. */
export const listMonitorSettings = async (db: Db, stretch: Stretch): Promise<Monitor[]> =>
  (await stretchOf(db, stretch).selectAll().select(parentUuids.as("parent_uuids")).execute()).map(monitorOf);
