import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { type LocalProbeOptions, startLocalProbe } from "../../../src/engine/probe/location-probe.ts";
import { hang, slow } from "../../harness/behaviours.ts";
import { eventually } from "../../harness/eventually.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { anAssignment, temporaryFolder } from "./factories.ts";

const CRASHING = new URL("./crashing-worker.ts", import.meta.url);
const STALLING = new URL("./stalling-worker.ts", import.meta.url);

async function target() {
  const started = await startHttpTarget();
  onTestFinished(() => started.close());
  return started;
}

/** A probe with real worker threads whose store is the test's. */
function probing(more: Partial<LocalProbeOptions> = {}) {
  const stored: ProbeResult[] = [];
  const store = { isOpen: true };
  const log = recordingLog();
  const options: LocalProbeOptions = {
    location: "local",
    folder: temporaryFolder(),
    workers: 1,
    settings: { policy: "all", resolvers: [], referenceTargets: ["off"] },
    log,
    sink: {
      async accept({ results }) {
        if (!store.isOpen) throw new Error("no store");
        stored.push(...results);
      },
    },
    ...more,
  };
  const probe = startLocalProbe(options);
  onTestFinished(() => probe.stop(0));
  return { probe, stored, store, log, folder: options.folder };
}

const until = (stored: ProbeResult[], count: number) =>
  eventually(
    () => stored.length,
    (seen) => seen >= count,
  );

