/**
 * A report on a year of 1,000 domains, compared with the year before, from the whole server over SQLite: roll-ups of two
 * years with some fifty buckets a day in each histogram, and an outage a month. From the request to the last byte, and
 * what the server's memory grows by meanwhile, the reading thread included. The baseline is a request that reads nothing,
 * alone and beside the report.
 */
import { request } from "node:http";
import { join } from "node:path";
import { encodeHistogram } from "../server/src/result/histogram.ts";
import { openStore } from "../server/src/store/open.ts";
import { openDatabase } from "../server/src/store/sqlite.ts";
import {
  type Measurement,
  machineLoad,
  median,
  memoryMb,
  quantile,
  type RunningServer,
  report,
  startServer,
  withFolder,
} from "./harness.ts";
import { seedMonitors } from "./seed.ts";

const DOMAINS = 1_000;
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;
const REQUESTS = 5;
const LIMIT = { seconds: 2, mb: 100 };
const LOCATION = 900;
const CHECKS_A_DAY = 288;

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  const seed = { monitors: DOMAINS, intervalSeconds: 300, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  fill(file);
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const from = new Date(Date.now() - YEAR_DAYS * DAY_MS).toISOString();
  const ask = (path: string) => secondsOf(server, token, path);
  const nothing = "/api/auth/me";
  for (let n = 0; n < 20; n += 1) await ask(nothing);
  const alone = await many(100, () => ask(nothing));
  const before = memoryMb(server.pid, "VmRSS");
  const times = await many(REQUESTS, () => ask(`/api/reports/domains?from=${from}`));
  const grown = memoryMb(server.pid, "VmHWM") - before;
  const beside: number[] = [];
  let isOver = false;
  const heavy = ask(`/api/reports/domains?from=${from}`).then(() => (isOver = true));
  while (!isOver) beside.push(await ask(nothing));
  await heavy;
  const pdf = await ask(`/api/reports/domains?format=pdf&from=${from}`);
  await server.stop();
  return [
    { name: "nothing but who asks: median", value: median(alone) * 1000, unit: "ms" },
    {
      ...{ name: "a year of 1,000 domains: longest", value: Math.max(...times), unit: "s" },
      target: { atMost: LIMIT.seconds },
    },
    { name: "a year of 1,000 domains: median", value: median(times), unit: "s" },
    {
      ...{ name: "memory that it takes at most", value: grown, unit: "MB" },
      target: { atMost: LIMIT.mb },
    },
    { name: "nothing, beside the report: p99", value: quantile(beside, 0.99) * 1000, unit: "ms" },
    { name: "the same as PDF", value: pdf, unit: "s" },
    { name: "load of the machine", value: machineLoad(), unit: "processes" },
  ];
}

async function many(count: number, ask: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) times.push(await ask());
  return times;
}

/** From the request to the last byte, seconds. Throws on any answer but 200. */
function secondsOf(server: RunningServer, token: string, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const begun = performance.now();
  const asked = request(server.url + path, { headers: { authorization: `Bearer ${token}` } }, (response) => {
    response.on("error", reject);
    response.resume();
    response.on("end", () => {
      if (response.statusCode === 200) resolve((performance.now() - begun) / 1000);
      else reject(new Error(`${path} answered ${response.statusCode}.`));
    });
  });
  asked.on("error", reject);
  asked.end();
  return promise;
}

/** Roll-ups of two years, and the outages, as a running installation has them. */
function fill(file: string): void {
  const database = openDatabase(file);
  const until = Date.now();
  const today = Math.floor(until / DAY_MS) * DAY_MS;
  database.exec(
    `insert into locations (id, code, name, created_at) values (${LOCATION}, 'elsewhere', 'Elsewhere', 0); begin`,
  );
  fillRollups(database, { seconds: 86_400, from: today - (2 * YEAR_DAYS + 1) * DAY_MS, until });
  // Only the hours that are read: those of the days in which the report and the time before it begin and end.
  for (const days of [0, YEAR_DAYS]) {
    const from = today - days * DAY_MS;
    fillRollups(database, { seconds: 3_600, from, until: Math.min(until, from + DAY_MS - 1) });
  }
  fillOutages(database, today);
  database.exec("commit");
  database.close();
}

/** Latencies as they scatter in truth: some fifty buckets a day. */
function latenciesOf(count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    Math.round(80_000 * Math.exp(0.4 * Math.sin(i * 12.9898) + 0.25 * Math.sin(i * 78.233) ** 3)),
  );
}

function fillRollups(
  database: ReturnType<typeof openDatabase>,
  { seconds, from, until }: { seconds: number; from: number; until: number },
): void {
  const checks = (CHECKS_A_DAY * seconds) / 86_400;
  const latencies = latenciesOf(checks);
  const sum = latencies.reduce((total, one) => total + one, 0);
  const figures = `${checks}, 0, ${checks}, ${sum}, ${Math.min(...latencies)}, ${Math.max(...latencies)}`;
  database
    .prepare(
      `with recursive
        times (at) as (select ${from} union all select at + ${seconds * 1000} from times where at + ${seconds * 1000} <= ${until})
      insert into rollups (period_seconds, monitor_id, bucket_at, location_id,
        checks, failures, timed, sum_us, min_us, max_us, histogram)
      select ${seconds}, m.id, at, ${LOCATION}, ${figures}, ? from times cross join monitors m`,
    )
    .run(encodeHistogram(latencies));
}

/** Half an hour every 30 days, of each monitor at another time of the day. */
function fillOutages(database: ReturnType<typeof openDatabase>, today: number): void {
  const insert = database.prepare(
    `insert into transitions (organization_id, monitor_id, from_status, to_status, at, detected_at, maintenance)
      select organization_id, id, ?, ?, ? + id * 60000, ? + id * 60000, 0 from monitors`,
  );
  for (let at = today - 2 * YEAR_DAYS * DAY_MS; at < today - 2 * DAY_MS; at += 30 * DAY_MS) {
    insert.run("up", "down", at, at);
    insert.run("down", "up", at + 1_800_000, at + 1_800_000);
  }
}
