import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/process.ts";

/** A data folder on a disk that can be filled and emptied. */
export interface SmallDisk {
  folder: string;
  /** From now on nothing more can be written. */
  fill(pid: number): void;
  empty(pid: number): void;
}

const SIZE = "24m";
/** What a file may grow to while the disk counts as full: every file that matters is larger. */
const LIMIT_BYTES = 4_096;

const works = (command: string, args: string[]) => spawnSync(command, args).status === 0;

/** A file system of 24 MB in memory; a string says why there is none. */
export function mountSmallDisk(): SmallDisk | string {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux for a mount";
  const { folder: mount, remove } = temporaryFolder();
  if (!works("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", mount])) {
    remove();
    return "this machine mounts no tmpfs";
  }
  onTestFinished(() => {
    works("umount", ["--lazy", mount]);
    remove();
  });
  const folder = join(mount, "data");
  mkdirSync(folder);
  const filler = join(mount, "filler");
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(mount);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // The server took some of it meanwhile: the disk is full all the same.
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
    empty: () => rmSync(filler),
  };
}

/** An ordinary folder and a limit on the size of files that is put on the server while it runs. */
export function limitedDisk(): SmallDisk | string {
  if (!works("prlimit", ["--version"])) return "needs prlimit of util-linux";
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const limit = (pid: number, soft: string) => {
    if (!works("prlimit", ["--pid", String(pid), `--fsize=${soft}:unlimited`]))
      throw new Error("prlimit failed");
  };
  return {
    folder,
    fill: (pid) => limit(pid, String(LIMIT_BYTES)),
    empty: (pid) => limit(pid, "unlimited"),
  };
}
