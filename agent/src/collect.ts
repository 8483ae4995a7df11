import { readContainers } from "./containers.ts";
import { fit } from "./fit.ts";
import { linuxCollector } from "./linux/collector.ts";
import type { Log } from "./log.ts";
import type { Collector, Report } from "./report.ts";
import type { Part } from "./schedule.ts";

/** This machine's collector. Others than Linux are asked through a library, loaded where it is needed. `sockets`: of containers. */
export async function thisCollector(sockets: readonly string[]): Promise<Collector> {
  const containers = () => readContainers(sockets);
  if (process.platform === "linux") return { ...linuxCollector(), containers };
  const { portableCollector } = await import("./portable/collector.ts");
  return { ...portableCollector(), containers };
}

/** How long reading a part may take. */
const LIMIT_MS = 70_000;
const METRICS_LIMIT_MS = 20_000;

/** What is still being read, by collector: it is not begun once more. */
const readings = new WeakMap<Collector, Set<Part | "metrics">>();

/**
 * A report with its metrics and those parts. What cannot be read, or takes too long, is left out and logged: the rest of the report is worth
 * having all the same.
 */
export async function collect(collector: Collector, parts: readonly Part[], log: Log): Promise<Report> {
  const report: Report = {};
  for (const part of ["metrics", ...parts] as const) {
    try {
      const found = await readPart(collector, part);
      if (found !== null) Object.assign(report, { [part]: found });
    } catch (error) {
      log.error({ error }, `The ${part} of this machine could not be read`);
    }
  }
  const unresponsiveMounts = collector.unresponsiveMounts();
  if (unresponsiveMounts.length > 0) report.unresponsiveMounts = unresponsiveMounts;
  return fit(report);
}

async function readPart(collector: Collector, part: Part | "metrics"): Promise<object | null> {
  const reading = readings.get(collector) ?? new Set();
  readings.set(collector, reading);
  if (reading.has(part)) throw new Error("The previous reading has not ended");
  reading.add(part);
  const read: Promise<object | null> = collector[part]().finally(() => reading.delete(part));
  const limitMs = part === "metrics" ? METRICS_LIMIT_MS : LIMIT_MS;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It takes longer than ${limitMs / 1000} s`)), limitMs);
  });
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}
