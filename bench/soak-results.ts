import { LATE_MS, PROBE_FAULT, type SoakRun, secondOf } from "./soak-run.ts";
import { isBad, isWaitedFor, type Mode } from "./soak-script.ts";
import type { StoredRow } from "./soak-stored.ts";
import type { ServedRequest } from "./soak-targets.ts";

const AT_RISK_MS = 500;
const FAILED = 1;

/** Every request that the targets answered against every result; `results`: those of each site, oldest first. */
export function judgeResults(run: SoakRun, results: StoredRow[][]) {
  const counts = { requests: 0, results: 0, lost: 0, lostAtKills: 0, lostAtKillsMs: 0, madeTwice: 0 };
  const found = { ...counts, unasked: 0, wrongStatus: 0, probeFaults: 0, examples: [] as string[] };
  const bySite = Map.groupBy(run.served, ([site]) => site);
  for (const [site, stored] of results.entries()) {
    found.results += stored.length;
    // The end of the soak cuts the last checks off.
    const requests = (bySite.get(site) ?? []).filter(([, at]) => at <= run.endedAt - run.timeoutMs - LATE_MS);
    found.requests += requests.length;
    const taken = new Set<StoredRow>();
    // Checks that a kill may have cut off take what is left: the same run may have been made again.
    const [safe, atRisk] = partition(requests, (request) => !isNearKill(run, request));
    const without = [...safe, ...atRisk].filter(([, at, mode]) => {
      // The newest one: a restart may have made another run a moment before it.
      const row = stored.findLast((each) => !taken.has(each) && isDueFor(each, at));
      if (!row) return true;
      taken.add(row);
      if (row.outcome === PROBE_FAULT) found.probeFaults += 1;
      else if ((row.outcome === FAILED) !== isBad(mode)) found.wrongStatus += 1;
      return false;
    });
    for (const request of without) judgeMissing(run, request, stored, found);
    const lateAt = run.endedAt - run.timeoutMs - 2 * LATE_MS;
    found.unasked += stored.filter((row) => row.at < lateAt && !taken.has(row)).length;
  }
  return found;
}

const isDueFor = (row: StoredRow, at: number) => row.at >= at - LATE_MS && row.at <= at + 2;

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

const isNearKill = (run: SoakRun, [, at, mode]: ServedRequest) =>
  run.kills.some(({ from }) => at > from - riskMs(run, mode) && at <= from + AT_RISK_MS);

/** The kill of the process that sent this request, when it came before the result had to be on disk. */
const killOf = (run: SoakRun, [, at, mode]: ServedRequest) =>
  run.kills.find(({ from, nextAt }) => at > from - riskMs(run, mode) && at <= nextAt);

interface Missing {
  lost: number;
  lostAtKills: number;
  lostAtKillsMs: number;
  madeTwice: number;
  examples: string[];
}

function judgeMissing(
  run: SoakRun,
  request: ServedRequest,
  stored: readonly StoredRow[],
  found: Missing,
): void {
  const [, at, mode] = request;
  const kill = killOf(run, request);
  const restart = run.kills.find(({ from, to }) => at > from && at <= to + LATE_MS);
  if (kill && (isWaitedFor(mode) || mode === "slow")) return;
  if (kill) {
    found.lostAtKills += 1;
    found.lostAtKillsMs = Math.max(found.lostAtKillsMs, kill.from - at);
  } else if (restart && stored.some((row) => isDueFor(row, at) && row.at <= restart.from))
    found.madeTwice += 1;
  else {
    found.lost += 1;
    found.examples.push(describeLoss(run, request, stored));
  }
}

function describeLoss(run: SoakRun, [site, at, mode]: ServedRequest, stored: readonly StoredRow[]): string {
  const near = stored.filter((row) => Math.abs(row.at - at) < 2 * run.intervalMs);
  const kills = run.kills.filter(({ from, to }) => at > from - run.intervalMs && at < to + run.intervalMs);
  return [
    `site ${site} answered at ${secondOf(run, at)} (${mode}) and no result`,
    `results ${near.map((row) => secondOf(run, row.at)).join(", ") || "none"}`,
    `kills ${kills.map(({ from, to }) => `${secondOf(run, from)}-${secondOf(run, to)}`).join(", ") || "none"}`,
  ].join("; ");
}

const riskMs = (run: SoakRun, mode: Mode) => AT_RISK_MS + (isWaitedFor(mode) ? run.timeoutMs : 0);
