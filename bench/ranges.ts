/**
 * What people look at over 30 days, with 1,000 domains × 30 days stored (a check every 5 minutes: 8.6
 * million results and their roll-ups): history, trends, stats and summaries from the whole server, one
 * request after another. The baseline is the server's own answer to a request that reads nothing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeHistogram } from "../server/src/result/histogram.ts";
import { openStore } from "../server/src/store/open.ts";
import { openDatabase } from "../server/src/store/sqlite.ts";
import { type Measurement, machineLoad, quantile, report } from "./measurement.ts";
import { cpuSeconds, type RunningServer, startServer } from "./process.ts";
import { seedMonitors } from "./seed.ts";

const DOMAINS = 1_000;
const DAYS = 30;
const STEP_MS = 300_000;
const DAY_MS = 86_400_000;
const REQUESTS = 100;
const WARM_UP = 10;

const folder = mkdtempSync(join(tmpdir(), "vedette-bench-"));
try {
  report(await measure());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<Measurement[]> {
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  const { token } = await seedMonitors(store, {
    monitors: DOMAINS,
    intervalSeconds: 300,
    urlOf,
    locations: ["elsewhere"],
  });
  await store.close();
  fillHistory(file);
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const found = await ask(server, token, "nothing but who asks", () => "/api/auth/me", false);
  const domain = (n: number) => `/api/domains/${(n % DOMAINS) + 1}`;
  const asked: [string, (n: number) => string][] = [
    ["history of 30 days, 100 checks", (n) => `${domain(n)}/monitoring/history?range=30d`],
    ["history of 30 days, 1,000 checks", (n) => `${domain(n)}/monitoring/history?range=30d&limit=1000`],
    [
      "trends of 30 days, 20 domains",
      (n) => `/api/domains/response-time-trends?range=30d&limit=20&page=${(n % 50) + 1}`,
    ],
    ["trends of 30 days, 1,000 domains", () => "/api/domains/response-time-trends?range=30d"],
    ["trends of 24 hours, 1,000 domains", () => "/api/domains/response-time-trends?range=24h"],
    ["stats of 1,000 domains", () => "/api/domains/stats"],
    ["summary of 30 days", (n) => `${domain(n)}/summary`],
  ];
  for (const [name, pathOf] of asked) found.push(...(await ask(server, token, name, pathOf, true)));
  await server.stop();
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}

async function ask(
  server: RunningServer,
  token: string,
  name: string,
  pathOf: (n: number) => string,
  isJudged: boolean,
): Promise<Measurement[]> {
  const times: number[] = [];
  let cpu = 0;
  for (let n = 0; n < WARM_UP + REQUESTS; n++) {
    if (n === WARM_UP) cpu = cpuSeconds(server.pid);
    const begun = performance.now();
    const answer = await fetch(server.url + pathOf(n), { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (n >= WARM_UP) times.push(performance.now() - begun);
    if (answer.status !== 200) throw new Error(`${pathOf(n)}: ${text.slice(0, 200)}`);
  }
  const cpuMs = ((cpuSeconds(server.pid) - cpu) * 1000) / REQUESTS;
  return [
    {
      name: `${name}: p99`,
      value: quantile(times, 0.99),
      unit: "ms",
      ...(isJudged && { target: { atMost: 30 } }),
    },
    { name: `${name}: median`, value: quantile(times, 0.5), unit: "ms" },
    { name: `${name}: CPU`, value: cpuMs, unit: "ms a request" },
  ];
}

/** A result every 5 minutes of every domain, and what ingest would have made of them, without its detours. */
function fillHistory(file: string): void {
  const database = openDatabase(file);
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS;
  const from = end - (DAYS + 1) * DAY_MS;
  const until = Date.now();
  database.exec(
    "insert into locations (id, code, name, created_at) values (900, 'elsewhere', 'Elsewhere', 0)",
  );
  database.exec("begin");
  // Each insert in the order of its primary key, which is the order of the joins.
  database.exec(`${times(from, until, STEP_MS)} insert into results
    select m.id, 900, at, 0, 200, 900, 1500, null, 15000 + (m.id * 7919 + at / 300000 * 104729) % 9000,
      20000 + (m.id * 7919 + at / 300000 * 104729) % 9000, null, null, 0
    from monitors m cross join times`);
  for (const seconds of [300, 3600, 86_400]) {
    const checks = (seconds * 1000) / STEP_MS;
    const latencies = Array.from({ length: checks }, (_, i) => 20_000 + ((i * 7919) % 9_000));
    const sum = latencies.reduce((total, one) => total + one, 0);
    const figures = `${checks}, 0, ${checks}, ${sum}, ${Math.min(...latencies)}, ${Math.max(...latencies)}`;
    database
      .prepare(`${times(from, until, seconds * 1000)} insert into rollups
        select ${seconds}, m.id, at, 900, ${figures}, ? from times cross join monitors m`)
      .run(encodeHistogram(latencies));
  }
  database.exec("commit");
  database.close();
}

function times(from: number, until: number, stepMs: number): string {
  return `with recursive times (at) as (select ${from} union all select at + ${stepMs} from times where at + ${stepMs} <= ${until})`;
}
