/** How healthy a machine is, by what its agent measures. */
export const HEALTH_LEVELS = ["healthy", "warning", "critical"] as const;
export type HealthLevel = (typeof HEALTH_LEVELS)[number];

/** What is measured against thresholds; of several disks the fullest. */
export const MEASURES = ["cpu", "memory", "disk"] as const;
export type Measure = (typeof MEASURES)[number];

/** In percent. */
export interface Threshold {
  warning: number;
  critical: number;
}
export type Thresholds = Readonly<Record<Measure, Threshold>>;

const USUAL: Threshold = { warning: 85, critical: 95 };
export const DEFAULT_THRESHOLDS: Thresholds = { cpu: USUAL, memory: USUAL, disk: USUAL };

/** One report's percentages; absent where the agent could not measure. `disks`: by mount. */
export interface Sample {
  at: number;
  cpu?: number;
  memory?: number;
  disks: Readonly<Record<string, number>>;
  /** Mounts of which nothing is known because they do not answer. */
  unresponsive?: readonly string[];
}

/** The state of one measure: the level that holds, and since when a change of it has been pending. */
interface MeasureState {
  level: HealthLevel;
  /** By level: since when it has been reached without holding yet, or has held without being reached. */
  since: Partial<Record<Problem["level"], number>>;
  /** In percent, as evaluated last. */
  value: number;
  /** Since when it has not been measured; absent: it has. */
  missingSince?: number;
}

/** What is remembered of a device's health from one report to the next. */
export interface HealthState {
  /** Of the last five minutes and the one before, oldest first: time and percent. */
  cpu: [at: number, percent: number][];
  /** `cpu`, `memory`, and each disk as `disk.PATH`. */
  standings: Record<string, MeasureState>;
  lastAt: number;
}

export const NEW_HEALTH: HealthState = { cpu: [], standings: {}, lastAt: 0 };

/** A processor may well be busy for a moment, so the mean of this time counts (decisions §8). */
export const CPU_WINDOW_MS = 5 * 60_000;
/** What covers less than this is no mean of five minutes. */
const CPU_COVERED_MS = 4 * 60_000;
/** For memory and disks, a level has to last this long. */
export const HOLD_MS = 60_000;
/** Percentage points below its threshold at which a level ends, so that it does not come and go with every report. */
export const HYSTERESIS = 5;

/**
 * A device's health after one more report. A report that is not newer than the last changes nothing. After a silence of more than
 * `maxGapMs` whatever was pending starts over, since what happened in between is unknown.
 */
export function evaluateHealth(
  state: HealthState,
  sample: Sample,
  { thresholds, maxGapMs }: { thresholds: Thresholds; maxGapMs: number },
): HealthState {
  if (sample.at <= state.lastAt) return state;
  const isResumed = sample.at - state.lastAt > maxGapMs;
  const cpu = isResumed ? [] : inWindow(state.cpu, sample.at, maxGapMs);
  if (sample.cpu !== undefined) cpu.push([sample.at, sample.cpu]);
  const standings = unmeasuredStates(state, sample, isResumed);
  for (const { name, value, holdMs, measure } of listMeasurements(sample, cpu)) {
    const before = state.standings[name] ?? { level: "healthy", since: {}, value };
    const known = isResumed ? { ...before, since: {} } : before;
    const threshold = thresholds[measure];
    standings[name] = nextMeasureState(known, { value, at: sample.at, threshold, holdMs });
  }
  return { cpu, standings, lastAt: sample.at };
}

/** Those of the last five minutes, and the one before: a report is of the time since the last, be that longer than the window. */
const inWindow = (cpu: HealthState["cpu"], now: number, maxGapMs: number): HealthState["cpu"] =>
  cpu.filter(([at], index) => {
    const next = cpu[index + 1]?.[0] ?? now;
    return at > now - CPU_WINDOW_MS || (next > now - CPU_WINDOW_MS && next - at <= maxGapMs);
  });

