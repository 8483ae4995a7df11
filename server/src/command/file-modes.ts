import { chmodSync, existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** What Vedette writes into its data folder; anything else there is somebody else's. */
const OWN = /^(vedette\.db|secret\.key|instance\.lock|probe-queue)/;
const OTHERS = 0o077;

export interface CorrectedModes {
  /** Files and folders that others on this machine could read, and can no more. */
  corrected: string[];
  /** Those that belong to another user, so that only that one may change them. */
  refused: string[];
}

/**
 * Takes the rights of group and others off everything of Vedette's in the data folder: an earlier version left
 * what the umask said. Does nothing on Windows, which knows no such rights.
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

/** Of a folder that this user may not read whoever needs it tells. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
