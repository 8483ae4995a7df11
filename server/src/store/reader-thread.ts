import { parentPort, workerData } from "node:worker_threads";
import { Kysely } from "kysely";
import { HEAVY_READS } from "./heavy-reads.ts";
import type { DriverFault, ReaderAnswer, ReaderQuestion } from "./reader.ts";
import type { Schema } from "./schema.ts";
import { openDatabase, sqliteDialect } from "./sqlite.ts";

/** The thread of reader.ts: one question after the other, on a connection that cannot write. */
const { file } = workerData as { file: string };
const db = new Kysely<Schema>({
  dialect: sqliteDialect(openDatabase(file, { readOnly: true }), { readOnly: true }),
});

parentPort?.on("message", ({ id, name, input }: ReaderQuestion) => {
  HEAVY_READS[name](db, input).then(
    (value) => answer({ id, value }),
    (error: unknown) => answer({ id, error: faultOf(error) }),
  );
});

// oxlint-disable-next-line unicorn/require-post-message-target-origin
const answer = (message: ReaderAnswer) => parentPort?.postMessage(message);

function faultOf(error: unknown): DriverFault {
  const { message, code, errcode } = (
    error instanceof Error ? error : { message: String(error) }
  ) as DriverFault;
  return { message, ...(code !== undefined && { code }), ...(errcode !== undefined && { errcode }) };
}
