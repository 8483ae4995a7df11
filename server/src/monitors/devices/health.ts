import { type AgentConfig, DEFAULT_THRESHOLDS, type Thresholds } from "../../checks/agent.ts";
import { keysOfCauses } from "../../engine/status/health-causes.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { Problem } from "./rules.ts";
import type { SnapshotItem } from "./snapshots.ts";

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
