import { execFile } from "node:child_process";

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** What a program prints; null where it is not installed, fails, or takes longer than a minute. */
export function outputOf(program: string, args: readonly string[]): Promise<string | null> {
  const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, windowsHide: true };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => resolve(error ? null : stdout));
  });
}

/**
 * What the agent finds out when it is started with that word: what takes much memory is done in a process that ends, since one
 * that goes on would hold it for good. Throws where it fails.
 */
export async function inOwnProcess<Found>(word: "applications" | "machine"): Promise<Found> {
  const text = await outputOf(process.execPath, [process.argv[1] ?? "", word]);
  if (text === null) throw new Error(`The agent could not find out "${word}"`);
  return JSON.parse(text) as Found;
}
