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

/**
 * A report with its metrics and those parts. What cannot be looked at is left out and said: the rest of the report is worth having
 * all the same.
 */
export async function collect(collector: Collector, parts: readonly Part[], log: Log): Promise<Report> {
  const report: Report = {};
  for (const part of ["metrics", ...parts] as const) {
    try {
      const found = await collector[part]();
      if (found !== null) Object.assign(report, { [part]: found });
    } catch (error) {
      log.error({ error }, `The ${part} of this machine could not be read`);
    }
  }
  return fit(report);
}
