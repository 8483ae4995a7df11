/**
 * Requests a second of the lists of domains with 10,000 domains and an API key, from the whole server, against
 * bare node:http sending the same headers and bytes; both get requests in turns from a load generator in a
 * process of its own. Beside the rate stands the CPU of the server's process for each request, which a busy
 * machine disturbs less: the ratio is taken from it. `other pages` requests a different page each time, so
 * that nothing can be remembered from the request before.
 *
 * With `--pages` requests a second of a status page with 50 components under an open incident, from the whole server, against bare
 * node:http sending the same headers and bytes: as browsers request it (compressed), and as programs do that say nothing
 * of themselves. What is requested does not change in the meantime but every 15 seconds, when it is read and rendered
 * again, as it is for visitors. Then what that reading costs where every component has 90 days of outages.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { insertMany } from "../server/src/platform/database/bulk.ts";
import { openStore } from "../server/src/platform/database/open.ts";
import { readPublicPage } from "../server/src/status-pages/document/read-public-page.ts";
import { findPageBySlug } from "../server/src/status-pages/queries/status-pages.ts";
import type { BareAnswer, LoadOrder, LoadReport } from "./clients.ts";
import {
  cpuSeconds,
  type Measurement,
  machineLoad,
  median,
  type RunningServer,
  report,
  startBeside,
  startServer,
  withFolder,
} from "./harness.ts";
import { seedMonitors } from "./seed.ts";

/** A path of the whole server against bare node:http sending the same headers and bytes, in turns. */

const CONNECTIONS = 16;
const ROUNDS = 4;
const FOR_MS = 2_000;

/** Of each round. */
interface Rates {
  whole: Rate[];
  bare: Rate[];
}

interface Rate {
  aSecond: number;
  cpuUs: number;
}

interface Compared {
  server: RunningServer;
  load: ChildProcess;
  /** What every request says of itself. */
  headers: Record<string, string>;
}

/** Requests `paths` in turns with a bare server that sends what the first of them answers. */
async function compare({ server, load, headers }: Compared, paths: string[]): Promise<Rates> {
  const answer = await answerTo(server.url + paths[0], headers);
  const { child: bare } = await startBeside("clients.ts", ["bare"]);
  // Node itself writes these.
  const { connection: _, "keep-alive": __, date: ___, ...sent } = answer.headers;
  bare.send({ headers: sent, body: answer.body.toString("base64") } satisfies BareAnswer);
  const [barePort] = (await once(bare, "message")) as [number];
  const rates: Rates = { whole: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const order = { paths, headers, connections: CONNECTIONS, forMs: FOR_MS };
    const whole = await rateOf(load, server.pid, { ...order, port: Number(new URL(server.url).port) });
    const least = await rateOf(load, bare.pid as number, { ...order, port: barePort });
    // The first round warms up.
    if (round === 0) continue;
    rates.whole.push(whole);
    rates.bare.push(least);
  }
  bare.disconnect();
  return rates;
}

interface Answer {
  headers: Record<string, string>;
  /** As it was sent: compressed, where the headers say so. */
  body: Buffer;
}

/** An answer as it comes; `fetch` would undo what its headers still say. */
async function answerTo(url: string, headers: Record<string, string>): Promise<Answer> {
  const [answer] = (await once(get(url, { headers, agent: false }), "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  return { headers: answer.headers as Record<string, string>, body: await buffer(answer) };
}

async function rateOf(load: ChildProcess, pid: number, order: LoadOrder): Promise<Rate> {
  const before = cpuSeconds(pid);
  load.send(order);
  const [{ requests, elapsedMs }] = (await once(load, "message")) as [LoadReport];
  const cpuUs = ((cpuSeconds(pid) - before) * 1e6) / requests;
  return { aSecond: (requests * 1000) / elapsedMs, cpuUs };
}

/** The rates of both, and their ratio in CPU, which a busy machine disturbs less. `least`: what it should be. */
function measurements(name: string, { whole, bare }: Rates, least: number | null): Measurement[] {
  const ratio = median(bare.map(({ cpuUs }, round) => cpuUs / (whole[round]?.cpuUs ?? Number.NaN)));
  return [
    {
      name: `${name}: bare node:http`,
      value: median(bare.map(({ aSecond }) => aSecond)),
      unit: "requests/s",
    },
    {
      name: `${name}: bare node:http`,
      value: median(bare.map(({ cpuUs }) => cpuUs)),
      unit: "µs CPU a request",
    },
    { name, value: median(whole.map(({ aSecond }) => aSecond)), unit: "requests/s" },
    { name, value: median(whole.map(({ cpuUs }) => cpuUs)), unit: "µs CPU a request" },
    {
      name: `${name}: requests a CPU second, of bare`,
      value: ratio,
      unit: "times",
      ...(least !== null && { target: { atLeast: least } }),
    },
  ];
}

/** The page that the benches of visitors request, and what their browsers say. */

const COMPONENTS = 50;
export const PATH = "/status/bench";

/** What a browser sends along, except for cookies: visitors have none. */
export const BROWSER = {
  Connection: "keep-alive",
  "Sec-CH-UA": '"Chromium";v="142", "Not_A Brand";v="99"',
  "Sec-CH-UA-Mobile": "?0",
  "Sec-CH-UA-Platform": '"Linux"',
  "Upgrade-Insecure-Requests": "1",
  "User-Agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
  "Sec-Fetch-Site": "none",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-User": "?1",
  "Sec-Fetch-Dest": "document",
  "Accept-Encoding": "gzip, deflate, br, zstd",
  "Accept-Language": "en-US,en;q=0.9",
};

/** A page of the first 50 monitors, with all metrics, under an incident of the first of them. */
export async function makePage({ url }: RunningServer, token: string): Promise<void> {
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: number } }).data;
  };
  const page = await post("/api/status-pages", { name: "Bench", slug: "bench" });
  for (let n = 1; n <= COMPONENTS; n++) {
    const shown = { displayName: `Component ${n}`, showsResponseTimes: true };
    await post(`/api/status-pages/${page.id}/domains`, { domainId: n, ...shown });
  }
  const incident = {
    title: "It does not answer",
    severity: "high",
    impact: "major",
    // As seedMonitors names them.
    affectedServices: ["Domain 1"],
  };
  const { id } = await post("/api/incidents", incident);
  await post(`/api/incidents/${id}/updates`, { message: "We are looking into it.", status: "investigating" });
}

