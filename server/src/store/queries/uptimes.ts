import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import { uptimePercentage } from "../../status/uptime.ts";
import { takeTurns } from "../../turns.ts";
import type { Db } from "../db.ts";
import { ownedMonitors } from "./monitor-filter.ts";
import { statusHistory } from "./transitions.ts";

/** Milliseconds: several lengths of time that all end at `to`; `from` is where the longest begins. */
export interface UptimesQuery {
  organizationId: number;
  kind: MonitorKind;
  from: number;
  to: number;
  lengthsMs: readonly number[];
}

/** Monitors whose history is read at once. */
const PAGE = 100;

/**
 * Time-weighted uptime of each of an organization's monitors of a kind over each length of time, in their order, 0…100;
 * null where nothing was known. Their history is read once, for the longest.
 */
export async function readUptimes(
  db: Db,
  { from, to, lengthsMs, ...which }: UptimesQuery,
): Promise<Map<number, (number | null)[]>> {
  const rows = await ownedMonitors(db, which).select("monitors.id").execute();
  const uptimes = new Map<number, (number | null)[]>();
  const giveWay = takeTurns();
  for (let at = 0; at < rows.length; at += PAGE) {
    const ids = rows.slice(at, at + PAGE).map(({ id }) => id);
    for (const [id, history] of await statusHistory(db, ids, from, to)) {
      uptimes.set(
        id,
        lengthsMs.map((ms) => uptimePercentage(history, to - ms, to)),
      );
    }
    await giveWay();
  }
  return uptimes;
}
