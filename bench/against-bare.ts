/** A path of the whole server against bare node:http sending the same headers and bytes, asked in turns. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { BareAnswer } from "./bare-server.ts";
import type { LoadOrder, LoadReport } from "./load.ts";
import { type Measurement, median } from "./measurement.ts";
import { cpuSeconds, type RunningServer, startBeside } from "./process.ts";

const CONNECTIONS = 16;
const ROUNDS = 4;
const FOR_MS = 2_000;

/** Of each round. */
export interface Rates {
  whole: Rate[];
  bare: Rate[];
}

interface Rate {
  aSecond: number;
  cpuUs: number;
}

export interface Asked {
  server: RunningServer;
  load: ChildProcess;
  /** What every request says of itself. */
  headers: Record<string, string>;
}

/** Asks for `paths` in turns with a bare server that sends what the first of them answers. */
export async function compare({ server, load, headers }: Asked, paths: string[]): Promise<Rates> {
  const answer = await answerTo(server.url + paths[0], headers);
  const { child: bare } = await startBeside("bare-server.ts");
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

export interface Answer {
  headers: Record<string, string>;
  /** As it was sent: compressed, where the headers say so. */
  body: Buffer;
}

/** An answer as it comes; `fetch` would undo what its headers still say. */
export async function answerTo(url: string, headers: Record<string, string>): Promise<Answer> {
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
export function figures(name: string, { whole, bare }: Rates, least: number | null): Measurement[] {
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
