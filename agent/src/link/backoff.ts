const FIRST_MS = 1_000;
const MAX_MS = 5 * 60_000;

/**
 * How long to wait before the next try, after so many failures in a row: twice as long each time up to five minutes, and a random
 * part of it, so that all agents of a server that comes back do not come at once. `random`: from 0 to 1.
 */
export function waitAfter(failures: number, random: number, requestedMs: number | null = null): number {
  const most = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(requestedMs === null ? 0 : Math.min(requestedMs, MAX_MS), most * (0.5 + random / 2));
}
