import { chmodSync, existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** What Vedette writes into its data folder; anything else there belongs to somebody else. */
const OWN = /^(vedette\.db|secret\.key|instance\.lock|probe-queue)/;
const OTHERS = 0o077;

export interface CorrectedModes {
  /** Files and folders that others on this machine could read, and no longer can. */
  corrected: string[];
  /** Those that belong to another user, who alone may change them. */
  refused: string[];
}

/**
 * Removes the permissions of group and others from everything of Vedette's in the data folder: earlier versions left
 * them to the umask. Does nothing on Windows, which has no such permissions.
 */
export function closeToOthers(dataFolder: string): CorrectedModes {
  const modes: CorrectedModes = { corrected: [], refused: [] };
  if (process.platform === "win32" || !existsSync(dataFolder)) return modes;
  for (const name of readdirSync(dataFolder)) {
    if (OWN.test(name)) closeOne(join(dataFolder, name), modes);
  }
  return modes;
}

function closeOne(path: string, modes: CorrectedModes): void {
  const found = statOf(path);
  if (!found) return;
  if ((found.mode & OTHERS) !== 0) {
    try {
      chmodSync(path, found.mode & ~OTHERS & 0o7777);
      modes.corrected.push(path);
    } catch {
      modes.refused.push(path);
    }
  }
  if (found.isDirectory()) for (const name of namesIn(path)) closeOne(join(path, name), modes);
}

/** Null: another process has just removed it, or this user may not look into its folder. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** A folder that this user may not read is reported by whatever needs it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
