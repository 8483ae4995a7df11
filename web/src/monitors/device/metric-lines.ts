import type { Charted, Line, Series } from "../../api/device-metrics.ts";
import type { TimeSpan } from "../../components/chart-data.ts";

/** What a chart draws: each line has a value for each of `times`, null where it breaks. */
export interface MetricLines {
  /** Milliseconds since 1970, ascending. */
  times: number[];
  lines: { id: string; values: (number | null)[] }[];
  /** When nothing was reported. */
  gaps: TimeSpan[];
}

/** As many disks have colours; the fullest come first. */
const mostDisks = 5;
/** A hole is where more than this many steps are missing. */
const gapSteps = 2.5;
const stepsMs = { "1m": 60_000, "15m": 900_000, "1h": 3_600_000 } as const;

/** The lines of a chart. `intervalMs`: between two reports, the resolution of raw values. */
export function metricLines(series: Series, charted: Charted, intervalMs: number): MetricLines {
  const chosen = choose(series.series, charted);
  const stepMs = series.resolution === "raw" ? intervalMs : stepsMs[series.resolution];
  const measured = [...new Set(chosen.flatMap(({ points }) => [...points.keys()]))].sort((a, b) => a - b);
  const gaps: TimeSpan[] = [];
  const times: number[] = [];
  for (const at of measured) {
    const last = times.at(-1);
    if (last !== undefined && at - last > gapSteps * stepMs) {
      gaps.push({ fromMs: last + stepMs, toMs: at });
      times.push(last + stepMs);
    }
    times.push(at);
  }
  return {
    times,
    gaps,
    lines: chosen.map(({ id, points }) => ({ id, values: times.map((at) => points.get(at) ?? null) })),
  };
}

interface ChosenLine {
  id: string;
  points: Map<number, number>;
}

function choose(all: readonly Line[], charted: Charted): ChosenLine[] {
  if (charted === "network")
    return [sumOf(all, "rx"), sumOf(all, "tx")].filter(({ points }) => points.size > 0);
  if (charted === "disk") return disksOf(all);
  return all.slice(0, 1).map(({ points }) => ({ id: charted, points: pointsOf(points) }));
}

const pointsOf = (points: Line["points"]): Map<number, number> =>
  new Map(points.map(({ timestamp, value }) => [Date.parse(timestamp), value]));

/** What a disk's metric is called: `disk./var.usage`. */
const usage = /^disk\.(.+)\.usage$/;

function disksOf(all: readonly Line[]): ChosenLine[] {
  return all
    .flatMap(({ name, points }) => {
      const [, path] = usage.exec(name) ?? [];
      return path === undefined
        ? []
        : [{ id: path, points: pointsOf(points), last: points.at(-1)?.value ?? 0 }];
    })
    .sort((a, b) => b.last - a.last || a.id.localeCompare(b.id))
    .slice(0, mostDisks);
}

/** What the agent says of the whole machine; of what older agents reported, all interfaces but the one that leads back to the machine itself. */
function sumOf(all: readonly Line[], direction: "rx" | "tx"): ChosenLine {
  const points = new Map<number, number>();
  const whole = pointsOf(all.find(({ name }) => name === `network.${direction}`)?.points ?? []);
  for (const line of all) {
    if (interfaceOf(line.name, direction) === null || line.name.startsWith("network.lo.")) continue;
    for (const [at, value] of pointsOf(line.points)) points.set(at, (points.get(at) ?? 0) + value);
  }
  return { id: direction, points: new Map([...points, ...whole]) };
}

/** `eth0` of `network.eth0.rx`; null where it is of the whole machine, or another figure. */
const interfaceOf = (name: string, direction: "rx" | "tx"): string | null =>
  new RegExp(`^network\\.(.+)\\.${direction}$`).exec(name)?.[1] ?? null;

/** What each interface carried at the end of a range, bytes a second; null: nothing is known of it. */
export interface InterfaceRates {
  name: string;
  rx: number | null;
  tx: number | null;
}

/** The interfaces that were there at the end, the busiest first. */
export function interfaceRates({ series }: Series): InterfaceRates[] {
  const lastAt = series
    .flatMap(({ points }) => points.at(-1)?.timestamp ?? [])
    .sort()
    .at(-1);
  const rates = new Map<string, InterfaceRates>();
  for (const direction of ["rx", "tx"] as const) {
    for (const { name: metric, points } of series) {
      const name = interfaceOf(metric, direction);
      const last = points.at(-1);
      if (name === null || !last || last.timestamp !== lastAt) continue;
      rates.set(name, { ...(rates.get(name) ?? { name, rx: null, tx: null }), [direction]: last.value });
    }
  }
  const sizeOf = ({ rx, tx }: InterfaceRates) => (rx ?? 0) + (tx ?? 0);
  return [...rates.values()].sort((a, b) => sizeOf(b) - sizeOf(a) || a.name.localeCompare(b.name));
}
