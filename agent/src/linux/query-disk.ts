import { execFile } from "node:child_process";
import { statfsSync } from "node:fs";
import type { Dataset, Disk } from "./mounts.ts";
import {
  type DatasetUse,
  type Space,
  type StatFs,
  spaceOf,
  spacesOfDatasets,
  spacesOfPool,
} from "./space.ts";

/** How full a disk is; none: it is not this user's to see. Null: it did not answer. */
export type DiskAnswer = Space[] | null;

/** A query under way. */
export interface DiskQuery {
  answer: Promise<DiskAnswer>;
  /** Gives up on it: the answer then comes as soon as its program has ended, if that can be ended. */
  abandon(): void;
}

/** The system's own programs first: looking through a folder of another machine for them may wait as well. */
const PATH = "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin:/usr/local/bin:/usr/local/sbin";

interface Starting {
  signal: AbortSignal;
  path: string;
}

/** With a slash at its end it is no file: `/etc/hosts` of a container is no place of a disk. */
const asFolder = (path: string): string => (path.endsWith("/") ? path : `${path}/`);

const REFUSED = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR"]);

/** Of a disk that is safe: here and now, which costs a hundredth of starting a program. */
export function querySafely({ places }: Disk): DiskAnswer {
  let failed = false;
  for (const path of places) {
    try {
      const { bsize, blocks, bfree, bavail, files, ffree } = statfsSync(asFolder(path));
      const stat = { blockBytes: bsize, blocks, free: bfree, available: bavail, files, freeFiles: ffree };
      return spaceOf(path, stat);
    } catch (error) {
      failed ||= !REFUSED.has((error as NodeJS.ErrnoException).code ?? "");
    }
  }
  return failed ? null : [];
}

/**
 * Of any other, by programs that are ended when they are abandoned: a call of this process's own would keep one of the four threads by which
 * names are looked up, for as long as the file system does not answer. `path`: where the programs are.
 */
export function queryByProgram({ places, datasets }: Disk, path = PATH): DiskQuery {
  const stop = new AbortController();
  const start: Starting = { signal: stop.signal, path };
  const answer = datasets ? queryPool(places[0], datasets, start) : queryPlaces(places, start);
  return { answer, abandon: () => stop.abort() };
}

async function queryPlaces(places: readonly string[], start: Starting): Promise<DiskAnswer> {
  const found = await statPlaces(places, start);
  const [first] = Array.isArray(found) ? found : [];
  return first ? spaceOf(first.path, first.stat) : found === "refused" ? [] : null;
}

async function queryPool(path: string, datasets: readonly Dataset[], start: Starting): Promise<DiskAnswer> {
  const spaces = spacesOfPool(await listDatasets(datasets, start), { path, datasets });
  if (spaces.length > 0) return spaces;
  const found = await statPlaces(
    datasets.map((dataset) => dataset.path),
    start,
  );
  return Array.isArray(found) ? spacesOfDatasets(found) : found === "refused" ? [] : null;
}

const ZFS_COLUMNS = "name,used,available,referenced,quota,refquota";

/** With what they are in: a quota may be that of a dataset which is not mounted. */
async function listDatasets(datasets: readonly Dataset[], start: Starting): Promise<DatasetUse[]> {
  const names = datasets.flatMap(({ name }) => {
    const parts = name.split("/");
    return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  });
  const { text } = await run("zfs", ["list", "-Hpo", ZFS_COLUMNS, ...new Set(names)], start);
  return text.split("\n").flatMap((line) => {
    const [name = "", ...sizes] = line.split("\t");
    const [used = 0, available = 0, referenced = 0, quota = 0, refquota = 0] = sizes.map(
      (size) => Number(size) || 0,
    );
    return name === "" ? [] : [{ name, used, available, referenced, quota, refquota }];
  });
}

const STAT_FORMAT = "%S %b %f %a %c %d %n";
const STAT_LINE = /^(\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (.*)$/;
/** As the C library words it; whatever else fails, the disk did not answer. */
const REFUSAL = /: (?:Permission denied|Operation not permitted|No such file or directory|Not a directory)$/;

/** By `stat` of coreutils or BusyBox: of those places that answered, in the order given. Where there is no `stat`, nothing is to be seen. */
async function statPlaces(
  places: readonly string[],
  start: Starting,
): Promise<{ path: string; stat: StatFs }[] | "refused" | null> {
  const args = ["-f", "-c", STAT_FORMAT, "--", ...places.map(asFolder)];
  const { text, errors, isMissing } = await run("stat", args, start);
  const stats = new Map(text.split("\n").flatMap(statOf));
  const found = places.flatMap((path) => {
    const stat = stats.get(asFolder(path));
    return stat ? [{ path, stat }] : [];
  });
  if (found.length > 0) return found;
  const said = errors.split("\n").filter((line) => line !== "");
  return isMissing || (said.length > 0 && said.every((line) => REFUSAL.test(line))) ? "refused" : null;
}

function statOf(line: string): [path: string, stat: StatFs][] {
  const [, ...fields] = STAT_LINE.exec(line) ?? [];
  const path = fields.pop();
  if (path === undefined) return [];
  const [blockBytes = 0, blocks = 0, free = 0, available = 0, files = 0, freeFiles = 0] = fields.map(Number);
  return [[path, { blockBytes, blocks, free, available, files, freeFiles }]];
}

interface Said {
  text: string;
  errors: string;
  isMissing: boolean;
}

/** Resolves when the program has ended: what it could say of some is known although it failed on others. */
function run(program: string, args: readonly string[], { signal, path }: Starting): Promise<Said> {
  if (signal.aborted) return Promise.resolve({ text: "", errors: "", isMissing: false });
  const env = { LC_ALL: "C", PATH: path };
  const options = { signal, killSignal: "SIGKILL", env, maxBuffer: 16 * 1024 * 1024 } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, text, errors) => {
      const said = { text, errors, isMissing: error?.code === "ENOENT" };
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) resolve(said);
      else child.once("exit", () => resolve(said));
    });
  });
}