/**
 * What stays as it was where nothing is measured: of the processor there is no mean yet after a silence, and a disk that does not answer
 * is as full as it was. What has not been measured for as long as a level has to last is gone.
 */
function unmeasuredStates(
  { standings }: HealthState,
  { at, cpu, unresponsive = [] }: Sample,
  isResumed: boolean,
): Record<string, MeasureState> {
  const remaining: Record<string, MeasureState> = {};
  for (const [name, { missingSince, ...measureState }] of Object.entries(standings)) {
    const isMeasured =
      name === "cpu" ? cpu !== undefined : unresponsive.some((path) => name === `disk.${path}`);
    const since = isResumed ? at : (missingSince ?? at);
    if (isMeasured) remaining[name] = { ...measureState, since: {} };
    else if (at - since < HOLD_MS) remaining[name] = { ...measureState, since: {}, missingSince: since };
  }
  return remaining;
}

interface Measurement {
  name: string;
  measure: Measure;
  value: number;
  holdMs: number;
}

function listMeasurements({ at, cpu: own, memory, disks }: Sample, cpu: HealthState["cpu"]): Measurement[] {
  const all: Measurement[] = Object.entries(disks).map(([path, value]) => ({
    ...{ name: `disk.${path}`, measure: "disk", value, holdMs: HOLD_MS },
  }));
  if (memory !== undefined) all.push({ name: "memory", measure: "memory", value: memory, holdMs: HOLD_MS });
  const first = cpu[0];
  if (own !== undefined && first && at - first[0] >= CPU_COVERED_MS) {
    const counted = cpu.filter(([one]) => one > at - CPU_WINDOW_MS);
    const mean = counted.reduce((sum, [, percent]) => sum + percent, 0) / counted.length;
    all.push({ name: "cpu", measure: "cpu", value: mean, holdMs: 0 });
  }
  return all;
}

/** A level begins to hold once it has been reached for `holdMs`, and stops once the value has been below it by the margin for as long. */
function nextMeasureState(
  before: MeasureState,
  { value, at, threshold, holdMs }: { value: number; at: number; threshold: Threshold; holdMs: number },
): MeasureState {
  const since: MeasureState["since"] = {};
  let level: HealthLevel = "healthy";
  for (const one of ["warning", "critical"] as const) {
    const isHeld = HEALTH_LEVELS.indexOf(before.level) >= HEALTH_LEVELS.indexOf(one);
    const isReached = value >= threshold[one] - (isHeld ? HYSTERESIS : 0);
    const began = isReached === isHeld ? undefined : (before.since[one] ?? at);
    const hasLasted = began !== undefined && at - began >= holdMs;
    if (began !== undefined && !hasLasted) since[one] = began;
    if (hasLasted ? isReached : isHeld) level = one;
  }
  return { level, since, value };
}

/** What is wrong with a device. */
export interface Problem {
  measure: Measure;
  /** The disk's mount; null for what is no disk. */
  path: string | null;
  level: Exclude<HealthLevel, "healthy">;
  value: number;
}

/** A full disk stops more than full memory does, and that more than a busy processor. */
const rank = (name: string): number => (name.startsWith("disk.") ? 0 : name === "memory" ? 1 : 2);

/** Everything that is wrong with a device, the most severe first; none: it is healthy. */
export const problemsOf = ({ standings }: HealthState): Problem[] =>
  Object.entries(standings)
    .filter(([, { level }]) => level !== "healthy")
    // Not by percent alone: which comes first would change with every report while two are about as full.
    .sort(
      ([one, a], [other, b]) =>
        HEALTH_LEVELS.indexOf(b.level) - HEALTH_LEVELS.indexOf(a.level) ||
        rank(one) - rank(other) ||
        b.value - a.value ||
        (one < other ? -1 : 1),
    )
    .map(([name, { level, value }]) => {
      const isDisk = name.startsWith("disk.");
      return {
        measure: isDisk ? "disk" : (name as Measure),
        path: isDisk ? name.slice("disk.".length) : null,
        level: level as Problem["level"],
        value,
      };
    });
