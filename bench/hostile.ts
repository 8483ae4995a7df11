/**
 * Who waits while an anonymous client or one tenant attacks: over a hundred attacks on a server without limits of requests, one after the
 * other, while a probe reads /api/health every 20 ms. Measured is the longest turn of the server's main thread, in
 * milliseconds of its CPU, so that other processes do not count; and how long the probe waited. Everything stays on this machine.
 *
 *   npm run bench -- hostile
 *   BENCH_ATTACKS=calendar,sign-ins npm run bench -- hostile   those whose names have one of these
 */
import { join } from "node:path";
import { openStore } from "../server/src/platform/database/open.ts";
import {
  type Measurement,
  quantile,
  report,
  type WatchedServer,
  withFolder,
  withWatchedServer,
} from "./harness.ts";
import { ATTACKS } from "./hostile-attacks.ts";
import { type Aim, type Attack, addDevice, send, startHostileSite } from "./hostile-clients.ts";
import { seedMonitors } from "./seed.ts";

const DOMAINS = 1_000;
const PROBE_MS = 20;
const MAX_TURN_MS = 50;
const NAMED = 12;

interface Waited {
  attack: Attack;
  turnMs: number;
  waitedMs: number;
}

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  const { token } = await seedMonitors(store, {
    monitors: DOMAINS,
    intervalSeconds: 60,
    urlOf,
    locations: ["elsewhere"],
  });
  await store.close();
  const site = await startHostileSite();
  try {
    return await withWatchedServer(folder, async ({ ...server }) => {
      const aim = { port: server.port, token, sitePort: site.port };
      return attackAll(server, { ...aim, deviceToken: await addDevice(aim) });
    });
  } finally {
    site.close();
  }
}

async function attackAll(server: WatchedServer, aim: Aim): Promise<Measurement[]> {
  await warmUp(aim);
  const nothing = await waited(server, aim, {
    name: "nothing",
    by: "anonymous",
    run: () => probeFor(aim, 1_000),
  });
  const all: Waited[] = [];
  for (const attack of chosen()) all.push(await waited(server, aim, attack));
  if ((await send(aim, { method: "GET", path: "/api/health" })) !== 200)
    throw new Error("The server does not answer.");
  const turns = all.map(({ turnMs }) => turnMs);
  const waits = all.map(({ waitedMs }) => waitedMs);
  const longest = all.toSorted((a, b) => b.waitedMs - a.waitedMs)[0];
  const worst = all.toSorted((a, b) => b.turnMs - a.turnMs).slice(0, NAMED);
  return [
    { name: "attacks", value: all.length, unit: "", target: { atLeast: 100 } },
    { name: "longest turn while nothing happens", value: nothing.turnMs, unit: "ms of CPU" },
    { name: "longest turn, half of the attacks", value: quantile(turns, 0.5), unit: "ms of CPU" },
    {
      name: "attacks with a turn over 50 ms",
      value: turns.filter((ms) => ms > MAX_TURN_MS).length,
      unit: "",
      target: { atMost: 0 },
    },
    { name: "the probe waited while nothing happens", value: nothing.waitedMs, unit: "ms" },
    { name: "the probe waited at most, half of the attacks", value: quantile(waits, 0.5), unit: "ms" },
    { name: `the probe waited at most: ${longest?.attack.name}`, value: longest?.waitedMs ?? 0, unit: "ms" },
    ...worst.map(({ attack, turnMs }) => ({
      ...{ name: attack.name, value: turnMs, unit: "ms of CPU" },
      target: { atMost: MAX_TURN_MS },
    })),
  ];
}

function chosen(): readonly Attack[] {
  const parts = process.env["BENCH_ATTACKS"]?.split(",") ?? [""];
  return ATTACKS.filter(({ name }) => parts.some((part) => name.includes(part)));
}

/** What the first request of a kind compiles is no attack. */
async function warmUp(aim: Aim): Promise<void> {
  const get = (path: string) => send(aim, { method: "GET", path, isKnown: true });
  for (let round = 0; round < 3; round += 1) {
    for (const path of ["/api/health", "/api/domains", "/api/maintenance", "/openapi.json", "/metrics"])
      await get(path);
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await send(aim, { path: "/mcp", body: list });
    await send(aim, {
      path: "/api/domains/test",
      body: JSON.stringify({ url: `http://127.0.0.1:${aim.sitePort}/text` }),
      isKnown: true,
    });
    await send(aim, {
      path: "/api/imports",
      body: JSON.stringify({ content: "https://example.com" }),
      isKnown: true,
    });
    await send(aim, {
      path: "/api/auth/sign-in",
      body: JSON.stringify({ email: "a@a.test", password: "none" }),
    });
  }
}

async function waited(server: WatchedServer, aim: Aim, attack: Attack): Promise<Waited> {
  const probe = startProbe(aim);
  await server.command("begin");
  await attack.run(aim);
  const waitedMs = await probe.stop();
  const turnMs = await server.command("longest");
  return { attack, turnMs, waitedMs };
}

/** Requests the server's health every 20 ms. `stop` gives the longest wait. */
function startProbe(aim: Aim): { stop(): Promise<number> } {
  let longestMs = 0;
  const underWay = new Set<Promise<void>>();
  const look = async () => {
    const begun = performance.now();
    await send(aim, { method: "GET", path: "/api/health" });
    longestMs = Math.max(longestMs, performance.now() - begun);
  };
  const timer = setInterval(() => {
    const own = look().finally(() => underWay.delete(own));
    underWay.add(own);
  }, PROBE_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      return longestMs;
    },
  };
}

function probeFor(_: Aim, ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
