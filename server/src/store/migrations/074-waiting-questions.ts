import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** The questions to subscribers that wait are found without a look at the news beside them. */
export const waitingQuestions: Migration = {
  async up(db) {
    await createIndex(
      db,
      `index outbox_questions_waiting on outbox (organization_id, next_try_at)
        where state = 'waiting' and event = 'subscription.question'`,
    );
  },
};
