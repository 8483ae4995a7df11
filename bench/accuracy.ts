/**
 * What the probe measures while it makes 333 checks a second, against what a bare socket measures
 * alone on the same target: checks that are fired in bursts wait for each other and look slow. HTTP and
 * HTTPS. The whole built-in probe works: schedule, worker thread, queue on disk.
 */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import type { ProbeResult } from "../server/src/engine/probe/link.ts";
import { startLocalProbe } from "../server/src/engine/probe/location-probe.ts";
import { bareCheck } from "./baselines.ts";
import { type Measurement, median, quantile, report, startBeside, withFolder } from "./harness.ts";
import type { TargetReady } from "./target.ts";

const MONITORS = 10_000;
const INTERVAL_MS = 30_000;
const WARM_UP_MS = 2_000;
const MEASURE_MS = 12_000;
const BARE_CHECKS = 400;
const nothing = () => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

report([...(await measure("HTTP", 1)), ...(await measure("HTTPS", 3))]);

async function measure(name: "HTTP" | "HTTPS", mostMs: number): Promise<Measurement[]> {
  const isTls = name === "HTTPS";
  const target = await startBeside<TargetReady>("target.ts", isTls ? ["tls"] : []);
  const { port, ca } = target.ready;
  const alone = await timesAlone(port, isTls ? ca : null);
  const url = isTls ? `https://localhost:${port}/` : `http://127.0.0.1:${port}/`;
  const results = await withFolder((folder) => timesOnSchedule({ url, ignoreCertificate: true }, folder));
  target.child.disconnect();
  const times = results.map(({ phases }) => (phases.totalUs ?? Number.NaN) / 1000);
  const failed = results.filter(({ verdict }) => verdict !== "ok").length;
  if (failed > 0) throw new Error(`${failed} of ${results.length} checks failed.`);
  return [
    { name: `${name}: bare socket alone, median`, value: median(alone), unit: "ms" },
    { name: `${name}: measured by the probe, median`, value: median(times), unit: "ms" },
    {
      name: `${name}: more than alone`,
      value: median(times) - median(alone),
      unit: "ms",
      target: { atMost: mostMs },
    },
    { name: `${name}: measured by the probe, p99`, value: quantile(times, 0.99), unit: "ms" },
    { name: `${name}: checks made`, value: times.length / (MEASURE_MS / 1000), unit: "a second" },
  ];
}

/** Milliseconds of one check after another, with nothing else going on. The first ones warm up. */
async function timesAlone(port: number, ca: string | null): Promise<number[]> {
  const context = ca === null ? undefined : createSecureContext({ ca });
  const times: number[] = [];
  for (let check = 0; check < 2 * BARE_CHECKS; check++) {
    const begun = performance.now();
    await bareCheck(port, context);
    times.push(performance.now() - begun);
  }
  return times.slice(BARE_CHECKS);
}

async function timesOnSchedule(config: object, folder: string): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  const probe = startLocalProbe({
    location: "local",
    folder: join(folder, "queue"),
    workers: 1,
    settings: { policy: "all", resolvers: [], referenceTargets: ["off"] },
    sink: { accept: async (batch) => void results.push(...batch.results) },
    log,
  });
  const monitor = { revision: 1, type: "http", config, intervalMs: INTERVAL_MS, timeoutMs: 10_000 };
  const monitors = Array.from({ length: MONITORS }, (_, i) => ({ ...monitor, monitorId: i + 1 }));
  probe.assign(monitors, "on_grid");
  await setTimeout(WARM_UP_MS);
  const from = Date.now();
  await setTimeout(MEASURE_MS);
  await probe.stop(5_000);
  return results.filter(({ scheduledAt }) => scheduledAt >= from && scheduledAt < from + MEASURE_MS);
}
