import { isBad, type Phase } from "./soak-script.ts";
import type { Stored, StoredRow, TransitionRow } from "./soak-stored.ts";
import type { ServedRequest } from "./soak-targets.ts";

/**
 * What the soak's judgement knows beside the database (soak-stored.ts): the script and the targets' log. Nothing
 * of the program's code takes part. Times are milliseconds since 1970 unless said otherwise.
 */
export interface SoakRun {
  /** Monitor id of each site. */
  ids: number[];
  script: Phase[][];
  served: ServedRequest[];
  beganAt: number;
  endedAt: number;
  intervalMs: number;
  timeoutMs: number;
  /** When the server was gone: from the kill until it was ready again. */
  kills: { from: number; to: number }[];
}

export interface Verdict {
  requests: number;
  results: number;
  /** Requests that were answered and have no result, though no kill came within half a second. */
  lost: number;
  /** The same within half a second before a kill, of targets that answer at once: what the program may lose. */
  lostAtKills: number;
  /** How long before its kill the earliest of those was answered. */
  lostAtKillsMs: number;
  /** Runs of the schedule that were made again after a kill though their result was waiting on disk; it counts once. */
  madeTwice: number;
  /** Results that no request stands for. */
  unasked: number;
  /** Checks that the roll-ups count and no result stands for, or the other way round. */
  doubled: number;
  wrongStatus: number;
  probeFaults: number;
  outages: number;
  missedOutages: number;
  missedRecoveries: number;
  falseAlarms: number;
  repeatedTransitions: number;
  /** The first false alarms, for whoever looks for their cause. Seconds of the soak. */
  examples: string[];
  detectionMs: number[];
}

const AT_RISK_MS = 500;
/** A check may begin this late on a busy machine and still be told from the next one. */
const LATE_MS = 5_000;
/** What the decision itself may take beside checks and intervals. */
const DECISION_MS = 3_000;
const EXAMPLES = 5;
const FAILED = 1;
const PROBE_FAULT = 3;

/** From when on results are judged: the first request, whose check may have been due a little before. */
export const judgedFromMs = ({ served, endedAt }: SoakRun): number =>
  served.reduce((least, [, at]) => Math.min(least, at), endedAt) - LATE_MS;

/** Compares everything that is stored with what happened. */
export function judge(run: SoakRun, stored: Stored): Verdict {
  const results = run.ids.map((id) => stored.results.get(id) ?? []);
  return {
    ...judgeResults(run, results),
    doubled: countDoubled(run, results, stored.rolledUp),
    ...judgeStatus(run, stored.transitions),
  };
}

