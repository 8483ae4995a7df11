/**
 * What people look at over 30 days, with 1,000 domains × 30 days stored (a check every 5 minutes: 8.6
 * million results, packed but for the newest hours, and their roll-ups): history, trends, stats, phases and summaries
 * from the whole server, one request after another, gzipped. The clock stops at the last byte; unpacking
 * is the client's affair. The baseline is the server's own answer to a request that reads nothing, alone
 * and while another client reads the heaviest of the others.
 *
 * With `--reports`: A report on a year of 1,000 domains, compared with the year before, from the whole server over SQLite: roll-ups of two
 * years with some fifty buckets a day in each histogram, and an outage a month. From the request to the last byte, and
 * what the server's memory grows by meanwhile, the reading thread included. The baseline is a request that reads nothing,
 * alone and beside the report.
 */
import { Agent, request } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { encodeHistogram } from "../server/src/platform/database/histogram.ts";
import { openStore } from "../server/src/platform/database/open.ts";
import { openDatabase } from "../server/src/platform/database/sqlite.ts";
import {
  cpuSeconds,
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
import { fillHistory, seedMonitors } from "./seed.ts";

const DOMAINS = 1_000;
const DAYS = 30;
const REQUESTS = 400;
const WARM_UP = 40;
const P99_MS = 30;
const NOTHING = "/api/auth/me";
const HEAVIEST = "/api/domains/response-time-trends?range=30d";

const domain = (n: number) => `/api/domains/${(n % DOMAINS) + 1}`;
/** Name, path, and how many items the answer has; null: it is no list. */
const READS: [name: string, pathOf: (n: number) => string, items: number | null][] = [
  ["history of 30 days, 100 checks", (n) => `${domain(n)}/monitoring/history?range=30d`, 100],
  ["history of 30 days, 1,000 checks", (n) => `${domain(n)}/monitoring/history?range=30d&limit=1000`, 1_000],
  [
    "trends of 30 days, 20 domains",
    (n) => `/api/domains/response-time-trends?range=30d&limit=20&page=${(n % 50) + 1}`,
    20,
  ],
  ["trends of 30 days, 1,000 domains", () => HEAVIEST, DOMAINS],
  ["trends of 24 hours, 1,000 domains", () => "/api/domains/response-time-trends?range=24h", DOMAINS],
  ["stats of 1,000 domains", () => "/api/domains/stats", null],
  ["phases of 30 days", (n) => `${domain(n)}/monitoring/phases?range=30d`, null],
  ["summary of 30 days", (n) => `${domain(n)}/summary`, null],
];

const agent = new Agent({ keepAlive: true });
async function measureRanges(folder: string): Promise<Measurement[]> {
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  const seed = { monitors: DOMAINS, intervalSeconds: 300, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  fillHistory(file, { monitors: DOMAINS, days: DAYS });
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const read = (path: string) => answerOf(server, token, path);
  const found = await timeEach(server, read, { name: "nothing but the caller", pathOf: () => NOTHING });
  for (const [name, pathOf, items] of READS) {
    found.push(...(await timeEach(server, read, { name, pathOf, items })));
  }
  found.push(await timeBeside(read));
  await server.stop();
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}

interface Answer {
  /** To the last byte. */
  elapsedMs: number;
  body: Buffer;
}

/** Reads as a client does that takes gzip. Throws on any answer but 200. */
function answerOf(server: RunningServer, token: string, path: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip" };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const begun = performance.now();
  const sent = request(server.url + path, { agent, headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", reject);
    response.on("end", () => {
      const elapsedMs = performance.now() - begun;
      const bytes = Buffer.concat(chunks);
      const body = response.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
      if (response.statusCode === 200) resolve({ elapsedMs, body });
      else reject(new Error(`${path} answered ${response.statusCode}: ${body.toString().slice(0, 200)}`));
    });
  });
  sent.on("error", reject);
  sent.end();
  return promise;
}

/** Without `items` it is a baseline and has no target. */
async function timeEach(
  server: RunningServer,
  read: (path: string) => Promise<Answer>,
  { name, pathOf, items }: { name: string; pathOf: (n: number) => string; items?: number | null },
): Promise<Measurement[]> {
  const times: number[] = [];
  let cpu = 0;
  for (let n = 0; n < WARM_UP + REQUESTS; n++) {
    if (n === WARM_UP) cpu = cpuSeconds(server.pid);
    const { elapsedMs, body } = await read(pathOf(n));
    if (n >= WARM_UP) times.push(elapsedMs);
    else if (n === 0 && items) requireItems(name, body, items);
  }
  const cpuMs = ((cpuSeconds(server.pid) - cpu) * 1000) / REQUESTS;
  const target = items === undefined ? {} : { target: { atMost: P99_MS } };
  return [
    { name: `${name}: p99`, value: quantile(times, 0.99), unit: "ms", ...target },
    { name: `${name}: median`, value: quantile(times, 0.5), unit: "ms" },
    { name: `${name}: CPU`, value: cpuMs, unit: "ms a request" },
  ];
}

/** So that no figure is of an answer with nothing in it. */
function requireItems(name: string, body: Buffer, items: number): void {
  const { data } = JSON.parse(body.toString()) as { data: { dataPoints?: unknown[] }[] };
  const isFull = data.length === items && data.every(({ dataPoints }) => (dataPoints?.length ?? 25) >= 25);
  if (!isFull) throw new Error(`${name}: the answer has ${data.length} items, or too few points.`);
}

/** What somebody waits who requests next to nothing while the heaviest request is answered over and over. */
async function timeBeside(read: (path: string) => Promise<Answer>): Promise<Measurement> {
  const times: number[] = [];
  let isOver = false;
  const heavy = (async () => {
    while (!isOver) await read(HEAVIEST);
  })();
  for (let n = 0; n < REQUESTS; n++) times.push((await read(NOTHING)).elapsedMs);
  isOver = true;
  await heavy;
  return { name: "nothing, beside trends of 1,000 domains: p99", value: quantile(times, 0.99), unit: "ms" };
}

const REPORTED_DOMAINS = 1_000;
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;
const REPORTS = 5;
const LIMIT = { seconds: 2, mb: 100 };
const LOCATION = 900;
const CHECKS_A_DAY = 288;

async function measureReports(folder: string): Promise<Measurement[]> {
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  const seed = { monitors: REPORTED_DOMAINS, intervalSeconds: 300, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  fill(file);
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const from = new Date(Date.now() - YEAR_DAYS * DAY_MS).toISOString();
  const read = (path: string) => secondsOf(server, token, path);
  const nothing = "/api/auth/me";
  for (let n = 0; n < 20; n += 1) await read(nothing);
  const alone = await many(100, () => read(nothing));
  const before = memoryMb(server.pid, "VmRSS");
  const times = await many(REPORTS, () => read(`/api/reports/domains?from=${from}`));
  const grown = memoryMb(server.pid, "VmHWM") - before;
  const beside: number[] = [];
  let isOver = false;
  const heavy = read(`/api/reports/domains?from=${from}`).then(() => (isOver = true));
  while (!isOver) beside.push(await read(nothing));
  await heavy;
  const pdf = await read(`/api/reports/domains?format=pdf&from=${from}`);
  await server.stop();
  return [
    { name: "nothing but the caller: median", value: median(alone) * 1000, unit: "ms" },
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

async function many(count: number, read: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) times.push(await read());
  return times;
}

/** From the request to the last byte, seconds. Throws on any answer but 200. */
function secondsOf(server: RunningServer, token: string, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const begun = performance.now();
  const sent = request(server.url + path, { headers: { authorization: `Bearer ${token}` } }, (response) => {
    response.on("error", reject);
    response.resume();
    response.on("end", () => {
      if (response.statusCode === 200) resolve((performance.now() - begun) / 1000);
      else reject(new Error(`${path} answered ${response.statusCode}.`));
    });
  });
  sent.on("error", reject);
  sent.end();
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
  const sums = `${checks}, 0, ${checks}, ${sum}, ${Math.min(...latencies)}, ${Math.max(...latencies)}`;
  database
    .prepare(
      `with recursive
        times (at) as (select ${from} union all select at + ${seconds * 1000} from times where at + ${seconds * 1000} <= ${until})
      insert into rollups (period_seconds, monitor_id, bucket_at, location_id,
        checks, failures, timed, sum_us, min_us, max_us, histogram)
      select ${seconds}, m.id, at, ${LOCATION}, ${sums}, ? from times cross join monitors m`,
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

try {
  report(await withFolder(process.argv[2] === "--reports" ? measureReports : measureRanges));
} finally {
  agent.destroy();
}
