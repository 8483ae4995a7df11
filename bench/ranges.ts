/**
 * What people look at over 30 days, with 1,000 domains × 30 days stored (a check every 5 minutes: 8.6
 * million results, packed but for the newest hours, and their roll-ups): history, trends, stats, phases and summaries
 * from the whole server, one request after another, gzipped. The clock stops at the last byte; unpacking
 * is the client's affair. The baseline is the server's own answer to a request that reads nothing, alone
 * and while somebody else reads the heaviest of the others.
 */
import { Agent, request } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openStore } from "../server/src/store/open.ts";
import {
  cpuSeconds,
  type Measurement,
  machineLoad,
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
const ASKED: [name: string, pathOf: (n: number) => string, items: number | null][] = [
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
try {
  report(await withFolder(measure));
} finally {
  agent.destroy();
}

async function measure(folder: string): Promise<Measurement[]> {
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  const seed = { monitors: DOMAINS, intervalSeconds: 300, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  fillHistory(file, { monitors: DOMAINS, days: DAYS });
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const ask = (path: string) => answerOf(server, token, path);
  const found = await timeEach(server, ask, { name: "nothing but who asks", pathOf: () => NOTHING });
  for (const [name, pathOf, items] of ASKED) {
    found.push(...(await timeEach(server, ask, { name, pathOf, items })));
  }
  found.push(await timeBeside(ask));
  await server.stop();
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}

interface Answer {
  /** To the last byte. */
  elapsedMs: number;
  body: Buffer;
}

/** Asks as a client does that takes gzip. Throws on any answer but 200. */
function answerOf(server: RunningServer, token: string, path: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip" };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const begun = performance.now();
  const asked = request(server.url + path, { agent, headers }, (response) => {
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
  asked.on("error", reject);
  asked.end();
  return promise;
}

/** Without `items` it is a baseline and has no target. */
async function timeEach(
  server: RunningServer,
  ask: (path: string) => Promise<Answer>,
  { name, pathOf, items }: { name: string; pathOf: (n: number) => string; items?: number | null },
): Promise<Measurement[]> {
  const times: number[] = [];
  let cpu = 0;
  for (let n = 0; n < WARM_UP + REQUESTS; n++) {
    if (n === WARM_UP) cpu = cpuSeconds(server.pid);
    const { elapsedMs, body } = await ask(pathOf(n));
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

/** What somebody waits who asks for next to nothing while the heaviest request is answered over and over. */
async function timeBeside(ask: (path: string) => Promise<Answer>): Promise<Measurement> {
  const times: number[] = [];
  let isOver = false;
  const heavy = (async () => {
    while (!isOver) await ask(HEAVIEST);
  })();
  for (let n = 0; n < REQUESTS; n++) times.push((await ask(NOTHING)).elapsedMs);
  isOver = true;
  await heavy;
  return { name: "nothing, beside trends of 1,000 domains: p99", value: quantile(times, 0.99), unit: "ms" };
}
