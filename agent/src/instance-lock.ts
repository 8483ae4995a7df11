import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readText } from "./linux/read-file.ts";

/** The folder is in use by another agent. */
export class FolderInUse extends Error {}

/**
 * Keeps a second agent from the folder: both would send each other's reports. Answers what ends that. A lock of a process that
 * has ended is taken over. Throws `FolderInUse`.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "agent.lock");
  const own = `${process.pid} ${startOf(process.pid)}`;
  for (let isSecond = false; ; isSecond = true) {
    try {
      writeFileSync(file, own, { flag: "wx", mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readFileSync(file, "utf8");
    if (isSecond || isAlive(holder)) {
      throw new FolderInUse(`Another agent (process ${holder.split(" ")[0]}) uses the folder ${folder}.`);
    }
    rmSync(file, { force: true });
  }
}

function isAlive(holder: string): boolean {
  const [pid = "", start = ""] = holder.split(" ");
  // A full disk or a power cut leaves an empty file; 0 would be this process's own group.
  if (!(Number(pid) > 0)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // Another user's process is one, too.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return start === startOf(Number(pid));
}

/** Distinguishes a process from an earlier one of that number; the same for all where there is no /proc. */
const startOf = (pid: number): string =>
  (readText(`/proc/${pid}/stat`) ?? "").replace(/^.*\) /s, "").split(" ")[19] ?? "";
