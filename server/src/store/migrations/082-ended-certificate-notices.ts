import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** Of what was told of a certificate it is known when it was told that all is well again; of what is older, that it was. */
export const endedCertificateNotices: Migration = {
  async up(db) {
    await sql`alter table certificate_notices add column ended_at bigint`.execute(db);
    await sql`update certificate_notices set ended_at = told_at`.execute(db);
    await createIndex(
      db,
      "index certificate_notices_open on certificate_notices (monitor_id) where ended_at is null",
    );
  },
};
