/**
 * What 500 devices cost one server: each reports every 10 s for a minute, at its own moment, over a connection of its own:
 * 38 figures, and once 200 processes and 100 connections, as agents do each minute.
 *
 *   npm run bench -- devices
 *   node bench/devices.ts --devices 2000
 */
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { gzip } from "node:zlib";
import { openStore } from "../server/src/store/open.ts";
import {
  cpuSeconds,
  type Measurement,
  machineLoad,
  median,
  memoryMb,
  quantile,
  report,
  startServer,
  withFolder,
} from "./harness.ts";
import { makeMachine, seedMonitors } from "./seed.ts";

const { values } = parseArgs({ options: { devices: { type: "string", default: "500" } } });
const DEVICES = Number(values.devices);
const INTERVAL_MS = 10_000;
const SECONDS = 60;
const CREATED_AT_ONCE = 10;
const compress = promisify(gzip);

const processes = {
  total: 240,
  items: Array.from({ length: 200 }, (_, at) => ({
    ...{
      pid: 1_000 + at,
      name: `worker-${at}`,
      command: `/usr/lib/shop/worker --queue orders-${at} --threads 4`,
    },
    ...{ cpuPercent: (at * 7) % 40, memoryMB: 20 + at, status: "sleeping", user: "shop" },
  })),
};
const connections = {
  total: 100,
  items: Array.from({ length: 100 }, (_, at) => ({
    ...{ localAddress: "10.1.2.3", localPort: 443, remoteAddress: `192.0.2.${at}`, remotePort: 40_000 + at },
    ...{ protocol: "tcp", status: "established", processName: "nginx" },
  })),
};

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const key = await seed(folder);
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  try {
    const devices = await createDevices(server.url, key);
    const quiet = cpuSeconds(server.pid);
    await wait(10_000);
    const idle = (cpuSeconds(server.pid) - quiet) / 10;
    const before = cpuSeconds(server.pid);
    const answers = (await Promise.all(devices.map((each, at) => reportFor(server.url, each, at)))).flat();
    const busy = (cpuSeconds(server.pid) - before) / (SECONDS + INTERVAL_MS / 1_000);
    const refused = answers.filter(({ status }) => status !== 200).length;
    const times = answers.map(({ ms }) => ms);
    return [
      { name: `${DEVICES} devices: reports`, value: answers.length, unit: "" },
      { name: `${DEVICES} devices: not taken`, value: refused, unit: "", target: { atMost: 0 } },
      { name: "server without any report, CPU", value: 100 * idle, unit: "% of a core" },
      {
        name: `${DEVICES} devices: server, CPU`,
        value: 100 * busy,
        unit: "% of a core",
        target: { atMost: 25 },
      },
      { name: `${DEVICES} devices: answer, median`, value: median(times), unit: "ms" },
      {
        name: `${DEVICES} devices: answer, p99`,
        value: quantile(times, 0.99),
        unit: "ms",
        target: { atMost: 100 },
      },
      { name: "server, memory now", value: memoryMb(server.pid, "VmRSS"), unit: "MB" },
      { name: "load of the machine", value: machineLoad(), unit: "" },
    ];
  } finally {
    await server.stop();
  }
}

/** An organization without monitors, and a key of it. */
async function seed(folder: string): Promise<string> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const none = { monitors: 0, intervalSeconds: 60, urlOf: () => "", locations: [] };
  const { token } = await seedMonitors(store, none);
  await store.close();
  return token;
}

async function createDevices(url: string, key: string): Promise<string[]> {
  const tokens: string[] = [];
  const names = Array.from({ length: DEVICES }, (_, at) => `Machine ${at}`);
  const create = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const answer = await fetch(`${url}/api/devices`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ name }),
      });
      const { data } = (await answer.json()) as { data: { token: string } };
      tokens.push(data.token);
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
  return tokens;
}

interface Answered {
  ms: number;
  status: number;
}

/** A minute of one device, which begins at its own moment of the first interval. */
async function reportFor(url: string, token: string, at: number): Promise<Answered[]> {
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const look = makeMachine(at);
  const agent = {
    ...{ version: "1.0.0", instance: crypto.randomUUID(), machineId: `machine-${at}`, bootId: "boot" },
    run: crypto.randomUUID(),
  };
  const answers: Answered[] = [];
  const count = (SECONDS * 1_000) / INTERVAL_MS;
  const begun = performance.now() + (at / DEVICES) * INTERVAL_MS;
  for (let sequence = 1; sequence <= count; sequence += 1) {
    await wait(Math.max(0, begun + (sequence - 1) * INTERVAL_MS - performance.now()));
    const now = Date.now();
    const lists = sequence === 1 + (at % count) ? { processes, connections } : {};
    const one = { sequence, at: now, metrics: look(), ...lists };
    const body = await compress(JSON.stringify({ agent, sentAt: now, dropped: 0, reports: [one] }));
    answers.push(await post(`${url}/api/agent/report`, token, body, connection));
  }
  connection.destroy();
  return answers;
}

function post(url: string, token: string, body: Buffer, agent: Agent): Promise<Answered> {
  const headers = {
    ...{ authorization: `Bearer ${token}`, "content-type": "application/json", "content-encoding": "gzip" },
    "content-length": body.length,
  };
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const asked = request(url, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve({ ms: performance.now() - begun, status: answer.statusCode ?? 0 }));
    });
    asked.once("error", reject);
    asked.end(body);
  });
}
