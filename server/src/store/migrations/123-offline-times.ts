import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** An outage of a device's health knows when the device was offline besides: of that alone status pages show anything. */
export const offlineTimes: Migration = {
  async up(db) {
    await sql`alter table affected_services add column offline text`.execute(db);
  },
};
