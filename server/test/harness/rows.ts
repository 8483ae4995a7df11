import { type RawBuilder, type SqlBool, sql } from "kysely";
import { BACKUP_TABLES } from "../../src/app/backup.ts";
import { insertMany } from "../../src/platform/database/bulk.ts";
import { detailsOf, isTableName, TABLE_NAMES } from "../../src/platform/database/schema.ts";
import type { Store } from "../../src/platform/database/store.ts";

const AWKWARD = [
  "",
  "plain",
  "quo'te \" \\ back",
  "漢字 🛰\u2028 line",
  "tab\there\nnewline",
  "[1]",
  '{"base64":"x"}',
];

interface Filling {
  /** The number of the first row. */
  first?: number;
  /** The value of a column of the row of that number; undefined: something hard to carry over. */
  valueIn?(table: string, column: string, number: number): unknown;
}

/**
 * `count` rows in every table, with values that are hard to carry over: text of all sorts, large
 * integers, bytes, nulls. Rows refer to the row of the same number in other tables.
 */
export async function fillEveryTable(
  store: Store,
  count: number,
  { first = 1, valueIn }: Filling = {},
): Promise<void> {
  const tables = await store.db.introspection.getTables();
  for (const name of BACKUP_TABLES) {
    const table = tables.find((candidate) => candidate.name === name);
    const rows = Array.from({ length: count }, (_, i) =>
      Object.fromEntries(
        (table?.columns ?? []).map((column) => {
          const wanted = valueIn?.(name, column.name, first + i);
          const usual = isAlert(name, column.name) ? alertOf(first + i) : valueFor(column, first + i);
          return [column.name, wanted === undefined ? usual : wanted];
        }),
      ),
    );
    await insertMany(store.db, name, rows);
  }
  // Identities were given by hand; the counters follow, as if the store had given them itself.
  if (store.engine === "sqlite") return;
  for (const { name } of tables.filter((table) =>
    table.columns.some((column) => column.isAutoIncrementing),
  )) {
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${first + count - 1}::bigint)`.execute(
      store.db,
    );
  }
}

const isAlert = (table: string, column: string): boolean => table === "alerts" && column === "data";

/** What an alert is read from when a backup is restored. */
const alertOf = (i: number): string =>
  JSON.stringify({ members: [], posts: [], sending: null, note: AWKWARD[i % AWKWARD.length] });

function valueFor(column: { name: string; dataType: string; isNullable: boolean }, i: number): unknown {
  const { name } = column;
  if (column.isNullable && i % 3 === 0) return null;
  if (/blob|bytea/i.test(column.dataType)) return Uint8Array.from([0, 255, 10, 13, i % 256]);
  if (/text/i.test(column.dataType)) return `${name} ${i} ${AWKWARD[i % AWKWARD.length]}`;
  return name === "id" || name.endsWith("_id") ? i : /_at$|_us$/.test(name) ? 2 ** 52 + i : i % 2;
}

/** What is stored of an organization, by table: the rows that the list of tables says are its own. */
export async function rowsOfOrganization(
  { db }: Store,
  organizationId: number,
): Promise<Record<string, unknown[]>> {
  const own = (name: string): RawBuilder<SqlBool> => {
    const tenant = isTableName(name) ? detailsOf(name).tenant : null;
    if (tenant === null) throw new Error(`The list of tables does not say whose the rows of ${name} are.`);
    if (typeof tenant === "string") return sql`${sql.ref(tenant)} = ${organizationId}`;
    const { column, of } = tenant;
    return sql`${sql.ref(column)} in (select id from ${sql.table(of)} where ${own(of)})`;
  };
  const rows: Record<string, unknown[]> = {};
  for (const name of TABLE_NAMES) {
    if (detailsOf(name).tenant === null) continue;
    rows[name] = (await sql`select * from ${sql.table(name)} where ${own(name)}`.execute(db)).rows;
  }
  return rows;
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
  target: "https://shop.test/",
  display_target: "https://shop.test/",
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

/** Everything stored, by table, in one order whatever the engine. */
export async function dumpStore(store: Store): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const name of BACKUP_TABLES) {
    const rows = await store.db.selectFrom(name).selectAll().execute();
    dump[name] = rows.map(dumpedRow).sort();
  }
  return dump;
}

/** A row as text, its columns by name and bytes in hex. */
export const dumpedRow = (row: object): string =>
  JSON.stringify(
    Object.entries(row)
      .map(([key, value]) => [key, value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
