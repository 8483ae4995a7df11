import { DatabaseSync } from "node:sqlite";
import { connectTo } from "../server/test/harness/postgres.ts";
import type { ServedRequest } from "./soak-targets.ts";
import { isBad, isWaitedFor, type Mode, type Phase } from "./soak-targets.ts";

/**
 * What the soak's judgement knows beside the database (`readStored`): the script and the targets' log. Nothing
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
  /** From a first failure to its recheck. */
  recheckDelayMs: number;
  kills: Kill[];
}

/** When the server was gone: from the kill until it was ready again. */
export interface Kill {
  from: number;
  /** When the next process was started: what came in until then had been sent by the killed one. */
  nextAt: number;
  to: number;
}

/** A check may begin this late on a busy machine and still be distinguished from the next one. */
const LATE_MS = 5_000;
/** The outcome of a check that the probe itself did not trust. */
export const PROBE_FAULT = 3;

/** A time as seconds of the soak, to the millisecond. */
const secondOf = ({ beganAt }: SoakRun, at: number): string => ((at - beganAt) / 1_000).toFixed(3);

/** Where the soak's server keeps its data. */
export type SoakDatabase = { file: string } | { url: string };

export interface StoredRow {
  at: number;
  outcome: number;
}

export interface TransitionRow {
  monitorId: number;
  toStatus: string;
  at: number;
  detectedAt: number;
  reason: string | null;
}

/** What the database holds at the end, read with SQL of the soak's own. Times are milliseconds since 1970. */
export interface Stored {
  /** Results of each monitor, oldest first. */
  results: Map<number, StoredRow[]>;
  /** Checks that the roll-ups of five minutes count, of each monitor. */
  rolledUp: Map<number, number>;
  /** Oldest first. */
  transitions: TransitionRow[];
}

type Row = Record<string, unknown>;
interface Reader {
  all(sql: string): Promise<Row[]>;
  close(): unknown;
}

/** Reads what was stored since then. */
export async function readStored(database: SoakDatabase, sinceMs: number): Promise<Stored> {
  const reader = "url" in database ? await onPostgres(database.url) : onSqlite(database.file);
  try {
    const results = await reader.all(
      `select monitor_id, scheduled_at, outcome from results
       where scheduled_at >= ${Math.floor(sinceMs)} order by scheduled_at`,
    );
    const rollups = await reader.all(
      "select monitor_id, sum(checks) as checks from rollups where period_seconds = 300 group by monitor_id",
    );
    const transitions = await reader.all(
      "select monitor_id, to_status, at, detected_at, reason from transitions order by at, id",
    );
    return {
      results: byMonitor(results),
      rolledUp: new Map(rollups.map((row) => [Number(row["monitor_id"]), Number(row["checks"])])),
      transitions: transitions.map(transitionOf),
    };
  } finally {
    await reader.close();
  }
}

function onSqlite(file: string): Reader {
  const database = new DatabaseSync(file, { readOnly: true });
  return { all: async (sql) => database.prepare(sql).all(), close: () => database.close() };
}

async function onPostgres(url: string): Promise<Reader> {
  const client = await connectTo(url);
  return { all: async (sql) => (await client.query<Row>(sql)).rows, close: () => client.end() };
}

/** PostgreSQL's driver gives 64-bit numbers as text. */
function byMonitor(rows: readonly Row[]): Map<number, StoredRow[]> {
  const found = new Map<number, StoredRow[]>();
  for (const row of rows) {
    const monitorId = Number(row["monitor_id"]);
    const own = found.get(monitorId) ?? [];
    own.push({ at: Number(row["scheduled_at"]), outcome: Number(row["outcome"]) });
    found.set(monitorId, own);
  }
  return found;
}

function transitionOf(row: Row): TransitionRow {
  return {
    monitorId: Number(row["monitor_id"]),
    toStatus: String(row["to_status"]),
    at: Number(row["at"]),
    detectedAt: Number(row["detected_at"]),
    reason: row["reason"] as string | null,
  };
}

const AT_RISK_MS = 500;
const FAILED = 1;

