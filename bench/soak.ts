/**
 * `npm run soak`: the whole server watches many targets that come and go by a script, is killed with -9 in
 * between, and is then compared with the script and by the targets' own log (soak-evaluation.ts).
 *
 *   npm run soak                                   10 minutes, 10,000 monitors, 10 kills
 *   npm run soak -- --seconds 90 --monitors 1000 --kills 5 --interval 10
 *   npm run soak -- --kills 50 --stored 1000000 --seed 7 --json
 *   npm run soak -- --mixed                        every other monitor is a service of another kind
 *   npm run soak -- --postgres                     on a PostgreSQL that it starts itself, durable
 *   npm run drill                                  500 monitors without kills on both stores, and p99 of detection
 *
 * Ends with 1 when anything was lost, doubled, wrong, missed or alarmed for nothing, or, with --within, when
 * 99 of 100 outages were not known within the interval, the wait before a recheck and so many seconds.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connectTo, findPostgres, startPostgres } from "../server/test/harness/postgres.ts";
import { seeded } from "../server/test/harness/seeded.ts";
import { cpuSeconds, memoryMb, type RunningServer, startBeside, startServer } from "./harness.ts";
import {
  evaluatedFromMs,
  evaluateRun,
  type Kill,
  percentile,
  printReport,
  readStored,
  type SoakDatabase,
  type SoakMetrics,
  type SoakRun,
} from "./soak-evaluation.ts";
import type { ServedRequest, TargetsOrder, TargetsReady } from "./soak-targets.ts";
import { configOf, hasAssertion, KEYWORD, kindOf, type ScriptOptions, writeScript } from "./soak-targets.ts";
import { DURABLE } from "./stores.ts";

/** What the soak needs before it begins: a database, an owner, monitors made through the API, and a past. */

const MAIN = new URL("../server/src/vedette.mjs", import.meta.url).pathname;
const AT_ONCE = 16;
/** The past: results between these ages, younger than what is packed away. */
const OLDEST_MS = 55 * 60_000;
const YOUNGEST_MS = 2 * 60_000;

const ROWS_AT_ONCE = 10_000;

