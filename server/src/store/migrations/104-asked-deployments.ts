import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** When a resource's deployments were asked for last, each for itself: one that fails keeps none of the others from it. */
export const askedDeployments: Migration = {
  async up(db) {
    await sql`alter table integration_resources add column deployments_at bigint`.execute(db);
  },
};
