import { readContainers } from "./containers.ts";
import { fit } from "./fit.ts";
import { linuxCollector } from "./linux/collector.ts";
import type { Log } from "./log.ts";
import type { Collector, Report } from "./report.ts";
import type { Part } from "./schedule.ts";

/** This machine's collector. Others than Linux are read through a library, loaded where it is needed. `sockets`: of containers. */
export async function thisCollector(sockets: readonly string[]): Promise<Collector> {
  const containers = () => readContainers(sockets);
  if (process.platform === "linux") return { ...linuxCollector(), containers };
  const { portableCollector } = await import("./portable/collector.ts");
  return { ...portableCollector(), containers };
}

/** So long a report waits for the other parts: later, and the device would be taken for silent. */
const WAIT_MS = 2_000;
/** The metrics are what a report is for. */
const METRICS_WAIT_MS = 20_000;

/**
 * Returns what makes reports. What is not read in time comes with a later report, and is not begun again before; what cannot be read is left
 * out and logged. The rest of a report is worth having all the same.
 */
export function reporting(
  collector: Collector,
  log: Log,
): (parts: readonly Part[], waitMs?: number) => Promise<Report> {
  const running = new Map<Part | "metrics", Promise<void>>();
  let read: Report = {};
  const begin = (part: Part | "metrics") => {
    const known = running.get(part);
    if (known) {
      log.warn({}, `Reading the ${part} of this machine still goes on`);
      return known;
    }
    const reading = readPart(collector, part)
      .then((found) => void Object.assign(read, found))
      .catch((error: unknown) => log.error({ error }, `The ${part} of this machine could not be read`))
      .finally(() => running.delete(part));
    running.set(part, reading);
    return reading;
  };
  return async (parts, waitMs = WAIT_MS) => {
    // Not with the others: a metric that is old is none.
    const { metrics: _, unresponsiveMounts: __, ...late } = read;
    read = late;
    await within(begin("metrics"), METRICS_WAIT_MS);
    await within(Promise.all(parts.map(begin)), waitMs);
    const report = read;
    read = {};
    return fit(report);
  };
}

async function readPart(collector: Collector, part: Part | "metrics"): Promise<Report> {
  if (part !== "metrics") {
    const found = await collector[part]();
    return found === null ? {} : { [part]: found };
  }
  const { metrics, unresponsiveMounts = [] } = await collector.measure();
  return { metrics, ...(unresponsiveMounts.length > 0 && { unresponsiveMounts }) };
}

/** Waits for it no longer than that. */
async function within(reading: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
