/**
 * A process that reads an Uptime Kuma database, whose path it gets, and writes its backup, or an error. The
 * file is untrusted: views, virtual tables and generated columns are not read, and the parent enforces a time
 * limit.
 */
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

const MAX_MONITORS = 10_000;
const MAX_TAGS = 100_000;
const MAX_TEXT_BYTES = 1_048_576;
const MAX_HEAP_BYTES = 128 * 1_048_576;

/** In the database's snake_case; the backup has camelCase. */
const COLUMNS =
  `id name description parent type active url method hostname port interval retry_interval resend_interval timeout
  maxretries keyword invert_keyword expiry_notification domain_expiry_notification ignore_tls upside_down packet_size
  maxredirects proxy_id auth_method headers body http_body_encoding json_path json_path_operator expected_value
  database_connection_string database_query radius_password mqtt_topic mqtt_success_message mqtt_username mqtt_password
  mqtt_check_type mqtt_websocket_path grpc_url grpc_body grpc_metadata grpc_method grpc_service_name grpc_enable_tls
  smtp_security ws_ignore_sec_websocket_accept_header ws_subprotocol cache_bust ip_family save_response
  expected_tls_alert retry_only_on_status_code_failure`.split(/\s+/);
/** Columns with the same name in the backup. */
const AS_THEY_ARE =
  "dns_resolve_type dns_resolve_server basic_auth_user basic_auth_pass bearer_token ping_count ping_per_request_timeout".split(
    " ",
  );
/** JSON columns, with their names in the backup. */
const JSON_COLUMNS = { accepted_statuscodes_json: "accepted_statuscodes", conditions: "conditions" } as const;
/** Tables that matter only if they have rows. */
const OTHER_TABLES = {
  notification: "notificationList",
  proxy: "proxyList",
  maintenance: "maintenanceList",
  status_page: "statusPageList",
  docker_host: "dockerHostList",
} as const;

type Row = Record<string, string | number | null>;

/** The end of a message code about imports. */
class DatabaseProblem extends Error {}

/** Read-only and immutable, unless a write-ahead log of its own is beside it. */
function openDatabase(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  const log = `${path}-wal`;
  if (!existsSync(log) || statSync(log).size === 0) url.search = "?immutable=1";
  const database = new DatabaseSync(url, { readOnly: true, allowExtension: false, readBigInts: true });
  Object.assign(database.limits, { length: MAX_TEXT_BYTES, attach: 0, column: 500, exprDepth: 50 });
  database.exec(
    `pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0; pragma hard_heap_limit = ${MAX_HEAP_BYTES}`,
  );
  return database;
}

/** Empty where there is no such plain table. */
function columnsOf(database: DatabaseSync, table: string): Set<string> {
  const found = database.prepare("select type, sql from sqlite_schema where name = ?").get(table);
  if (found?.["type"] !== "table" || !/^\s*create\s+table\b/i.test(String(found["sql"]))) return new Set();
  const columns = database.prepare("select name, hidden from pragma_table_xinfo(?)").all(table);
  return new Set(columns.filter(({ hidden }) => Number(hidden) === 0).map(({ name }) => String(name)));
}

/** Limited; only columns that exist. */
function rowsOf(database: DatabaseSync, table: string, wanted: readonly string[], limit: number): Row[] {
  const columns = columnsOf(database, table);
  const known = wanted.filter((name) => columns.has(name));
  if (known.length === 0) return [];
  const rows = database.prepare(
    `select ${known.map((name) => `"${name}"`).join(", ")} from "${table}" limit ?`,
  );
  return rows.all(limit).map((row) => Object.fromEntries(known.map((name) => [name, plain(row[name])])));
}

function plain(value: unknown): string | number | null {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" || typeof value === "number" ? value : null;
}

const inCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Throws DatabaseProblem. */
function backupOf(database: DatabaseSync): object {
  if (!columnsOf(database, "monitor").has("type")) throw new DatabaseProblem("database");
  const wanted = [...COLUMNS, ...AS_THEY_ARE, ...Object.keys(JSON_COLUMNS)];
  const monitors = rowsOf(database, "monitor", wanted, MAX_MONITORS + 1);
  if (monitors.length > MAX_MONITORS) throw new DatabaseProblem("database_large");
  const tags = tagsOf(database);
  const others = Object.entries(OTHER_TABLES).map(([table, name]) => {
    return [name, rowsOf(database, table, ["id"], 1)];
  });
  return {
    ...Object.fromEntries(others),
    monitorList: monitors.map((row) => monitorOf(row, tags.get(row["id"] ?? null) ?? [])),
  };
}

function monitorOf(row: Row, tags: object[]): object {
  const fields = Object.entries(row).map(([name, value]): [string, unknown] => {
    if (name in JSON_COLUMNS) return [JSON_COLUMNS[name as keyof typeof JSON_COLUMNS], parsed(value)];
    return [AS_THEY_ARE.includes(name) ? name : inCamelCase(name), value];
  });
  return { ...Object.fromEntries(fields), tags };
}

function parsed(text: string | number | null): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** By monitor number. */
function tagsOf(database: DatabaseSync): Map<unknown, object[]> {
  const names = new Map(rowsOf(database, "tag", ["id", "name"], MAX_TAGS).map(({ id, name }) => [id, name]));
  const given = rowsOf(database, "monitor_tag", ["monitor_id", "tag_id", "value"], MAX_TAGS);
  const tags = Map.groupBy(given, (row) => row["monitor_id"]);
  return new Map(
    [...tags].map(([id, rows]) => [
      id,
      rows.map((row) => ({ name: names.get(row["tag_id"] ?? null) ?? null, value: row["value"] })),
    ]),
  );
}

try {
  const database = openDatabase(process.argv[2] ?? "");
  process.stdout.write(JSON.stringify(backupOf(database)));
} catch (error) {
  const code = error instanceof DatabaseProblem ? error.message : "database_damaged";
  process.stdout.write(JSON.stringify({ problem: `import.${code}` }));
}
