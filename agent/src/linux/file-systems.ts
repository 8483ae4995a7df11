import { type StatsFs, statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Metrics } from "../report.ts";
import { readText } from "./read-file.ts";

/** Held on disks, or by another machine; everything else is the kernel's own, or memory. */
const REAL =
  /^(?:ext[234]|xfs|btrfs|zfs|bcachefs|f2fs|jfs|reiserfs|nilfs2|vfat|exfat|ntfs3?|fuseblk|hfsplus|apfs|ufs|nfs4?|cifs|smb3|ceph|glusterfs|9p|virtiofs)$/;

/** Answers from memory, whatever its disk does: asked without a thread of its own, which costs a hundred times as much. */
const LOCAL = /^(?:ext[234]|xfs|btrfs|zfs|f2fs|vfat|exfat|overlay)$/;

interface Mount {
  path: string;
  device: string;
  isLocal: boolean;
}

interface Space {
  path: string;
  total: number;
  /** Of what may be used by anybody; what is kept for root counts as used, as `df` has it. */
  usage: number;
  used: number;
  /** In percent; null where the file system does not count them. */
  inodeUsage: number | null;
}

/** How long a file system may take; one of another machine that is away never answers. */
const PATIENCE_MS = 2_000;

/** The mounted real file systems and how full they are. */
export class FileSystems {
  readonly #proc: string;
  /** Paths whose answer is still awaited: each would hold one thread more. */
  readonly #silent = new Set<string>();

  constructor(proc: string) {
    this.#proc = proc;
  }

  async read(): Promise<Space[]> {
    const mounts = mountsIn(readText(`${this.#proc}/self/mountinfo`) ?? "");
    const spaces = await Promise.all(mounts.map((mount) => this.#measure(mount)));
    return spaces.filter((space) => space !== null);
  }

  async #measure({ path, isLocal }: Mount): Promise<Space | null> {
    if (isLocal) return spaceAt(path);
    if (this.#silent.has(path)) return null;
    this.#silent.add(path);
    const asked = statfs(path)
      .then((found) => spaceOf(path, found))
      .catch(() => null)
      .finally(() => this.#silent.delete(path));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, null);
    });
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }
}

function spaceAt(path: string): Space | null {
  try {
    return spaceOf(path, statfsSync(path));
  } catch {
    return null;
  }
}

function spaceOf(path: string, { bsize, blocks, bfree, bavail, files, ffree }: StatsFs): Space | null {
  if (blocks === 0) return null;
  const used = (blocks - bfree) * bsize;
  const usage = (100 * used) / (used + bavail * bsize || 1);
  const inodeUsage = files > 0 ? (100 * (files - ffree)) / files : null;
  return { path, total: blocks * bsize, used, usage, inodeUsage };
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

/**
 * Lines of mountinfo (proc(5)): `36 35 98:0 /subtree /path rw,noatime shared:1 - ext4 /dev/root rw`. What is mounted in several
 * places is one file system, at the path that is shortest; the last one over a path hides the others.
 */
function mountsIn(text: string): Mount[] {
  const byPath = new Map<string, Mount & { isReal: boolean; subtree: string }>();
  for (const line of text.split("\n")) {
    const [place = "", source = ""] = line.split(" - ");
    const [, , device = "", subtree = "", path] = place.split(" ");
    const [type = "", from = ""] = source.split(" ");
    if (path === undefined) continue;
    const isReal = REAL.test(type) || (type === "overlay" && path === "/");
    const known = { isReal, subtree, isLocal: LOCAL.test(type) };
    byPath.set(plain(path), { path: plain(path), device: type === "zfs" ? from : device, ...known });
  }
  const byDevice = new Map<string, Mount>();
  for (const mount of [...byPath.values()].sort((a, b) => a.path.length - b.path.length)) {
    if (mount.isReal && !byDevice.has(mount.device)) byDevice.set(mount.device, mount);
  }
  return [...byDevice.values()];
}

/** Spaces and the like are written in octal. */
const plain = (path: string) =>
  path.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
