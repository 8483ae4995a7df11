import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reporting } from "../src/collect.ts";
import { createLog } from "../src/log.ts";
import type { Application, Collector, Measures, Snapshot } from "../src/report.ts";

const nothing = async () => ({ total: 0, items: [] });

/** A machine whose applications and metrics are read when the test says so. */
function machine() {
  const lines: string[] = [];
  const applications: PromiseWithResolvers<Snapshot<Application>>[] = [];
  const measures: (() => Promise<Measures>)[] = [];
  const collector: Collector = {
    system: async () => Promise.reject(new Error("no system")),
    measure: () => measures.shift()?.() ?? Promise.resolve({ metrics: { "cpu.usage": 1 } }),
    processes: nothing,
    connections: nothing,
    containers: async () => null,
    applications: () => {
      const reading = Promise.withResolvers<Snapshot<Application>>();
      applications.push(reading);
      return reading.promise;
    },
  };
  const report = reporting(
    collector,
    createLog((line) => lines.push(line)),
  );
  return { report, applications, measures, lines };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("reports metrics in time while a list takes long, which comes with a later report", async () => {
  const { report, applications } = machine();
  const first = report(["applications", "processes"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(Object.keys(await first).sort()).toEqual(["metrics", "processes"]);
  applications[0]?.resolve({ total: 0, items: [] });
  expect(Object.keys(await report([])).sort()).toEqual(["applications", "metrics"]);
  expect(Object.keys(await report([]))).toEqual(["metrics"]);
});

it("begins no list again that is still being read, and says so", async () => {
  const { report, applications, lines } = machine();
  for (let left = 2; left > 0; left -= 1) {
    const next = report(["applications"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(Object.keys(await next)).toEqual(["metrics"]);
  }
  expect(applications).toHaveLength(1);
  expect(lines.join()).toContain("still goes on");
});

it("leaves out what cannot be read, and metrics that are no longer of now", async () => {
  const { report, measures, lines } = machine();
  const late = Promise.withResolvers<Measures>();
  measures.push(() => late.promise);
  const first = report(["system"]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await first).toEqual({});
  expect(lines.join()).toContain("no system");
  late.resolve({ metrics: { "cpu.usage": 99 }, unresponsiveMounts: ["/nas"] });
  await vi.advanceTimersByTimeAsync(0);
  expect(await report([])).toEqual({ metrics: { "cpu.usage": 1 } });
});

it("names each mount once that does not answer", async () => {
  const { report, measures } = machine();
  const paths = ["/nas", "/nas", "/b\n", "/b\t", `/${"x".repeat(2_000)}1`, `/${"x".repeat(2_000)}2`];
  measures.push(async () => ({ metrics: {}, unresponsiveMounts: paths }));
  const { unresponsiveMounts = [] } = await report([]);
  expect(unresponsiveMounts).toEqual(["/nas", "/b?", `/${"x".repeat(1_023)}`]);
});
