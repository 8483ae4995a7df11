import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Which groups follow a monitor: of thousands only those are judged anew that one of their members concerns. */
export const groupMembers: Migration = {
  async up(db) {
    await createTable(db, "group_members", { group_id: "bigint", monitor_id: "bigint" }, [
      "primary key (group_id, monitor_id)",
      references("group_id", "monitors"),
      references("monitor_id", "monitors"),
      "without rowid",
    ]);
    await createIndex(db, "index group_members_monitor on group_members (monitor_id)");
  },
};
