import { workerData } from "node:worker_threads";
import { Kysely } from "kysely";
import { handleRequests } from "../worker-pool.ts";
import type { ReadRequest } from "./reader.ts";
import { HEAVY_READS } from "./reader.ts";
import type { Schema } from "./schema.ts";
import { openDatabase, sqliteDialect } from "./sqlite.ts";

/** The thread of reader.ts: one query after the other, on a connection that cannot write. */
const { file } = workerData as { file: string };
const db = new Kysely<Schema>({
  dialect: sqliteDialect(openDatabase(file, { readOnly: true }), { readOnly: true }),
});

handleRequests<ReadRequest>(({ name, input }) => HEAVY_READS[name](db, input as never));
