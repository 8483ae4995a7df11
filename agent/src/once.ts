import { setTimeout as wait } from "node:timers/promises";
import { reporting, thisCollector } from "./collect.ts";
import type { Log } from "./log.ts";
import type { Report } from "./report.ts";

/** Rates are of this long. */
const BETWEEN_MS = 1_000;
/** Nothing waits for this report. */
const WHOLE_MS = 70_000;

/** One whole report of this machine. */
export async function collectOnce(sockets: readonly string[], log: Log): Promise<Report> {
  const collector = await thisCollector(sockets);
  // Rates need two looks.
  await collector.measure();
  await collector.processes();
  await wait(BETWEEN_MS);
  const report = reporting(collector, log);
  return report(["system", "processes", "connections", "applications", "containers"], WHOLE_MS);
}
