import { Value } from "typebox/value";
import { expect, it, vi } from "vitest";
import { AgentReports } from "../../server/src/monitors/schemas/agent-report.ts";
import { fit } from "../src/fit.ts";
import { linuxCollector } from "../src/linux/collector.ts";
import { portableCollector } from "../src/portable/collector.ts";
import type { PlatformCollector, Report } from "../src/report.ts";

const started = vi.hoisted(() => ({ programs: 0 }));
vi.mock("node:child_process", async (original) => {
  const real = (await original()) as Record<string, (...args: never[]) => unknown>;
  const counting = Object.entries(real).map(([name, value]) => [
    name,
    typeof value === "function" && /^(?:exec|spawn|fork)/.test(name)
      ? (...args: never[]) => {
          started.programs += 1;
          return value(...args);
        }
      : value,
  ]);
  return Object.fromEntries(counting) as object;
});

const Schema = AgentReports.properties.reports.items;

async function look(collector: PlatformCollector): Promise<Report> {
  // Rates need two looks.
  await collector.measure();
  const [{ metrics }, system] = [await collector.measure(), await collector.system()];
  const [processes, connections] = [await collector.processes(), await collector.connections()];
  return fit({ system, metrics, processes, connections });
}

it.skipIf(process.platform !== "linux")(
  "starts no program for what it looks at every few seconds",
  async () => {
    const collector = linuxCollector();
    // The first time one counts what is free on some file systems, such as that of EFI.
    await collector.measure();
    started.programs = 0;
    const report = await look(collector);
    expect(started.programs).toBe(0);
    expect(Object.keys(report.metrics ?? {})).toEqual(
      expect.arrayContaining(["memory.usage", "disk./.usage"]),
    );
    expect(report.system?.totalDisk).toBeGreaterThan(0);
    expect(report.processes?.items.map(({ pid }) => pid)).toContain(process.pid);
  },
);

it("says the same of a system without /proc, through a library", async () => {
  const report = await look(portableCollector());
  expect(Value.Errors(Schema, { sequence: 1, at: 0, ...report })).toEqual([]);
  expect(Object.keys(report.metrics ?? {})).toEqual(
    expect.arrayContaining(["cpu.usage", "cpu.core0.usage", "memory.usage"]),
  );
  expect(report.processes?.items.map(({ pid }) => pid)).toContain(process.pid);
});
