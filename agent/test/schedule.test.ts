import fc from "fast-check";
import { expect, it } from "vitest";
import { waitAfter } from "../src/link/backoff.ts";
import { Schedule } from "../src/schedule.ts";

/** What is taken in so many seconds, a look every ten. */
function takenIn(schedule: Schedule, seconds: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let at = 0; at < seconds; at += 10) {
    for (const part of schedule.take(at * 1000)) counts[part] = (counts[part] ?? 0) + 1;
  }
  return counts;
}

it("looks at what costs more less often, at processes and connections together, at what takes most by itself", () => {
  const schedule = new Schedule(0);
  expect([0, 10, 20, 30].map((at) => schedule.take(at * 1000))).toEqual([
    ["system"],
    ["processes", "containers", "connections"],
    [],
    ["applications"],
  ]);
  expect(takenIn(new Schedule(0), 3600)).toEqual({
    ...{ system: 1, processes: 60, containers: 60, connections: 60, applications: 1 },
  });
});

it("lists what is installed at once where that has changed, and then in its usual time", () => {
  const schedule = new Schedule(0);
  expect(takenIn(schedule, 60)).toMatchObject({ applications: 1 });
  schedule.hasten("applications");
  expect(schedule.take(60_000)).toContain("applications");
  expect(takenIn(schedule, 3600)["applications"]).toBeUndefined();
});

it("does as the server requests, as far as that makes sense", () => {
  const schedule = new Schedule(0);
  schedule.adopt({ metrics: 30, processes: 0, connections: Number.NaN, applications: 1e12 });
  expect(schedule.metricsMs).toBe(30_000);
  const { processes, connections, applications } = takenIn(schedule, 600);
  // Every look where it is requested all the time; as before where the request is nonsense.
  expect([processes, connections, applications]).toEqual([59, 10, 1]);
  schedule.adopt({ metrics: 1 });
  expect(schedule.metricsMs).toBe(5_000);
});

it("waits twice as long after each failure, up to five minutes, never as long as the others", () => {
  expect([1, 2, 3, 4, 20].map((failures) => waitAfter(failures, 1))).toEqual([
    1_000, 2_000, 4_000, 8_000, 300_000,
  ]);
  expect(waitAfter(4, 0)).toBe(4_000);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, random) => {
        const wait = waitAfter(failures, random);
        expect(wait).toBeGreaterThanOrEqual(500);
        expect(wait).toBeLessThanOrEqual(300_000);
      },
    ),
  );
});

it("waits as long as the server requests, but not for ever", () => {
  expect(waitAfter(1, 1, 60_000)).toBe(60_000);
  expect(waitAfter(20, 1, 1_000)).toBe(300_000);
  expect(waitAfter(1, 1, 1e12)).toBe(300_000);
});
