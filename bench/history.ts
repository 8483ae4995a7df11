import { encodeHistogram } from "../server/src/result/histogram.ts";
import { HOUR_MS, hourOf, type PackKey, packResults } from "../server/src/result/pack.ts";
import type { StoredResult } from "../server/src/result/stored-result.ts";
import { openDatabase } from "../server/src/store/sqlite.ts";

const STEP_MS = 300_000;
const DAY_MS = 86_400_000;
const LOCATION = 900;

/**
 * Writes a passed check every 5 minutes of monitors 1 … `monitors` into a SQLite store, up to now, as a
 * running installation has them: packed hours, rows for the last two, and roll-ups of every length.
 */
export function fillHistory(file: string, { monitors, days }: { monitors: number; days: number }): void {
  const database = openDatabase(file);
  const until = Date.now();
  const from = Math.floor(until / DAY_MS) * DAY_MS - days * DAY_MS;
  const packedBefore = hourOf(until - HOUR_MS);
  database.exec(`insert into locations (id, code, name, created_at) values (${LOCATION}, 'elsewhere', 'Elsewhere', 0);
    insert into meta (key, value) values ('packed_before', '${packedBefore}');
    begin`);
  const result = database.prepare(
    `insert into results (monitor_id, location_id, scheduled_at, outcome, status_code, dns_us, connect_us, first_byte_us, transfer_us, total_us, maintenance)
      values (?, ${LOCATION}, ?, 0, 200, 900, 1500, 15000, 1000, ?, 0)`,
  );
  const pack = database.prepare("insert into packs values (?, ?, ?, ?)");
  for (let id = 1; id <= monitors; id += 1) {
    for (let hourAt = from; hourAt < packedBefore; hourAt += HOUR_MS) {
      const key = { monitorId: id, locationId: LOCATION, hourAt };
      pack.run(id, hourAt, LOCATION, packResults(key, hourOfChecks(key)));
    }
    for (let at = packedBefore; at <= until; at += STEP_MS) result.run(id, at, totalUs(id, at));
  }
  for (const seconds of [300, 3600, 86_400]) fillRollups(database, { monitors, from, until, seconds });
  database.exec("commit");
  database.close();
}

/** From 20 to 29 ms, in the precision that is kept. */
const totalUs = (monitorId: number, at: number) =>
  20_000 + ((monitorId * 79 + (at / STEP_MS) * 47) % 90) * 100;

function hourOfChecks({ monitorId, locationId, hourAt }: PackKey): StoredResult[] {
  return Array.from({ length: HOUR_MS / STEP_MS }, (_, i) => {
    const scheduledAt = hourAt + i * STEP_MS;
    return {
      monitorId,
      locationId,
      scheduledAt,
      outcome: 0,
      statusCode: 200,
      dnsUs: 900,
      connectUs: 1500,
      tlsUs: null,
      firstByteUs: 15_000,
      transferUs: 1_000,
      totalUs: totalUs(monitorId, scheduledAt),
      reason: null,
      message: null,
      maintenance: 0,
    };
  });
}

/** All monitors get the same latencies: what is read costs the same. In the order of the primary key. */
function fillRollups(
  database: ReturnType<typeof openDatabase>,
  { monitors, from, until, seconds }: { monitors: number; from: number; until: number; seconds: number },
): void {
  const checks = (seconds * 1000) / STEP_MS;
  const latencies = Array.from({ length: checks }, (_, i) => totalUs(1, i * STEP_MS));
  const sum = latencies.reduce((total, one) => total + one, 0);
  const figures = `${checks}, 0, ${checks}, ${sum}, ${Math.min(...latencies)}, ${Math.max(...latencies)}`;
  database
    .prepare(
      `with recursive
        times (at) as (select ${from} union all select at + ${seconds * 1000} from times where at + ${seconds * 1000} <= ${until})
      insert into rollups (period_seconds, monitor_id, bucket_at, location_id,
        checks, failures, timed, sum_us, min_us, max_us, histogram)
      select ${seconds}, m.id, at, ${LOCATION}, ${figures}, ? from times cross join monitors m where m.id <= ${monitors}`,
    )
    .run(encodeHistogram(latencies));
}
