import type { Db } from "../store/db.ts";
import { readSnapshot, type SeenChange, type StoredMoment } from "../store/queries/device-snapshots.ts";
import { applicationChanges } from "./application-changes.ts";
import { compressNow, uncompress } from "./compressed.ts";
import { momentOf } from "./moments.ts";
import type { NewReports } from "./report-news.ts";
import { reportedAt } from "./report-times.ts";
import type { NewSnapshot, SnapshotItem, SnapshotKind, StoredSnapshot } from "./snapshots.ts";

/** What is kept of the lists of a request. */
interface KeptLists {
  snapshots: StoredSnapshot[];
  moments: StoredMoment[];
  changes: SeenChange[];
}

/** The newest lists, the moments that they show, and what changed since the lists that are stored; the device is locked. */
export async function listsOf(
  trx: Db,
  deviceId: number,
  { reports, body, now, snapshots }: NewReports & { snapshots: readonly NewSnapshot[] },
): Promise<KeptLists> {
  const sequences = new Set(reports.map(({ sequence }) => sequence));
  const kept: KeptLists = {
    snapshots: snapshots.filter((one) => sequences.has(one.sequence)),
    moments: [],
    changes: [],
  };
  let connections = reports.some((report) => report.connections)
    ? await listBefore(trx, deviceId, "connections")
    : null;
  let applications = reports.some((report) => report.applications)
    ? await listBefore(trx, deviceId, "applications")
    : null;
  for (const report of reports) {
    const at = reportedAt(report, body, now);
    const moment = momentOf(report, connections);
    const load = report.metrics?.["cpu.usage"] ?? null;
    if (moment) kept.moments.push({ at, load, items: compressNow(moment) });
    connections = report.connections?.items ?? connections;
    // The first list says nothing of what came and went.
    if (report.applications && applications)
      kept.changes.push(
        ...applicationChanges(applications, report.applications.items).map((change) => ({ at, ...change })),
      );
    applications = report.applications?.items ?? applications;
  }
  return kept;
}

async function listBefore<Kind extends SnapshotKind>(
  trx: Db,
  deviceId: number,
  kind: Kind,
): Promise<SnapshotItem<Kind>[] | null> {
  const stored = await readSnapshot(trx, deviceId, kind);
  return stored && uncompress<SnapshotItem<Kind>[]>(stored.items);
}