/** Every request that the targets answered against every result; `results`: those of each site, oldest first. */
function evaluateResults(run: SoakRun, results: StoredRow[][]) {
  const counts = { requests: 0, results: 0, lost: 0, lostAtKills: 0, lostAtKillsMs: 0, madeTwice: 0 };
  const found = { ...counts, unserved: 0, wrongStatus: 0, probeFaults: 0, examples: [] as string[] };
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
    for (const request of without) evaluateMissing(run, request, stored, found);
    const lateAt = run.endedAt - run.timeoutMs - 2 * LATE_MS;
    found.unserved += stored.filter((row) => row.at < lateAt && !taken.has(row)).length;
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

function evaluateMissing(
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

/** What the decision itself may take beside checks, intervals and the wait before a recheck. */
const DECISION_MS = 3_000;

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
  const plain = run.intervalMs + 2 * run.timeoutMs + run.recheckDelayMs + DECISION_MS;
  const gone = run.kills
    .filter((kill) => kill.from < from + 2 * plain && kill.to > from - plain)
    .reduce((sum, kill) => sum + run.intervalMs + kill.to - kill.from, 0);
  return plain + gone;
}

/** Every outage of the script against every change of status; detection times ascending, milliseconds. */
function evaluateStatus(run: SoakRun, transitions: readonly TransitionRow[]) {
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
  return { ...found, examples, detectionMs: detectionMs.sort((a, b) => a - b) };
}

function describeAlarm(run: SoakRun, site: number, row: TransitionRow, outages: readonly Outage[]): string {
  const second = (at: number) => secondOf(run, at);
  const bad = outages.map(({ from, to }) => `${second(from)}-${second(to)}`).join(", ");
  const checks = run.served
    .filter(([other, at]) => other === site && Math.abs(at - row.at) < 2 * run.intervalMs)
    .map(([, at, mode]) => `${second(at)} ${mode}`);
  const said = `down from ${second(row.at)}, said at ${second(row.detectedAt)}: ${row.reason}`;
  return `site ${site} ${said}; bad ${bad || "never"}; requests ${checks.join(", ")}`;
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
  unserved: number;
  /** Checks that the roll-ups count and no result stands for, or the other way round. */
  doubled: number;
  wrongStatus: number;
  probeFaults: number;
  outages: number;
  missedOutages: number;
  missedRecoveries: number;
  falseAlarms: number;
  repeatedTransitions: number;
  /** The first losses and false alarms, to find their cause by. Seconds of the soak. */
  examples: string[];
  detectionMs: number[];
}

/** The first few of each kind are enough to find their cause. */
const EXAMPLES = 5;

/** From when on results are evaluated: the first request, whose check may have been due a little before. */
export const evaluatedFromMs = ({ served, endedAt }: SoakRun): number =>
  served.reduce((least, [, at]) => Math.min(least, at), endedAt) - LATE_MS;

/** Compares everything that is stored with what happened. */
export function evaluateRun(run: SoakRun, stored: Stored): Verdict {
  const results = run.ids.map((id) => stored.results.get(id) ?? []);
  const ofResults = evaluateResults(run, results);
  const ofStatus = evaluateStatus(run, stored.transitions);
  return {
    ...ofResults,
    ...ofStatus,
    doubled: countDoubled(run, results, stored.rolledUp),
    examples: [...ofResults.examples.slice(0, EXAMPLES), ...ofStatus.examples.slice(0, EXAMPLES)],
  };
}

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

export interface SoakMetrics {
  store: "sqlite" | "postgres";
  seconds: number;
  monitors: number;
  kills: number;
  verdict: Verdict;
  /** From the start of the process to its ready line, after each kill. */
  restartsMs: number[];
  /** CPU time, all threads, until the ready line: what a restart costs on a machine that is busy otherwise. */
  restartsCpuMs: number[];
  /** Of the server, all its lives. */
  cpuS: number;
  /** At most, in its last life. */
  memoryMb: number;
  /** Nothing lost, doubled, wrong, missed or alarmed for nothing. */
  isClean: boolean;
}

/** Of ascending values; NaN of none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Prints what the soak found, as JSON or as a table. */
export function printReport(metrics: SoakMetrics, asJson: boolean): void {
  const { verdict, restartsMs, restartsCpuMs, cpuS, memoryMb, isClean } = metrics;
  const { store, seconds, monitors, kills } = metrics;
  const { detectionMs, examples, ...counts } = verdict;
  const restarts = restartsMs.toSorted((a, b) => a - b);
  const shown = {
    store,
    seconds,
    monitors,
    kills,
    ...counts,
    detectionP50Ms: Math.round(percentile(detectionMs, 0.5)),
    detectionP99Ms: Math.round(percentile(detectionMs, 0.99)),
    restartP50Ms: Math.round(percentile(restarts, 0.5)),
    restartMaxMs: Math.round(restarts.at(-1) ?? Number.NaN),
    restartCpuP50Ms: Math.round(
      percentile(
        restartsCpuMs.toSorted((a, b) => a - b),
        0.5,
      ),
    ),
    cpuPercent: Math.round((1_000 * cpuS) / seconds) / 10,
    memoryMb: Math.round(memoryMb),
    isClean,
    examples,
  };
  if (asJson) console.log(JSON.stringify(shown, null, 2));
  else for (const [name, value] of Object.entries(shown)) console.log(`  ${name.padEnd(22)} ${value}`);
}