describe("built-in probe", () => {
  it("brings a first result to the store at once, however long the interval", async () => {
    const { url } = await target();
    const { probe, stored } = probing();
    probe.assign([anAssignment({ config: { url }, intervalMs: 3_600_000 })]);
    await until(stored, 1);
    expect(stored[0]).toMatchObject({ monitorId: 1, verdict: "ok", statusCode: 200, address: "127.0.0.1" });
  });

  it("spreads monitors over its workers and reports the sum of their metrics", async () => {
    const { url, requests } = await target();
    const { probe, stored } = probing({ workers: 2 });
    const intervalMs = 3_600_000_000;
    const monitors = [1, 2, 3, 4, 5].map((monitorId) =>
      anAssignment({ monitorId, intervalMs, config: { url } }),
    );
    probe.assign(monitors);
    await until(stored, 5);
    expect(stored.map(({ monitorId }) => monitorId).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(requests).toHaveLength(5);
    const health = await eventually(
      probe.health,
      ({ checksTotal, queuedResults }) => checksTotal === 5 && queuedResults === 0,
    );
    expect(health).toMatchObject({ ticking: true, monitors: 5, queuedResults: 0, skippedTotal: 0 });
    expect(health.lateness99Ms).toBeGreaterThan(0);
    expect(health.lateness99Ms).toBeLessThan(2_000);
  });

  it("goes on checking while the store is away, and brings every result once it is back, in order", async () => {
    const { url, requests } = await target();
    const { probe, stored, store } = probing();
    store.isOpen = false;
    probe.assign([anAssignment({ config: { url }, intervalMs: 50 })]);
    await eventually(
      () => requests.length,
      (count) => count >= 20,
    );
    const health = await eventually(probe.health, ({ queuedResults }) => queuedResults >= 10);
    expect(health.ticking).toBe(true);
    expect(stored).toEqual([]);
    const made = requests.length;
    store.isOpen = true;
    await until(stored, made);
    const times = stored.map(({ scheduledAt }) => scheduledAt);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    for (const time of times.slice(2)) expect((time - times[1]!) % 50).toBe(0);
  });

  it("starts a worker that died again, with its monitors and what it had not delivered, saying so once", async () => {
    const { url } = await target();
    const { probe, stored, store, log } = probing({ entry: CRASHING });
    store.isOpen = false;
    probe.assign([anAssignment({ config: { url }, intervalMs: 100 })]);
    const { queuedResults } = await eventually(probe.health, (health) => health.queuedResults >= 3);
    probe.assign([anAssignment({ monitorId: 2, type: "crash", intervalMs: 3_600_000_000 })]);
    const crashing = Date.now();
    await eventually(
      () => log.lines,
      (lines) => lines.some((line) => line.includes("died")),
    );
    store.isOpen = true;
    await until(stored, queuedResults + 7);
    const times = stored.map(({ scheduledAt }) => scheduledAt);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    // What was checked before the death is there.
    expect(times.filter((time) => time < crashing).length).toBeGreaterThanOrEqual(queuedResults);
    expect(log.lines.filter((line) => line.includes("died"))).toHaveLength(1);
    expect((await eventually(probe.health, ({ monitors }) => monitors === 2)).ticking).toBe(true);
  });

  it("uses no time twice when a worker dies whose schedule is ahead of the clock", async () => {
    const { url } = await target();
    const newestMs = Date.now() + 1_800_000;
    const settings = { policy: "all", resolvers: [], referenceTargets: ["off"], newestMs } as const;
    const { probe, stored, log } = probing({
      entry: CRASHING,
      settings: { ...settings, resolvers: [], referenceTargets: ["off"] },
    });
    probe.assign([anAssignment({ config: { url }, intervalMs: 100 })]);
    await until(stored, 15);
    probe.assign([anAssignment({ monitorId: 2, type: "crash", intervalMs: 3_600_000_000 })]);
    await eventually(
      () => log.lines,
      (lines) => lines.some((line) => line.includes("died")),
    );
    const before = stored.length;
    await until(stored, before + 15);
    const times = stored.map(({ scheduledAt }) => scheduledAt);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(newestMs);
  });

  it("gives a check under way the time back in which its worker was blocked", async () => {
    const slowTarget = await target();
    slowTarget.set(slow(2_300));
    const { probe, stored } = probing({ entry: STALLING });
    probe.assign([anAssignment({ config: { url: slowTarget.url }, timeoutMs: 1_500 })]);
    await eventually(
      () => slowTarget.requests.length,
      (count) => count === 1,
    );
    // When that is over so is the timeout, and the answer is still to come.
    probe.assign([anAssignment({ monitorId: 2, type: "stall" })]);
    await until(stored, 1);
    expect(stored[0]).toMatchObject({ monitorId: 1, verdict: "ok", statusCode: 200 });
  });

  it("lets the running check end when it stops, and stores its result", async () => {
    const slowTarget = await target();
    slowTarget.set(slow(600));
    const { probe, stored } = probing();
    probe.assign([anAssignment({ config: { url: slowTarget.url }, timeoutMs: 5_000 })]);
    await eventually(
      () => slowTarget.requests.length,
      (count) => count === 1,
    );
    await probe.stop(5_000);
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({ verdict: "ok", statusCode: 200 });
  });

  it("does not wait for a hanging target longer than the grace it was given", async () => {
    const hanging = await target();
    hanging.set(hang);
    const { probe, stored } = probing();
    probe.assign([anAssignment({ config: { url: hanging.url }, timeoutMs: 60_000 })]);
    await eventually(
      () => hanging.requests.length,
      (count) => count === 1,
    );
    const stoppedMs = performance.now();
    await probe.stop(300);
    expect(performance.now() - stoppedMs).toBeLessThan(3_000);
    expect(stored).toEqual([]);
  });

  it("keeps what the store refuses at the stop for the next start, also with fewer workers", async () => {
    const { url } = await target();
    const first = probing({ workers: 3 });
    first.store.isOpen = false;
    // One check each: the next one is a thousand hours away.
    const intervalMs = 3_600_000_000;
    first.probe.assign(
      [1, 2, 3].map((monitorId) => anAssignment({ monitorId, intervalMs, config: { url } })),
    );
    await eventually(first.probe.health, ({ queuedResults }) => queuedResults === 3);
    await first.probe.stop(1_000);
    const second = probing({ workers: 1, folder: first.folder });
    await until(second.stored, 3);
    expect(second.stored.map(({ monitorId }) => monitorId).sort()).toEqual([1, 2, 3]);
  });

  it("delivers after a restart everything that a process killed with -9 had not, each result", async () => {
    const { url } = await target();
    const folder = temporaryFolder();
    const script = new URL("./killed-probe.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [script, folder, url], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    onTestFinished(() => void child.kill("SIGKILL"));
    await eventually(
      () => output.split("\n").length,
      (lines) => lines > 30,
      20_000,
    );
    child.kill("SIGKILL");
    await exited;
    const made = output.trim().split("\n").map(Number);
    const { stored } = probing({ folder });
    await until(stored, made.length);
    const delivered = new Set(stored.map(({ scheduledAt }) => scheduledAt));
    expect(made.filter((scheduledAt) => !delivered.has(scheduledAt))).toEqual([]);
    expect(stored.map(({ scheduledAt }) => scheduledAt)).toEqual(
      stored.map(({ scheduledAt }) => scheduledAt).toSorted((a, b) => a - b),
    );
  });
});
