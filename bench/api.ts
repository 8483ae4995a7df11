/**
 * Requests a second of the lists of domains with 10,000 domains and an API key, from the whole server, against
 * bare node:http sending the same headers and bytes; both are asked in turns by a load generator in a
 * process of its own. Beside the rate stands the CPU of the server's process for each request, which a busy
 * machine disturbs less: the ratio is taken from it. `other pages` asks for a different page each time, so
 * that nothing can be remembered from the request before.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openStore } from "../server/src/store/open.ts";
import type { BareAnswer } from "./bare-server.ts";
import { withFolder } from "./folder.ts";
import type { LoadOrder, LoadReport } from "./load.ts";
import { type Measurement, machineLoad, median, report } from "./measurement.ts";
import { cpuSeconds, type RunningServer, startBeside, startServer } from "./process.ts";
import { seedMonitors } from "./seed.ts";

const DOMAINS = 10_000;
const CONNECTIONS = 16;
const ROUNDS = 4;
const FOR_MS = 2_000;
const PAGES = 400;

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  // Nothing is checked from a place that no probe is at: this is about the API.
  const seed = { monitors: DOMAINS, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const { child: load } = await startBeside("load.ts");
  const found: Measurement[] = [];
  const page = (path: string) => Array.from({ length: PAGES }, (_, i) => `${path}&page=${i + 1}`);
  for (const path of ["/api/domains?limit=20", "/v2/domains?per_page=20"]) {
    const rates = await compare({ server, load, token }, [path]);
    const [name] = path.split("?");
    found.push(...figures(`${name}`, rates, 0.5));
  }
  const rates = await compare({ server, load, token }, page("/api/domains?limit=20"));
  found.push(...figures("/api/domains, other pages", rates, null));
  load.disconnect();
  await server.stop();
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}

interface Rates {
  whole: Rate[];
  bare: Rate[];
}

interface Rate {
  aSecond: number;
  cpuUs: number;
}

async function compare(
  { server, load, token }: { server: RunningServer; load: ChildProcess; token: string },
  paths: string[],
): Promise<Rates> {
  const answer = await fetch(server.url + paths[0], { headers: { authorization: `Bearer ${token}` } });
  const { child: bare } = await startBeside("bare-server.ts");
  const body = await answer.text();
  const { connection: _, "keep-alive": __, date: ___, ...headers } = Object.fromEntries(answer.headers);
  bare.send({ headers, body } satisfies BareAnswer);
  const [barePort] = (await once(bare, "message")) as [number];
  const rates: Rates = { whole: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const order = { paths, token, connections: CONNECTIONS, forMs: FOR_MS };
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

async function rateOf(load: ChildProcess, pid: number, order: LoadOrder): Promise<Rate> {
  const before = cpuSeconds(pid);
  load.send(order);
  const [{ requests, elapsedMs }] = (await once(load, "message")) as [LoadReport];
  const cpuUs = ((cpuSeconds(pid) - before) * 1e6) / requests;
  return { aSecond: (requests * 1000) / elapsedMs, cpuUs };
}

function figures(name: string, { whole, bare }: Rates, least: number | null): Measurement[] {
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