function judgeResults(run: SoakRun, results: StoredRow[][]) {
  const counts = { requests: 0, results: 0, lost: 0, lostAtKills: 0, lostAtKillsMs: 0, madeTwice: 0 };
  const found = { ...counts, unasked: 0, wrongStatus: 0, probeFaults: 0 };
  const bySite = Map.groupBy(run.served, ([site]) => site);
  for (const [site, stored] of results.entries()) {
    found.results += stored.length;
    // The end of the soak cuts the last checks off.
    const requests = (bySite.get(site) ?? []).filter(([, at]) => at <= run.endedAt - run.timeoutMs - LATE_MS);
    found.requests += requests.length;
    const taken = new Set<StoredRow>();
    // Checks that a kill may have cut off take what is left: the same run may have been made again.
    const [safe, atRisk] = partition(requests, (request) => killAfter(run, request) === undefined);
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

/** The kill that came before this request's result had to be on disk. */
const killAfter = (run: SoakRun, [, at, mode]: ServedRequest) =>
  run.kills.find(({ from }) => at > from - riskMs(run, mode) && at <= from + AT_RISK_MS);

interface Missing {
  lost: number;
  lostAtKills: number;
  lostAtKillsMs: number;
  madeTwice: number;
}

function judgeMissing(
  run: SoakRun,
  request: ServedRequest,
  stored: readonly StoredRow[],
  found: Missing,
): void {
  const [, at, mode] = request;
  const kill = killAfter(run, request);
  const restart = run.kills.find(({ from, to }) => at > from && at <= to + LATE_MS);
  if (kill && (mode === "hang" || mode === "slow")) return;
  if (kill && at <= kill.from) {
    found.lostAtKills += 1;
    found.lostAtKillsMs = Math.max(found.lostAtKillsMs, kill.from - at);
  } else if (restart && stored.some((row) => isDueFor(row, at) && row.at <= restart.from))
    found.madeTwice += 1;
  else found.lost += 1;
}

/** A hanging target's check has no result before its timeout. */
const riskMs = (run: SoakRun, mode: string) => AT_RISK_MS + (mode === "hang" ? run.timeoutMs : 0);

function countDoubled(
  { ids }: SoakRun,
  results: StoredRow[][],
  rolledUp: ReadonlyMap<number, number>,
): number {
  return ids.reduce((sum, id, site) => {
    const counted = (results[site] ?? []).filter(({ outcome }) => outcome !== PROBE_FAULT).length;
    return sum + Math.abs((rolledUp.get(id) ?? 0) - counted);
  }, 0);
}

/** A time in which a target was bad without a break. */
interface Outage {
  from: number;
  to: number;
}

function outagesOf(phases: readonly Phase[], run: SoakRun): Outage[] {
  return phases.flatMap(({ fromMs, mode }, index) => {
    const to = Math.min(run.beganAt + (phases[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY), run.endedAt);
    return isBad(mode) && run.beganAt + fromMs < run.endedAt ? [{ from: run.beganAt + fromMs, to }] : [];
  });
}

/** How long something must last to be found for certain: a turn of the schedule, two checks, and what kills took. */
function certainMs(run: SoakRun, from: number): number {
  const plain = run.intervalMs + 2 * run.timeoutMs + DECISION_MS;
  const gone = run.kills
    .filter((kill) => kill.from < from + 2 * plain && kill.to > from - plain)
    .reduce((sum, kill) => sum + run.intervalMs + kill.to - kill.from, 0);
  return plain + gone;
}

function judgeStatus(run: SoakRun, transitions: readonly TransitionRow[]) {
  const found = { outages: 0, missedOutages: 0, missedRecoveries: 0, falseAlarms: 0, repeatedTransitions: 0 };
  const detectionMs: number[] = [];
  const examples: string[] = [];
  const inTime = transitions.filter((row) => row.at < run.endedAt);
  const byMonitor = Map.groupBy(inTime, (row) => row.monitorId);
  for (const [site, phases] of run.script.entries()) {
    const own = byMonitor.get(run.ids[site] as number) ?? [];
    const alarms = own.filter((row) => row.toStatus === "down");
    const outages = outagesOf(phases, run);
    found.repeatedTransitions += own.filter((row, index) => row.toStatus === own[index - 1]?.toStatus).length;
    for (const [index, { from, to }] of outages.entries()) {
      const alarm = alarms.find((row) => row.at >= from - LATE_MS && row.at <= to);
      found.outages += 1;
      if (alarm) detectionMs.push(alarm.detectedAt - from);
      else if (to - from > certainMs(run, from)) found.missedOutages += 1;
      const peaceTo = outages[index + 1]?.from ?? run.endedAt;
      const recovered = own.some((row) => row.toStatus !== "down" && row.at > from && row.at <= peaceTo);
      // Two successes, a turn of the schedule apart.
      const needed = certainMs(run, to) + run.intervalMs;
      if (alarm && !recovered && peaceTo - to > needed) found.missedRecoveries += 1;
    }
    for (const row of alarms) {
      // A check that began in the outage may time out after its end.
      const isTrue = ({ from, to }: Outage) =>
        row.at - run.timeoutMs <= to && row.at >= from - LATE_MS - DECISION_MS;
      if (outages.some(isTrue)) continue;
      found.falseAlarms += 1;
      examples.push(describeAlarm(run, site, row, outages));
    }
  }
  return { ...found, examples: examples.slice(0, EXAMPLES), detectionMs: detectionMs.sort((a, b) => a - b) };
}

function describeAlarm(run: SoakRun, site: number, row: TransitionRow, outages: readonly Outage[]): string {
  const second = (at: number) => ((at - run.beganAt) / 1_000).toFixed(2);
  const bad = outages.map(({ from, to }) => `${second(from)}-${second(to)}`).join(", ");
  const asked = run.served
    .filter(([other, at]) => other === site && Math.abs(at - row.at) < 2 * run.intervalMs)
    .map(([, at, mode]) => `${second(at)} ${mode}`);
  const said = `down from ${second(row.at)}, said at ${second(row.detectedAt)}: ${row.reason}`;
  return `site ${site} ${said}; bad ${bad || "never"}; asked ${asked.join(", ")}`;
}
