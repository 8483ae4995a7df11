/**
 * How long one request keeps the main thread of the API from everything else, with 10,000 domains, 100,000 changes of
 * status within the last day, and a day of checks, on SQLite: the longest turn of the event loop, in milliseconds of
 * the thread's CPU, of some requests. The baseline is a request that reads nothing.
 *
 *   npm run bench -- stalls
 */
import { join } from "node:path";
import { HOUR_MS, hourOf, packResults } from "../server/src/engine/results/pack-format.ts";
import { openStore } from "../server/src/platform/database/open.ts";
import { openDatabase } from "../server/src/platform/database/sqlite.ts";
import { messageJson, msg } from "../server/src/platform/i18n/message.ts";
import { type Measurement, report, type WatchedServer, withFolder, withWatchedServer } from "./harness.ts";
import { fillHistory, seedMonitors } from "./seed.ts";

const DOMAINS = 10_000;
const REASON = messageJson(msg("status", { status: 503, expected: "200-399" }));
const CHANGES = 100_000;
const DAY_MS = 86_400_000;
const BUSY_DOMAIN = 1;
const CHECKED_EVERY_MS = 8_000;
const WARM_UP = 3;
const REQUESTS = 15;
const MAX_TURN_MS = 20;

const PATHS = [
  "/api/domains?limit=1000",
  "/api/domains?sort=uptime&limit=100",
  "/api/domains?sort=-uptime&limit=1000",
  ...["name", "status", "statusSince", "responseTime", "certificate"].map(
    (sort) => `/api/domains?sort=${sort}&limit=100`,
  ),
  "/api/domains?search=omain%2099&limit=100",
  "/api/domains?search=nothing%20like%20it",
  "/api/domains?state=up&limit=100&page=90",
  "/api/domains?status=down&sort=name",
  "/v2/domains?per_page=100&page=90",
  "/api/domains/1",
  "/api/domains/stats",
  "/api/domains/1/summary",
  "/api/domains/1/monitoring/history?limit=10000",
  "/v2/domains/1/history?limit=10000",
  "/api/domains/1/monitoring/history?range=30d&limit=1000",
  "/api/domains/1/monitoring/locations?limit=10000",
  "/api/domains/1/monitoring/days",
  "/api/domains/1/monitoring/phases?range=30d",
  "/api/domains/response-time-trends?range=24h",
  "/api/domains/response-time-trends?range=24h&limit=100",
  "/api/domains/response-time-trends?range=30d",
  "/api/dashboard/stats",
  "/api/dashboard/recent-activity?limit=1000",
  "/api/incidents",
  "/metrics",
];
const NOTHING = "/api/auth/me";

/** A request that is made again and again; what is sent the nth time. */
interface Verb {
  name: string;
  of(n: number): { path: string; body?: object };
}

const BULK = 500;
const bulk: Verb = {
  name: `POST /api/domains/bulk, ${BULK} paused and resumed in turn`,
  of: (n) => ({
    path: "/api/domains/bulk",
    body: { action: n % 2 === 0 ? "pause" : "resume", ids: Array.from({ length: BULK }, (_, i) => i + 1) },
  }),
};

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  const seed = { monitors: DOMAINS, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  fillHistory(file, { monitors: DOMAINS, days: 1 });
  fillChanges(file);
  fillBusyDomain(file);
  return withWatchedServer(folder, async (server) => {
    const get = (path: string): Verb => ({ name: `GET ${path}`, of: () => ({ path }) });
    const baseline = await longestTurn(server, token, get(NOTHING));
    const found: Measurement[] = [{ name: NOTHING, value: baseline, unit: "ms" }];
    for (const verb of [...PATHS.map(get), bulk]) {
      const value = await longestTurn(server, token, verb);
      found.push({ name: verb.name, value, unit: "ms", target: { atMost: MAX_TURN_MS } });
    }
    return found;
  });
}

async function longestTurn({ port, command }: WatchedServer, token: string, { of }: Verb): Promise<number> {
  const turns: number[] = [];
  for (let n = 0; n < WARM_UP + REQUESTS; n++) {
    await command("begin");
    const { path, body } = of(n);
    await read(`http://127.0.0.1:${port}${path}`, token, body);
    const turn = await command("longest");
    if (n >= WARM_UP) turns.push(turn);
  }
  return Math.max(...turns);
}

async function read(url: string, token: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const write = body && { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(url, { headers, ...write });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
}

/** Every domain went down and came back five times in the last day. */
function fillChanges(file: string): void {
  const database = openDatabase(file);
  const now = Date.now();
  database.exec("begin");
  const change = database.prepare(
    `insert into transitions (organization_id, monitor_id, from_status, to_status, at, detected_at, reason, maintenance)
     select organization_id, id, ?, ?, ?, ?, ?, 0 from monitors where id = ?`,
  );
  const [stepMs, statuses] = [DAY_MS / (CHANGES / DOMAINS + 1), ["up", "down"]];
  for (let n = 0; n < CHANGES; n += 1) {
    const round = Math.floor(n / DOMAINS);
    const at = Math.round(now - DAY_MS + (round + 1) * stepMs);
    const [from, to] = [statuses[round % 2] as string, statuses[(round + 1) % 2] as string];
    change.run(from, to, at, at, REASON, (n % DOMAINS) + 1);
  }
  database.exec("commit");
  database.close();
}

/** The first domain was checked every 8 s for a day: packed hours, and rows for the last two, as ingest leaves them. */
function fillBusyDomain(file: string): void {
  const database = openDatabase(file);
  const [monitorId, locationId] = [BUSY_DOMAIN, 900];
  const packedBefore = hourOf(Date.now() - HOUR_MS);
  const checksFrom = (from: number, to: number) =>
    Array.from({ length: Math.floor((to - from) / CHECKED_EVERY_MS) }, (_, n) => ({
      ...({
        monitorId,
        locationId,
        scheduledAt: from + n * CHECKED_EVERY_MS,
        outcome: 0,
        statusCode: 200,
      } as const),
      dnsUs: 900,
      connectUs: 1_500,
      tlsUs: null,
      firstByteUs: 15_000,
      transferUs: null,
      totalUs: 20_000 + n * 10,
      reason: null,
      message: null,
      maintenance: 0 as const,
    }));
  database.exec("begin");
  database.exec(
    `delete from packs where monitor_id = ${monitorId}; delete from results where monitor_id = ${monitorId}`,
  );
  const pack = database.prepare("insert into packs values (?, ?, ?, ?)");
  for (let hourAt = packedBefore - DAY_MS; hourAt < packedBefore; hourAt += HOUR_MS) {
    const key = { monitorId, locationId, hourAt };
    pack.run(monitorId, hourAt, locationId, packResults(key, checksFrom(hourAt, hourAt + HOUR_MS)));
  }
  const row = database.prepare(
    `insert into results (monitor_id, location_id, scheduled_at, outcome, status_code, total_us, maintenance)
     values (?, ?, ?, 0, 200, ?, 0)`,
  );
  for (const { scheduledAt, totalUs } of checksFrom(packedBefore, Date.now())) {
    row.run(monitorId, locationId, scheduledAt, totalUs);
  }
  database.exec("commit");
  database.close();
}
