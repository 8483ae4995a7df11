import fc from "fast-check";
import { Value } from "typebox/value";
import { expect, it } from "vitest";
import { AgentReports } from "../../server/src/monitors/schemas/agent-report.ts";
import { fit } from "../src/fit.ts";
import type { Report } from "../src/report.ts";

const Schema = AgentReports.properties.reports.items;
const text = fc.string({ maxLength: 6_000, unit: "binary", size: "max" });
const size = fc.double({ min: 0, max: 1e15, noNaN: true });

const report: fc.Arbitrary<Report> = fc.record({
  metrics: fc.dictionary(
    fc.tuple(fc.constantFrom("disk", "network"), text).map(([group, name]) => `${group}.${name}.usage`),
    fc.constantFrom(1, 99.999, -0.5, Number.NaN, Number.POSITIVE_INFINITY),
    { maxKeys: 5 },
  ),
  system: fc.record({
    ...{
      hostname: fc.string({ minLength: 1, maxLength: 6_000 }),
      platform: text,
      os: text,
      kernel: text,
      architecture: text,
      cpu: text,
    },
    ...{
      cpuCores: fc.constant(8),
      totalMemory: size,
      totalSwap: size,
      totalDisk: size,
      bootedAt: fc.constant(0),
    },
  }),
  processes: fc.record({
    total: fc.constant(1),
    items: fc.array(
      fc.record({
        ...{ pid: fc.nat(), name: text, command: text, status: text, user: text },
        ...{ cpuPercent: fc.constant(1), memoryMB: size },
      }),
      { maxLength: 2 },
    ),
  }),
  containers: fc.record({
    total: fc.constant(1),
    items: fc.array(fc.record({ id: text, name: text, image: text, state: text, status: text }), {
      maxLength: 2,
    }),
  }),
});

it("makes whatever a machine is called and runs into what the server takes", () => {
  fc.assert(
    fc.property(report, (given) => {
      expect(Value.Errors(Schema, { sequence: 1, at: 0, ...fit(given) })).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

it("leaves out what was not measured, and keeps what is measured at the end of a long name", () => {
  const mount = `/srv/${"x".repeat(400)}`;
  const { metrics = {} } = fit({ metrics: { "cpu.usage": Number.NaN, [`disk.${mount}.usage`]: 12.345 } });
  const [name = "", ...others] = Object.keys(metrics);
  expect(others).toEqual([]);
  expect(name).toMatch(/^disk\.\/srv\/x+\.usage$/);
  expect(metrics[name]).toBe(12.35);
});

it("cuts what is too much for one report", () => {
  const metrics = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`disk.${at}.usage`, 1]));
  expect(Object.keys(fit({ metrics }).metrics ?? {})).toHaveLength(1_000);
  const application = {
    ...{ name: "vim", version: "9", publisher: null, installPath: null, size: null, isRunning: false },
  };
  const items = Array.from({ length: 12_000 }, () => application);
  const { applications } = fit({ applications: { total: 12_000, items } });
  expect([applications?.total, applications?.items.length]).toEqual([12_000, 10_000]);
});

it("keeps what health is evaluated by before what is of one core or one interface", () => {
  const many = (count: number, name: (at: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), 1]));
  const judging = { "cpu.usage": 1, "memory.usage": 2, "disk./.usage": 3, "disk./srv/data.usage": 4 };
  const { metrics = {} } = fit({
    metrics: {
      ...many(256, (at) => `cpu.core${at}.usage`),
      ...many(700, (at) => `network.veth${at}.rx`),
      ...many(700, (at) => `disk.sd${at}.read`),
      ...judging,
    },
  });
  expect(metrics).toMatchObject(judging);
  expect(Object.keys(metrics)).toHaveLength(1_000);
});
