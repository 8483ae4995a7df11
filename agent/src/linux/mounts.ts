import { statSync } from "node:fs";

/** Held on disks, or by another machine; everything else is the kernel's own, or memory. */
const REAL =
  /^(?:ext[234]|xfs|btrfs|zfs|bcachefs|f2fs|jfs|reiserfs|nilfs2|vfat|exfat|ntfs3?|fuseblk|fuse\.(?:sshfs|glusterfs|ceph(?:-fuse)?|mergerfs)|hfsplus|apfs|ufs|nfs4?|cifs|smb3|ceph|glusterfs|9p|virtiofs)$/;

/** Answers from memory, whatever its disk does. A pool of ZFS that has lost its disks does not. */
const LOCAL = /^(?:ext[234]|xfs|btrfs|f2fs|vfat|exfat|overlay)$/;

/** What lies below such a mount is not reached while that does not answer. */
const REMOTE = /^(?:nfs|cifs|smb|ceph|glusterfs|9p|virtiofs|fuse|afs|autofs|lustre|gpfs|beegfs)/;

interface Mount {
  path: string;
  /** What it is of: the same for all mounts of one file system, or of one pool of ZFS. */
  device: string;
  /** What of the file system is mounted there: `/`, or a folder or file of it. */
  subtree: string;
  type: string;
  /** The block device, the export, or the dataset of ZFS. */
  source: string;
}

/** A file system, or a pool of ZFS. */
export interface Disk {
  /** By which it is known: where its root is mounted. */
  path: string;
  device: string;
  /** Where to ask: one of these for a file system, all of them, a dataset each, for a pool. */
  places: string[];
  isPool: boolean;
  /** May be asked without a process of its own. */
  isLocal: boolean;
}

/**
 * The real file systems that a mountinfo (proc(5)) names, once each and by the shortest path. `named`: what they were called before, by device:
 * as long as that is mounted, and nothing is there that is more of a root, they keep their names.
 */
export function disksIn(mountinfo: string, named: ReadonlyMap<string, string>): Disk[] {
  const mounts = mountsIn(mountinfo);
  const remote = mounts.filter(({ type }) => REMOTE.test(type)).map(({ path }) => path);
  const byDevice = new Map<string, Mount[]>();
  for (const mount of mounts.filter(isMeasured))
    byDevice.set(mount.device, [...(byDevice.get(mount.device) ?? []), mount]);
  return [...byDevice.values()].flatMap((own) => {
    own.sort((one, other) => compare(one, other, named.get(one.device)));
    const [first] = own;
    if (!first) return [];
    const { path, device, type } = first;
    const isPool = type === "zfs";
    const isLocal = LOCAL.test(type) && !remote.some((one) => isBelow(path, one));
    const places = isPool ? datasets(own) : own.map((one) => one.path);
    return [{ path, device, places, isPool, isLocal }];
  });
}

/** A file that is mounted by itself, as containers have `/etc/hosts`, is no place of a disk, and a snapshot none of a pool. */
const isMeasured = ({ type, path, subtree, source }: Mount): boolean =>
  (REAL.test(type) || (type === "overlay" && path === "/")) &&
  !(type === "zfs" && source.includes("@")) &&
  !(LOCAL.test(type) && subtree !== "/" && path !== "/" && isFile(path));

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** One place for each dataset: a bind mount of one is that again. */
function datasets(mounts: readonly Mount[]): string[] {
  const places = new Map<string, string>();
  for (const { source, path } of mounts) if (!places.has(source)) places.set(source, path);
  return [...places.values()];
}

/** The root of the machine, then that of the file system (of a pool: its dataset nearest to the top), then what had the name already. */
const compare = (one: Mount, other: Mount, name: string | undefined): number =>
  rank(one) - rank(other) ||
  Number(other.path === name) - Number(one.path === name) ||
  one.path.length - other.path.length ||
  (one.path < other.path ? -1 : 1);

function rank({ path, subtree, type, source }: Mount): number {
  if (path === "/") return 0;
  if (subtree !== "/") return 1_000;
  return type === "zfs" ? source.split("/").length : 1;
}

const isBelow = (path: string, mount: string): boolean => path.startsWith(mount === "/" ? "/" : `${mount}/`);

/** Lines such as `36 35 98:0 /subtree /path rw,noatime shared:1 - ext4 /dev/root rw`. The last one over a path hides the others. */
function mountsIn(text: string): Mount[] {
  const byPath = new Map<string, Mount>();
  for (const line of text.split("\n")) {
    const [place = "", held = ""] = line.split(" - ");
    const [, , number = "", subtree = "", mountedAt] = place.split(" ");
    const [type = "", from = ""] = held.split(" ");
    if (mountedAt === undefined) continue;
    const [path, source] = [plain(mountedAt), plain(from)];
    const device = type === "zfs" ? `zfs ${source.split(/[/@]/)[0] ?? ""}` : number;
    byPath.set(path, { path, device, subtree, type, source });
  }
  return [...byPath.values()];
}

/** Spaces and the like are written in octal. */
const plain = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
