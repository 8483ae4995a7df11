import { workerData } from "node:worker_threads";
import { Kysely } from "kysely";
import { UPTIMES } from "../engine/queries/transitions.ts";
import { PAGE_BY_UPTIME } from "../monitors/queries/monitor-list.ts";
import { MONITOR_SUMMARY } from "../monitors/queries/monitor-names.ts";
import type { HeavyRead, ReadRequest } from "../platform/database/reader.ts";
import type { Schema } from "../platform/database/schema.ts";
import { openDatabase, sqliteDialect } from "../platform/database/sqlite.ts";
import { handleRequests } from "../platform/worker-pool.ts";
import { MONITOR_REPORT } from "../reports/queries/reports.ts";

/** The thread of platform/database/reader.ts: one query after the other, on a connection that cannot write. */
const { file } = workerData as { file: string };
const db = new Kysely<Schema>({
  dialect: sqliteDialect(openDatabase(file, { readOnly: true }), { readOnly: true }),
});

const reads = [UPTIMES, PAGE_BY_UPTIME, MONITOR_SUMMARY, MONITOR_REPORT] as unknown as HeavyRead<
  ReadRequest["input"],
  unknown
>[];
const byName = new Map(reads.map((heavy) => [heavy.name, heavy]));

handleRequests<ReadRequest>(({ name, input }) => {
  const heavy = byName.get(name);
  if (!heavy) throw new Error(`The reader's thread knows no read called ${name}.`);
  return heavy.read(db, input);
});
