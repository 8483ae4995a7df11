import type { SnapshotItem } from "./snapshots.ts";

type Application = Pick<SnapshotItem<"applications">, "name" | "version">;

export const APPLICATION_CHANGES = ["installed", "removed", "updated"] as const;

/** That an application came, went, or has another version. */
export interface ApplicationChange {
  change: (typeof APPLICATION_CHANGES)[number];
  name: string;
  /** Null: it is gone. */
  version: string | null;
  /** Null: it is new. */
  formerVersion: string | null;
}

/** What changed from one list to a later one. Where a name stands there several times, each version counts for itself. */
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