interface OwnDatabase {
  database: SoakDatabase;
  /** What `vedette` needs to find it, beside the data folder. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** The SQLite file of the data folder, or a PostgreSQL of the soak's own. Throws when there is none to start. */
async function openDatabase(folder: string, onPostgres: boolean): Promise<OwnDatabase> {
  if (!onPostgres) {
    return { database: { file: join(folder, "vedette.db") }, environment: {}, stop: async () => {} };
  }
  const binaries = findPostgres();
  if (!binaries) throw new Error("PostgreSQL is not installed: neither on the PATH nor as npm package.");
  const server = await startPostgres(binaries, DURABLE);
  const url = `${server.url}/postgres`;
  return { database: { url }, environment: { DATABASE_URL: url }, stop: () => server.stop() };
}

function runCommand(args: readonly string[], environment: Record<string, string>): string {
  const env = { PATH: process.env["PATH"], ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8", env });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** An owner on the data folder and its database; the token of an API key of theirs. */
function createOwner(folder: string, environment: Record<string, string>): string {
  const owner = ["--email", "owner@vedette.test", "--data", folder];
  const person = ["--password", "correct horse battery", "--name", "Owner"];
  runCommand(["user", "create", ...owner, ...person], environment);
  return runCommand(["key", "create", ...owner, "--name", "soak"], environment);
}

/** A site's URL, or a service with its settings. */
type SoakTarget = string | { protocol: string; protocolConfig: object };

/**
 * Creates a domain for each URL through the API, every other one with an assertion, and services for the others; their
 * ids in the same order. Seconds.
 */
async function addMonitors(
  server: string,
  token: string,
  targets: readonly SoakTarget[],
  settings: { checkInterval: number; timeout: number },
): Promise<number[]> {
  const ids: number[] = [];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const left = targets.entries();
  const work = async () => {
    for (const [site, target] of left) {
      const isDomain = typeof target === "string";
      const assertions = hasAssertion(site) ? [{ type: "keyword", operator: "present", value: KEYWORD }] : [];
      const own = isDomain ? { url: target, assertions } : target;
      const body = JSON.stringify({ name: `Site ${site}`, ...own, ...settings });
      const path = isDomain ? "/api/domains" : "/api/services";
      const response = await fetch(`${server}${path}`, { method: "POST", headers, body });
      const answer = (await response.json()) as { data: { id: number } };
      if (response.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
      ids[site] = answer.data.id;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

/** Puts `count` results of the last hour into the database of a server that is stopped. */
async function storeOldResults(database: SoakDatabase, ids: readonly number[], count: number): Promise<void> {
  if (count === 0) return;
  const rows = oldResults(ids, count);
  if ("url" in database) await storeOnPostgres(database.url, rows);
  else storeOnSqlite(database.file, rows);
}

/** Monitor and time, oldest first: every monitor is checked in turn. */
function oldResults(ids: readonly number[], count: number): [monitorId: number, at: number][] {
  const rounds = Math.ceil(count / ids.length);
  const now = Date.now();
  return Array.from({ length: count }, (_, made) => {
    const ageMs = OLDEST_MS - ((OLDEST_MS - YOUNGEST_MS) * Math.floor(made / ids.length)) / rounds;
    return [ids[made % ids.length] as number, Math.round(now - ageMs)];
  });
}

const COLUMNS = `monitor_id, location_id, scheduled_at, outcome, status_code, connect_us, first_byte_us, total_us, maintenance`;
const LOCATION = "(select id from locations where code = 'local')";

function storeOnSqlite(file: string, rows: readonly [number, number][]): void {
  const database = new DatabaseSync(file);
  try {
    const insert = database.prepare(
      `insert into results (${COLUMNS}) values (?, ${LOCATION}, ?, 0, 200, 300, 900, 1200, 0)`,
    );
    database.exec("begin");
    for (const row of rows) insert.run(...row);
    database.exec("commit");
  } finally {
    database.close();
  }
}

async function storeOnPostgres(url: string, rows: readonly [number, number][]): Promise<void> {
  const client = await connectTo(url);
  try {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.slice(from, from + ROWS_AT_ONCE);
      await client.query(
        `insert into results (${COLUMNS}) select id, ${LOCATION}, at, 0, 200, 300, 900, 1200, 0
         from unnest($1::bigint[], $2::bigint[]) as past (id, at)`,
        [part.map(([id]) => id), part.map(([, at]) => at)],
      );
    }
    await client.query("analyze");
  } finally {
    await client.end();
  }
}

const ADDRESSES = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"];
/** Results older than an hour are packed, and the evaluation reads those that are not. */
const MAX_SECONDS = 3_300;
/** The server's default, which the monitors keep. */
const RECHECK_DELAY_MS = 2_000;
/** After the end results may still be on their way. */
const GRACE_MS = 3_000;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    monitors: { type: "string", default: "10000" },
    kills: { type: "string", default: "10" },
    interval: { type: "string", default: "30" },
    timeout: { type: "string", default: "3" },
    stored: { type: "string", default: "0" },
    within: { type: "string" },
    seed: { type: "string", default: "1" },
    mixed: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [seconds, monitors, kills, interval, timeout, stored, seed] = [
  values.seconds,
  values.monitors,
  values.kills,
  values.interval,
  values.timeout,
  values.stored,
  values.seed,
].map(wholeNumber) as [number, number, number, number, number, number, number];
if (seconds > MAX_SECONDS) {
  console.error(`At most ${MAX_SECONDS} s: the evaluation does not read what is packed after an hour.`);
  process.exit(2);
}
const plan: ScriptOptions = {
  targets: monitors,
  durationMs: seconds * 1_000,
  intervalMs: interval * 1_000,
  seed,
};
const say = (line: string) => void (values.json || console.log(line));

const folder = mkdtempSync(join(tmpdir(), "vedette-soak-"));
const own = await openDatabase(folder, values.postgres);
const environment = { VEDETTE_RATE_LIMITS: "off", VEDETTE_LOG_LEVEL: "error", ...own.environment };
const targets = await startBeside<"ready">("soak-targets.ts");
try {
  const order: TargetsOrder = { script: plan, addresses: ADDRESSES, isMixed: values.mixed };
  const figures = await soak(await exchange<TargetsReady>(order));
  printReport(figures, values.json);
  if (!figures.isClean || !isSoonEnough(figures)) process.exitCode = 1;
} finally {
  targets.child.disconnect();
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`"${text}" is not a whole number. The flags are at the top of bench/soak.ts.`);
  process.exit(2);
}

/** Whether 99 of 100 outages were known in the time that `--within` allows beside what the settings take. */
function isSoonEnough({ verdict }: SoakMetrics): boolean {
  if (values.within === undefined) return true;
  const limitMs = plan.intervalMs + RECHECK_DELAY_MS + 1_000 * wholeNumber(values.within);
  return percentile(verdict.detectionMs, 0.99) <= limitMs;
}

/** Sends the targets a message and waits for their answer. */
function exchange<Answer>(message: TargetsOrder | "report"): Promise<Answer> {
  const answered = new Promise<Answer>((resolve) =>
    targets.child.once("message", (answer) => resolve(answer as Answer)),
  );
  targets.child.send(message);
  return answered;
}

async function soak({ port, ports, ca }: TargetsReady): Promise<SoakMetrics> {
  if (ca !== "") {
    const file = join(folder, "ca.pem");
    writeFileSync(file, ca);
    Object.assign(environment, { NODE_EXTRA_CA_CERTS: file });
  }
  const token = createOwner(folder, own.environment);
  let server = await startServer(folder, environment);
  const onServer = (next: RunningServer) => {
    server = next;
  };
  try {
    say(`creating ${monitors} monitors …`);
    const wanted = Array.from({ length: monitors }, (_, site): SoakTarget => {
      const [protocol, own] = [kindOf(site), ports[site]];
      if (protocol !== null && own !== undefined) {
        return { protocol, protocolConfig: configOf(protocol, own) };
      }
      return `http://${ADDRESSES[site % ADDRESSES.length]}:${port}/${site}`;
    });
    const ids = await addMonitors(server.url, token, wanted, { checkInterval: interval, timeout });
    await server.stop();
    await storeOldResults(own.database, ids, stored);
    const stoppedAt = Date.now();
    const startedAt = Date.now();
    server = await startServer(folder, environment);
    // Before the script began the server was gone as well, though in order.
    const gap = { from: stoppedAt, nextAt: startedAt, to: Date.now() };
    const { metrics, times } = await playScript(server, onServer);
    await setTimeout(GRACE_MS);
    await server.stop();
    const { gaps, ...span } = times;
    const verdict = await evaluateSoak({ ids, kills: [gap, ...gaps], ...span });
    return {
      ...metrics,
      ...verdict,
      store: values.postgres ? "postgres" : "sqlite",
      seconds,
      monitors,
      kills,
    };
  } finally {
    await server.stop();
  }
}

/** Lets the script begin, kills the server in between, and waits for the script's end. */
async function playScript(first: RunningServer, onServer: (next: RunningServer) => void) {
  const beganAt = Date.now();
  targets.child.send({ beganAt });
  say(`${seconds} s with ${kills} kills, ${stored} results stored before …`);
  const { server, gaps, cpuS, restartsMs, restartsCpuMs } = await surviveKills(first, beganAt, onServer);
  await setTimeout(Math.max(0, beganAt + plan.durationMs - Date.now()));
  return {
    times: { beganAt, endedAt: Date.now(), gaps },
    metrics: {
      cpuS: cpuS + cpuSeconds(server.pid),
      memoryMb: memoryMb(server.pid, "VmHWM"),
      restartsMs,
      restartsCpuMs,
    },
  };
}

async function evaluateSoak(times: Pick<SoakRun, "ids" | "kills" | "beganAt" | "endedAt">) {
  const run: SoakRun = {
    ...times,
    served: await exchange<ServedRequest[]>("report"),
    script: writeScript(plan),
    intervalMs: plan.intervalMs,
    timeoutMs: timeout * 1_000,
    recheckDelayMs: RECHECK_DELAY_MS,
  };
  const verdict = evaluateRun(run, await readStored(own.database, evaluatedFromMs(run)));
  const { lost, unserved, doubled, wrongStatus, missedOutages, missedRecoveries, falseAlarms } = verdict;
  const wrong = [lost, unserved, doubled, wrongStatus, missedOutages, missedRecoveries, falseAlarms];
  return { verdict, isClean: [...wrong, verdict.repeatedTransitions].every((count) => count === 0) };
}

/** Kills and starts the server at random times within the middle nine tenths. */
async function surviveKills(first: RunningServer, beganAt: number, onServer: (next: RunningServer) => void) {
  const random = seeded(seed + 1);
  const killTimes = Array.from({ length: kills }, () => (0.05 + 0.9 * random()) * plan.durationMs);
  const gaps: Kill[] = [];
  const restartsMs: number[] = [];
  const restartsCpuMs: number[] = [];
  let server = first;
  let cpuS = 0;
  for (const moment of killTimes.toSorted((a, b) => a - b)) {
    await setTimeout(Math.max(0, beganAt + moment - Date.now()));
    cpuS += cpuSeconds(server.pid);
    const from = Date.now();
    process.kill(server.pid, "SIGKILL");
    await server.stop();
    const [begun, nextAt] = [performance.now(), Date.now()];
    server = await startServer(folder, environment);
    restartsMs.push(performance.now() - begun);
    restartsCpuMs.push(1_000 * cpuSeconds(server.pid));
    onServer(server);
    gaps.push({ from, nextAt, to: Date.now() });
  }
  return { server, gaps, restartsMs, restartsCpuMs, cpuS };
}
