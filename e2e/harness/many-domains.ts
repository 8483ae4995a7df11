import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Multiplies the one domain of an installation until there are `count`, straight in its database: through
 * the API it would take a minute. The copies are called `Site 00002` and so on, are up, and are checked by
 * a location that does not exist.
 */
export function multiplyDomain(dataFolder: string, count: number): void {
  const database = new DatabaseSync(join(dataFolder, "vedette.db"));
  const columns = (table: string, replaced: Record<string, string>) => {
    const names = database.prepare(`select name from pragma_table_info(?)`).all(table);
    return names
      .map(({ name }) => String(name))
      .map((name) => ({ name, value: replaced[name] ?? `one.${name}` }));
  };
  const name = "printf('Site %05d', n)";
  const url = "printf('https://site-%05d.northwind.test/', n)";
  const copy = (table: string, replaced: Record<string, string>) => {
    const all = columns(table, replaced);
    database.exec(`with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < ${count})
      insert into ${table} (${all.map((column) => column.name).join()})
      select ${all.map((column) => column.value).join()} from numbers, (select * from ${table} limit 1) as one`);
  };
  try {
    database.exec("pragma busy_timeout = 10000; begin immediate");
    copy("monitors", {
      id: "one.id + n",
      uuid: "lower(printf('0190b6a4-7f4b-7c3a-9c61-%012x', n))",
      name,
      target: url,
      display_target: url,
      search_text: `lower(${name} || char(10) || ${url})`,
      locations: "'[\"elsewhere\"]'",
    });
    copy("monitor_states", {
      monitor_id: "one.monitor_id + n",
      status: "'up'",
      stale_at: "null",
      last_total_us: "1000 * (n % 400 + 1)",
    });
    database.exec("commit");
  } finally {
    database.close();
  }
}

/** Gives each domain of an installation a day of history, straight in its database: up, and timed every minute. */
export function giveHistory(dataFolder: string): void {
  const hourMs = 3_600_000;
  const now = Date.now();
  const thisHour = now - (now % hourMs);
  const database = new DatabaseSync(join(dataFolder, "vedette.db"));
  try {
    database.exec("pragma busy_timeout = 10000; begin immediate");
    database.exec(`insert into transitions
        (organization_id, monitor_id, from_status, to_status, at, detected_at, maintenance)
      select organization_id, id, 'unknown', 'up', ${now - 48 * hourMs}, ${now - 48 * hourMs}, 0 from monitors`);
    database.exec(`with recursive hours(hour) as (select 0 union all select hour + 1 from hours where hour < 23)
      insert or ignore into rollups (period_seconds, bucket_at, monitor_id, location_id, checks, failures, timed,
        sum_us, min_us, max_us, histogram)
      select 3600, ${thisHour} - hour * ${hourMs}, monitors.id, (select min(id) from locations), 60, 0, 60,
        60 * 1000 * (80 + (monitors.id * 7 + hour * 13) % 90), 40000, 400000, x'' from hours, monitors`);
    database.exec("commit");
  } finally {
    database.close();
  }
}