const DOMAINS = 10_000;
const PAGES = 400;

async function measureLists(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  // Nothing is checked from a place that no probe is at: this is about the API.
  const seed = { monitors: DOMAINS, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const headers = { Authorization: `Bearer ${token}` };
  const { child: load } = await startBeside("clients.ts", ["load"]);
  const found: Measurement[] = [];
  const page = (path: string) => Array.from({ length: PAGES }, (_, i) => `${path}&page=${i + 1}`);
  for (const path of ["/api/domains?limit=20", "/v2/domains?per_page=20"]) {
    const rates = await compare({ server, load, headers }, [path]);
    const [name] = path.split("?");
    found.push(...measurements(`${name}`, rates, 0.5));
  }
  const rates = await compare({ server, load, headers }, page("/api/domains?limit=20"));
  found.push(...measurements("/api/domains, other pages", rates, null));
  load.disconnect();
  await server.stop();
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}

const LEAST_RATIO = 0.7;
const MOST_BYTES = 60_000;
/** Of CPU time, for reading the page once. */
const MOST_MS = 50;
const HALF_DAY = 43_200_000;

async function measurePages(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  // Nothing is checked from a place that no probe is at: this is about visitors.
  const seed = { monitors: COMPONENTS, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token, organizationId } = await seedMonitors(store, seed);
  await store.close();
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  await makePage(server, token);
  const found = await sizes(server);
  const { child: load } = await startBeside("clients.ts", ["load"]);
  for (const [name, headers] of [
    [`${PATH} in a browser`, BROWSER],
    [`${PATH}, uncompressed`, {}],
  ] as const) {
    found.push(...measurements(name, await compare({ server, load, headers }, [PATH]), LEAST_RATIO));
  }
  load.disconnect();
  await server.stop();
  found.push(await costOfReading(folder, organizationId));
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}

async function sizes({ url }: RunningServer): Promise<Measurement[]> {
  const sizeOf = async (headers: Record<string, string>) => (await answerTo(url + PATH, headers)).body.length;
  const name = `${PATH}, ${COMPONENTS} components`;
  return [
    { name, value: await sizeOf({}), unit: "bytes", target: { atMost: MOST_BYTES } },
    { name: `${name}, compressed`, value: await sizeOf(BROWSER), unit: "bytes" },
  ];
}

/** Two changes of status a day for each component, 9,000 in all. */
async function costOfReading(folder: string, organizationId: number): Promise<Measurement> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const now = Date.now();
  const change = { organization_id: organizationId, from_status: "up", maintenance: 0 };
  const changes = Array.from({ length: COMPONENTS * 180 }, (_, n) => {
    const at = now - (180 - Math.floor(n / COMPONENTS)) * HALF_DAY;
    const to_status = Math.floor(n / COMPONENTS) % 2 ? "up" : "down";
    return { ...change, monitor_id: 1 + (n % COMPONENTS), to_status, at, detected_at: at };
  });
  await insertMany(store.db, "transitions", changes);
  const page = await findPageBySlug(store.db, "bench");
  if (!page) throw new Error("The page is gone.");
  const times: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const before = process.cpuUsage();
    await readPublicPage(store.db, page, { now, publicUrl: null });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  await store.close();
  const name = "CPU time of reading a page with 90 days of outages";
  return { name, value: median(times), unit: "ms", target: { atMost: MOST_MS } };
}

if (process.argv[1] === import.meta.filename) {
  report(await withFolder(process.argv[2] === "--pages" ? measurePages : measureLists));
}
