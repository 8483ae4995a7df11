import {
  type AgentConfig,
  DEFAULT_THRESHOLDS,
  type Measure,
  type Threshold,
  type Thresholds,
} from "../../checks/agent.ts";
import { keysOfCauses } from "../../engine/status/health-causes.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { SnapshotItem } from "./pack-snapshots.ts";

/** How healthy a machine is, by what its agent measures. */
export const HEALTH_LEVELS = ["healthy", "warning", "critical"] as const;
export type HealthLevel = (typeof HEALTH_LEVELS)[number];

/** One report's percentages; absent where the agent could not measure. `disks`: by mount. */
export interface Sample {
  at: number;
  cpu?: number;
  memory?: number;
  disks: Readonly<Record<string, number>>;
  /** Mounts that do not answer. */
  unresponsive?: readonly string[];
}

/** The effective level, with pending changes. */
interface MeasureState {
  level: HealthLevel;
  /** By level: since when it has been reached without being effective, or effective without being reached. */
  since: Partial<Record<Problem["level"], number>>;
  /** Percent, at the last evaluation. */
  value: number;
  /** Absent: measured. */
  missingSince?: number;
}

export interface HealthState {
  /** The last five minutes and the value before, oldest first: time and percent. */
  cpu: [at: number, percent: number][];
  /** `cpu`, `memory`, and each disk as `disk.PATH`. */
  standings: Record<string, MeasureState>;
  lastAt: number;
}

export const NEW_HEALTH: HealthState = { cpu: [], standings: {}, lastAt: 0 };

/** Short peaks of a processor are normal, so the mean counts. */
export const CPU_WINDOW_MS = 5 * 60_000;
/** Less is no mean of five minutes. */
const CPU_COVERED_MS = 4 * 60_000;
/** How long a level of memory or disks has to last. */
export const HOLD_MS = 60_000;
/**
 * Percentage points below its threshold at which a level ends, so that it does not change with every report.
 */
export const HYSTERESIS = 5;

/**
 * Reports that are not newer change nothing. After a silence of more than `maxGapMs` pending changes start
 * over.
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

/** The last five minutes and the value before, since a report covers the time from the one before. */
const inWindow = (cpu: HealthState["cpu"], now: number, maxGapMs: number): HealthState["cpu"] =>
  cpu.filter(([at], index) => {
    const next = cpu[index + 1]?.[0] ?? now;
    return at > now - CPU_WINDOW_MS || (next > now - CPU_WINDOW_MS && next - at <= maxGapMs);
  });

/**
 * States of unmeasured values stay: a processor without mean after a silence, a disk that does not answer.
 * Beyond the duration of a level they are dropped.
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

/** A level is effective after `holdMs` above its threshold, and ends after as long below it by the margin. */
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

export interface Problem {
  measure: Measure;
  /** Null: not a disk. */
  path: string | null;
  level: Exclude<HealthLevel, "healthy">;
  value: number;
}

/** Full disks are worse than full memory, and that is worse than a busy processor. */
const rank = (name: string): number => (name.startsWith("disk.") ? 0 : name === "memory" ? 1 : 2);

/** Most severe first; empty: healthy. */
export const problemsOf = ({ standings }: HealthState): Problem[] =>
  Object.entries(standings)
    .filter(([, { level }]) => level !== "healthy")
    // Not by percent alone: the order of two equally full disks would change with every report.
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

export const thresholdsOf = ({ cpu, memory, disk }: AgentConfig): Thresholds => ({
  cpu: { ...DEFAULT_THRESHOLDS.cpu, ...cpu },
  memory: { ...DEFAULT_THRESHOLDS.memory, ...memory },
  disk: { ...DEFAULT_THRESHOLDS.disk, ...disk },
});

/** The rest is counted. */
const MAX_NAMED = 5;

/**
 * Most severe first; null: healthy. The reason has the keys of all problems, so that a change of the named
 * ones, which follow percentages, is no change of health.
 */
export function reasonOf(problems: readonly Problem[], thresholds: Thresholds): MessageDescriptor | null {
  const all = problems.map((problem) => messageOf(problem, thresholds));
  const [first, ...others] = all;
  if (!first) return null;
  const more = all.length - MAX_NAMED;
  if (more <= 0) return others.length > 0 ? { ...first, also: others } : first;
  const counted = { code: "health.more", params: { problems: more, ...keysOfCauses(all) } };
  return { ...first, also: [...others.slice(0, MAX_NAMED - 1), counted] };
}

function messageOf({ measure, path, level, value }: Problem, thresholds: Thresholds): MessageDescriptor {
  const known = { percent: Math.round(value), limit: thresholds[measure][level], level };
  if (measure === "disk") return msg("health.disk", { ...known, path: path ?? "" });
  return measure === "cpu" ? msg("health.cpu", known) : msg("health.memory", known);
}

type Application = Pick<SnapshotItem<"applications">, "name" | "version">;

export const APPLICATION_CHANGES = ["installed", "removed", "updated"] as const;

export interface ApplicationChange {
  change: (typeof APPLICATION_CHANGES)[number];
  name: string;
  /** Null: it is gone. */
  version: string | null;
  /** Null: new. */
  formerVersion: string | null;
}

/** Of a name with several versions, each version counts. */
export function applicationChanges(
  before: readonly Application[],
  after: readonly Application[],
): ApplicationChange[] {
  const former = versionsByName(before);
  const present = versionsByName(after);
  const names = [...new Set([...former.keys(), ...present.keys()])].sort();
  return names.flatMap((name) => changesOf(name, former.get(name) ?? [], present.get(name) ?? []));
}

function changesOf(name: string, former: readonly string[], present: readonly string[]): ApplicationChange[] {
  const gone = former.filter((version) => !present.includes(version));
  const come = present.filter((version) => !former.includes(version));
  const [formerVersion, version] = [gone[0], come[0]];
  if (gone.length === 1 && come.length === 1 && formerVersion !== undefined && version !== undefined)
    return [{ change: "updated", name, version, formerVersion }];
  return [
    ...gone.map((one) => ({ change: "removed", name, version: null, formerVersion: one }) as const),
    ...come.map((one) => ({ change: "installed", name, version: one, formerVersion: null }) as const),
  ];
}

function versionsByName(applications: readonly Application[]): Map<string, string[]> {
  const versions = new Map<string, string[]>();
  for (const { name, version } of applications) {
    const known = versions.get(name);
    if (!known) versions.set(name, [version]);
    else if (!known.includes(version)) known.push(version);
  }
  return versions;
}
