import type { Metrics } from "../report.ts";
import type { Dataset } from "./mounts.ts";

/** What statfs(2) says of the file system at a path. Blocks are of `blockBytes`. */
export interface StatFs {
  blockBytes: number;
  blocks: number;
  free: number;
  /** Of what is free, what anybody may use. */
  available: number;
  files: number;
  freeFiles: number;
}

/** How full something is. Sizes in bytes. */
export interface Space {
  path: string;
  total: number;
  used: number;
  /** In percent of what may be used by anybody; what is reserved for root counts as used, as `df` has it. */
  usage: number;
  /** In percent; null where the file system does not count them. */
  inodeUsage: number | null;
  /** A limit within another one's space, such as the quota of a dataset in its pool. */
  isPart: boolean;
}

const percent = (used: number, total: number): number => (100 * used) / (total || 1);

/** Of one file system; none where it has no blocks, as those of the kernel itself. */
export function spaceOf(path: string, { blockBytes, ...stat }: StatFs): Space[] {
  const { blocks, free, available, files, freeFiles } = stat;
  if (blocks <= 0) return [];
  const used = (blocks - free) * blockBytes;
  return [
    {
      ...{ path, used, total: blocks * blockBytes, isPart: false },
      usage: percent(used, used + available * blockBytes),
      inodeUsage: files === 0 ? null : percent(files - freeFiles, files),
    },
  ];
}

/** What `zfs list` says of a dataset. Bytes; a limit of 0 is none. */
export interface DatasetUse {
  name: string;
  /** With its snapshots and all below it. */
  used: number;
  available: number;
  /** By its files alone. */
  referenced: number;
  /** Of `used`. */
  quota: number;
  /** Of `referenced`. */
  refquota: number;
}

/** The pool, and each dataset that has a limit of its own; none where the pool's own dataset is not among them. */
export function spacesOfPool(
  uses: readonly DatasetUse[],
  { path, datasets }: { path: string; datasets: readonly Dataset[] },
): Space[] {
  const pool = uses.find(({ name }) => !name.includes("/"));
  if (!pool) return [];
  const { used, available } = pool;
  const inodeUsage = null;
  const whole = { ...{ path, used, total: used + available, inodeUsage, isPart: false } };
  const parts = uses.flatMap((use): Space[] => {
    const [limit] = limitsOf(use).sort((one, other) => other.usage - one.usage);
    const place = datasets.find(({ name }) => name === use.name || name.startsWith(`${use.name}/`));
    return limit && place ? [{ path: place.path, ...limit, inodeUsage, isPart: true }] : [];
  });
  return fullestByPath([{ ...whole, usage: percent(used, whole.total) }, ...parts]);
}

const limitsOf = ({ used, referenced, quota, refquota }: DatasetUse) =>
  [
    { used, total: quota },
    { used: referenced, total: refquota },
  ]
    .filter(({ total }) => total > 0)
    .map((limit) => ({ ...limit, usage: percent(limit.used, limit.total) }));

/** A quota of a dataset that is not mounted counts where one below it is, which may have its own. */
function fullestByPath(spaces: readonly Space[]): Space[] {
  const byPath = new Map<string, Space>();
  for (const space of spaces) {
    const known = byPath.get(space.path);
    if (!known || space.usage > known.usage)
      byPath.set(space.path, { ...space, isPart: known?.isPart ?? space.isPart });
  }
  return [...byPath.values()];
}

/** Datasets whose free space differs by less share it: they are not measured at the very same moment. */
const SAME_SHARE = 0.01;

/**
 * The same by what statfs(2) says of each dataset, where `zfs` cannot be used: those that most have the same free space share the pool,
 * and the others have a limit. Of clones it cannot say what they share.
 */
export function spacesOfDatasets(found: readonly { path: string; stat: StatFs }[]): Space[] {
  const all = found
    .flatMap(({ path, stat }) => spaceOf(path, stat))
    .map((space) => ({ ...space, inodeUsage: null, available: space.total - space.used }));
  const sharing = all
    .map(({ available }) =>
      all.filter((one) => one.available <= available && one.available >= available * (1 - SAME_SHARE)),
    )
    .sort((one, other) => other.length - one.length || (other[0]?.available ?? 0) - (one[0]?.available ?? 0));
  const [shared = []] = sharing;
  const [first] = shared;
  if (!first) return [];
  const used = shared.reduce((sum, space) => sum + space.used, 0);
  const total = used + first.available;
  return [
    { ...first, used, total, usage: percent(used, total) },
    ...all.filter((space) => !shared.includes(space)).map((space) => ({ ...space, isPart: true })),
  ].map(({ available: _, ...space }) => space);
}

export function spaceMetrics(spaces: readonly Space[]): Metrics {
  const metrics: Metrics = {};
  for (const { path, total, used, usage, inodeUsage } of spaces) {
    metrics[`disk.${path}.usage`] = usage;
    metrics[`disk.${path}.used`] = used;
    metrics[`disk.${path}.total`] = total;
    if (inodeUsage !== null) metrics[`disk.${path}.inodes`] = inodeUsage;
  }
  return metrics;
}
