import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { MIGRATION_TABLE } from "../../../src/platform/database/migrate.ts";
import {
  type Db,
  detailsOf,
  isTableName,
  TABLE_NAMES,
  TABLES,
  type TableName,
} from "../../../src/platform/database/schema.ts";
import { isPostgres, listTables } from "../../../src/platform/database/sql.ts";
import type { Column } from "../../../src/platform/database/table.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

/** Which tables a table's foreign keys refer to. */
async function referredTo(db: Db, table: string): Promise<string[]> {
  const query = isPostgres(db)
    ? sql<{ name: string }>`select confrelid::regclass::text as name from pg_constraint
        where contype = 'f' and conrelid = ${table}::regclass`
    : sql<{ name: string }>`select "table" as name from pragma_foreign_key_list(${table})`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}

/** The columns that the description of a table names. */
function namedColumns(name: TableName): string[] {
  const { tenant, retention } = detailsOf(name);
  const columns = [typeof tenant === "string" ? tenant : tenant?.column];
  if (typeof retention === "object" && "since" in retention) columns.push("id", retention.since);
  if (typeof retention === "object" && "rawSince" in retention)
    columns.push("monitor_id", retention.rawSince);
  if (retention === "with its monitor") columns.push("id", "monitor_id");
  return columns.filter((column) => column !== undefined);
}

const byName = ([a]: unknown[], [b]: unknown[]): number => (String(a) < String(b) ? -1 : 1);

eachEngine("the list of tables", (engine) => {
  async function open(): Promise<Db> {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    return store.db;
  }

  it("has every table of the database, and no other", async () => {
    const tables = await listTables(await open());
    expect(tables.sort()).toEqual([...TABLE_NAMES, MIGRATION_TABLE].sort());
  });

  it("has each table's columns as they are described", async () => {
    const tables = await (await open()).introspection.getTables();
    for (const name of TABLE_NAMES) {
      const columns = tables.find((table) => table.name === name)?.columns ?? [];
      const found = columns.map((column) => [column.name, column.isNullable, column.hasDefaultValue]);
      const described = Object.entries<Column>(TABLES[name].columns).map(([column, definition]) => [
        column,
        // SQLite's own number of the row is never null, but does not say so.
        definition.isNullable ?? (definition.type === "id" && engine === "sqlite"),
        definition.defaultValue !== undefined,
      ]);
      expect(found.toSorted(byName), name).toEqual(described.toSorted(byName));
    }
  });

  it("names each table after those it refers to, so that rows can come back in this order", async () => {
    const db = await open();
    for (const name of TABLE_NAMES) {
      const before: string[] = TABLE_NAMES.slice(0, TABLE_NAMES.indexOf(name));
      expect(before, name).toEqual(expect.arrayContaining(await referredTo(db, name)));
    }
  });

  it("knows whose the rows are of every table that says so", async () => {
    const tables = await (await open()).introspection.getTables();
    for (const { name, columns } of tables) {
      if (!isTableName(name)) continue;
      const has = (column: string) => columns.some((each) => each.name === column);
      for (const column of namedColumns(name)) expect(has(column), `${name}.${column}`).toBe(true);
      const { tenant } = detailsOf(name);
      if (has("organization_id")) expect(tenant, name).toBe("organization_id");
      else if (has("monitor_id")) expect(tenant, name).toEqual({ column: "monitor_id", of: "monitors" });
      if (typeof tenant === "object" && tenant) expect(TABLE_NAMES, name).toContain(tenant.of);
    }
  });
});
