import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Sees that this user may use what an earlier process left in the queue's folder: workers that cannot would
 * die again and again while the server says that it is well. Throws an Error whose message is for the operator.
 */
export function refuseUnusableQueue(folder: string): void {
  if (!existsSync(folder)) return;
  refuse(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const own = join(folder, entry.name);
    refuse(own, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of readdirSync(own)) refuse(join(own, name), constants.R_OK | constants.W_OK);
  }
}

function refuse(path: string, wanted: number): void {
  try {
    accessSync(path, wanted);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    const message = `The queue of results ${path} cannot be used (${code}). Give this user the right to read and write it; it may hold results that are not stored yet.`;
    throw new Error(message, { cause: error });
  }
}
