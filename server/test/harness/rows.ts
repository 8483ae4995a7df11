import { sql } from "kysely";
import { BACKUP_TABLES } from "../../src/store/backup-rows.ts";
import { insertMany } from "../../src/store/bulk.ts";
import type { Store } from "../../src/store/store.ts";

const AWKWARD = [
  "",
  "plain",
  "quo'te \" \\ back",
  "漢字 🛰\u2028 line",
  "tab\there\nnewline",
  "[1]",
  '{"base64":"x"}',
];

/**
 * `count` rows in every table, with values that are hard to carry over: text of all sorts, large
 * integers, bytes, nulls. Rows refer to the row of the same number in other tables.
 */
export async function fillEveryTable(store: Store, count: number): Promise<void> {
  const tables = await store.db.introspection.getTables();
  for (const name of BACKUP_TABLES) {
    const table = tables.find((candidate) => candidate.name === name);
    const rows = Array.from({ length: count }, (_, i) =>
      Object.fromEntries((table?.columns ?? []).map((column) => [column.name, valueFor(column, i + 1)])),
    );
    await insertMany(store.db, name, rows);
  }
  // Identities were given by hand; the counters follow, as if the store had given them itself.
  if (store.engine === "sqlite") return;
  for (const { name } of tables.filter((table) =>
    table.columns.some((column) => column.isAutoIncrementing),
  )) {
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${count}::bigint)`.execute(store.db);
  }
}

function valueFor(column: { name: string; dataType: string; isNullable: boolean }, i: number): unknown {
  const { name } = column;
  if (column.isNullable && i % 3 === 0) return null;
  if (/blob|bytea/i.test(column.dataType)) return Uint8Array.from([0, 255, 10, 13, i % 256]);
  if (/text/i.test(column.dataType)) return `${name} ${i} ${AWKWARD[i % AWKWARD.length]}`;
  return name === "id" || name.endsWith("_id") ? i : /_at$|_us$/.test(name) ? 2 ** 52 + i : i % 2;
}

/** A row of `organizations`, with whatever the test cares about on top. */
export const organizationRow = (id: number, more: object = {}) => ({
  id,
  uuid: `organization-${id}`,
  name: "O",
  slug: `organization-${id}`,
  plan: "expert",
  reports: 1,
  created_at: 0,
  updated_at: 0,
  ...more,
});

/** A row of `monitors`, in organization 1. */
export const monitorRow = (id: number, more: object = {}) => ({
  id,
  uuid: `monitor-${id}`,
  organization_id: 1,
  kind: "domain",
  type: "http",
  name: "Shop",
  url: "https://shop.test/",
  display_url: "https://shop.test/",
  config: "{}",
  interval_seconds: 60,
  timeout_seconds: 10,
  enabled: 1,
  confirmations: 2,
  recoveries: 2,
  severity: "high",
  tags: "[]",
  revision: 1,
  created_at: 0,
  updated_at: 0,
  deleted_at: null,
  ...more,
});

/** Everything stored, by table: each row as text (bytes in hex), in one order whatever the engine. */
export async function dumpStore(store: Store): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const name of BACKUP_TABLES) {
    const rows = await store.db.selectFrom(name).selectAll().execute();
    dump[name] = rows
      .map((row) =>
        JSON.stringify(
          Object.entries(row)
            .map(([key, value]) => [
              key,
              value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
            ])
            .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
        ),
      )
      .sort();
  }
  return dump;
}
