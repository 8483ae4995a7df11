/** Held on disks, or by another machine; everything else is the kernel's own, or memory. */
const REAL =
  /^(?:ext[234]|xfs|btrfs|zfs|bcachefs|f2fs|jfs|reiserfs|nilfs2|vfat|exfat|ntfs3?|fuseblk|fuse\.(?:sshfs|glusterfs|ceph(?:-fuse)?|mergerfs)|hfsplus|apfs|ufs|nfs4?|cifs|smb3|ceph|glusterfs|9p|virtiofs)$/;

/** Answers from memory, whatever its disk does. A pool of ZFS that has lost its disks does not. */
const IN_MEMORY = /^(?:ext[234]|xfs|btrfs|f2fs|overlay)$/;

/** Answers from memory once it has counted what is free, which it does on its disk. */
const COUNTED_FIRST = /^(?:vfat|exfat)$/;

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
  /** Neither its file system nor what it lies below can keep a query waiting. */
  isSafe: boolean;
}

/** A dataset of ZFS, and where it is mounted. */
export interface Dataset {
  name: string;
  path: string;
}

/** A file system, or a pool of ZFS. */
export interface Disk {
  device: string;
  /** Where it is mounted, the place by which it is known first. Some may be files, as containers have `/etc/hosts`. */
  places: [string, ...string[]];
  /** Of a pool: what of it is mounted. */
  datasets: Dataset[] | null;
  /** May be queried by this process: at none of its places can a query hang. */
  isSafe: boolean;
}

/**
 * The real file systems that a mountinfo (proc(5)) names, once each. `named`: by device, the places of those that have answered: while the
 * first is mounted, and nothing is there that is more of a root, they keep that name. Queries no file system.
 */
export function disksIn(mountinfo: string, named: ReadonlyMap<string, readonly string[]>): Disk[] {
  const mounts = mountsIn(mountinfo);
  const remote = mounts.filter(({ type }) => REMOTE.test(type)).map(({ path }) => path);
  const isSafe = ({ type, path, device }: Mount) =>
    (IN_MEMORY.test(type) || (COUNTED_FIRST.test(type) && named.has(device))) &&
    !remote.some((one) => isBelow(path, one));
  const measured = mounts.filter(isMeasured).map((mount) => ({ ...mount, isSafe: isSafe(mount) }));
  const byDevice = new Map<string, Mount[]>();
  for (const mount of measured) byDevice.set(mount.device, [...(byDevice.get(mount.device) ?? []), mount]);
  return [...byDevice.values()].flatMap((own) => {
    own.sort((one, other) => compare(one, other, named.get(one.device)?.[0]));
    const [first] = own;
    if (!first) return [];
    const reached = own.filter((mount) => mount.isSafe === first.isSafe).map(({ path }) => path);
    const datasets = first.type === "zfs" ? datasetsOf(own) : null;
    return [
      { device: first.device, places: [first.path, ...reached.slice(1)], datasets, isSafe: first.isSafe },
    ];
  });
}

/** A container's root is an overlay; others belong to containers on this machine. A snapshot is no place of a pool. */
const isMeasured = ({ type, path, source }: Mount): boolean =>
  (REAL.test(type) || (type === "overlay" && path === "/")) && !(type === "zfs" && source.includes("@"));

/** A bind mount of a dataset is that again. */
function datasetsOf(mounts: readonly Mount[]): Dataset[] {
  const paths = new Map<string, string>();
  for (const { source, path } of mounts) if (!paths.has(source)) paths.set(source, path);
  return Array.from(paths, ([name, path]) => ({ name, path }));
}

/** Where no query can hang; the root of the machine, that of the file system (of a pool: its topmost dataset), what has the name. */
const compare = (one: Mount, other: Mount, name: string | undefined): number =>
  Number(other.isSafe) - Number(one.isSafe) ||
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
    const [path, source] = [unescaped(mountedAt), unescaped(from)];
    const device = type === "zfs" ? `zfs ${source.split(/[/@]/)[0] ?? ""}` : number;
    byPath.set(path, { path, device, subtree, type, source, isSafe: false });
  }
  return [...byPath.values()];
}

/** Spaces and the like are written in octal. */
const unescaped = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
