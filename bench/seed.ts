import { randomUUID } from "node:crypto";
import { issueKey } from "../server/src/accounts/issue-key.ts";
import { createOrganization } from "../server/src/accounts/organizations.ts";
import { insertUser } from "../server/src/accounts/queries/users.ts";
import { confirmUserEmail } from "../server/src/alerts/queries/own-channels.ts";
import { HOUR_MS, hourOf, type PackKey, packResults } from "../server/src/engine/results/pack-format.ts";
import { RESOLUTION_DETAILS } from "../server/src/engine/results/precision.ts";
import type { StoredResult } from "../server/src/engine/results/stored-result.ts";
import { encodeState } from "../server/src/engine/status/encode-state.ts";
import { applyResult, staleAt } from "../server/src/engine/status/rules.ts";
import { initialState, type StatusConfig } from "../server/src/engine/status/state.ts";
import { packSeries } from "../server/src/monitors/devices/metrics/packed-series.ts";
import { packReport, type ReportMetrics } from "../server/src/monitors/devices/metrics/report-metrics.ts";
import type { MeasuredReport } from "../server/src/monitors/devices/store-reports.ts";
import { updateOrganization } from "../server/src/platform/access/queries/organizations.ts";
import { systemClock } from "../server/src/platform/clock.ts";
import type { Context } from "../server/src/platform/context.ts";
import { insertMany } from "../server/src/platform/database/bulk.ts";
import { encodeHistogram } from "../server/src/platform/database/histogram.ts";
import { openDatabase } from "../server/src/platform/database/sqlite.ts";
import type { Store } from "../server/src/platform/database/store.ts";

interface Seeded {
  organizationId: number;
  /** An API key with every scope. */
  token: string;
}

/** A service's kind and settings, and what lists show of it. */
export interface SeedKind {
  type: string;
  config: object;
  target: string;
}

interface SeedOptions {
  monitors: number;
  intervalSeconds: number;
  /** Default: 10. */
  timeoutSeconds?: number;
  /** Where monitor n (from 1) points; with `kindOf` only those of kind http. */
  urlOf(n: number): string;
  /** What monitor n is, where it is no domain. */
  kindOf?(n: number): SeedKind | null;
  /** Where they are checked; null: everywhere, so also by the server of the bench. */
  locations: string[] | null;
}

/** A store with one organization, a key, and monitors that were up ten seconds ago, by their numbers 1, 2, 3 … */
export async function seedMonitors(store: Store, options: SeedOptions): Promise<Seeded> {
  const ctx = { store, clock: systemClock, config: { defaultPlan: "expert" } } as Context;
  const now = Date.now();
  const seeded = await store.transaction(async (trx) => {
    const user = { uuid: randomUUID(), email: "bench@vedette.test", name: "Bench", passwordHash: "none" };
    const userId = (await insertUser(trx, user, now)) as number;
    await confirmUserEmail(trx, userId, now);
    const organization = await createOrganization({ ...ctx, db: trx }, { name: "Bench", ownerId: userId });
    await updateOrganization(trx, organization.id, { plan: "expert", reports: true }, now);
    return { userId, organizationId: organization.id };
  });
  const { token } = await issueKey({ ...ctx, db: store.db }, { ...seeded, name: "bench", scopes: ["*:*"] });
  const numbers = Array.from({ length: options.monitors }, (_, i) => i + 1);
  await insertMany(
    store.db,
    "monitors",
    numbers.map((n) => monitorRow(n, seeded.organizationId, options, now)),
  );
  const state = stateRow(options, now);
  await insertMany(
    store.db,
    "monitor_states",
    numbers.map((n) => ({ monitor_id: n, ...state })),
  );
  const history = { from_status: "unknown", to_status: "up", detected_at: now, maintenance: 0 };
  const since = now - 40 * 86_400_000;
  await insertMany(
    store.db,
    "transitions",
    numbers.map((n) => ({ organization_id: seeded.organizationId, monitor_id: n, at: since, ...history })),
  );
  return { organizationId: seeded.organizationId, token };
}

function monitorRow(n: number, organizationId: number, options: SeedOptions, now: number): object {
  const url = options.urlOf(n);
  const domain = { type: "http", config: { url }, target: url };
  const service = options.kindOf?.(n) ?? null;
  const { type, config, target } = service ?? domain;
  return {
    id: n,
    uuid: randomUUID(),
    organization_id: organizationId,
    kind: service === null ? "domain" : "service",
    type,
    name: `Domain ${n}`,
    target,
    display_target: target,
    config: JSON.stringify(config),
    interval_seconds: options.intervalSeconds,
    timeout_seconds: options.timeoutSeconds ?? 10,
    enabled: 1,
    locations: options.locations && JSON.stringify(options.locations),
    confirmations: 2,
    recoveries: 2,
    severity: "high",
    tags: '["bench"]',
    search_text: `domain ${n}\n${target}`,
    revision: 1,
    created_at: now,
    updated_at: now,
  };
}

/** What ingest would have written ten seconds ago. Who is checked nowhere here never goes stale. */
function stateRow({ intervalSeconds, timeoutSeconds = 10, locations }: SeedOptions, now: number): object {
  const config: StatusConfig = {
    intervalMs: intervalSeconds * 1000,
    timeoutMs: timeoutSeconds * 1000,
    confirmations: 2,
    recoveries: 2,
    maintenance: false,
  };
  const at = now - 10_000;
  const result = { location: "local", at, verdict: "ok", reason: null } as const;
  const { state } = applyResult(initialState(at), result, config, now);
  const phases = {
    dnsUs: null,
    connectUs: 500,
    tlsUs: null,
    firstByteUs: 20_000,
    transferUs: 400,
    totalUs: 21_000,
  };
  return {
    status: state.status,
    status_since: state.since,
    rules: encodeState(state),
    flapping: 0,
    last_check_at: at,
    last_outcome: 0,
    last_status_code: 200,
    last_total_us: phases.totalUs,
    last_result: JSON.stringify({ location: "local", address: "127.0.0.1", protocol: "http/1.1", phases }),
    consecutive_failures: 0,
    stale_at: locations === null ? staleAt(state, config) : null,
  };
}

const STEP_MS = 300_000;
const DAY_MS = 86_400_000;
const LOCATION = 900;

/**
 * Writes a passed check every 5 minutes of monitors 1 … `monitors` into a SQLite store, up to now, as a
 * running installation has them: packed hours, rows for the last two, and roll-ups of every length.
 */
export function fillHistory(file: string, { monitors, days }: { monitors: number; days: number }): void {
  const database = openDatabase(file);
  const until = Date.now();
  const from = Math.floor(until / DAY_MS) * DAY_MS - days * DAY_MS;
  const packedBefore = hourOf(until - HOUR_MS);
  database.exec(`insert into locations (id, code, name, created_at) values (${LOCATION}, 'elsewhere', 'Elsewhere', 0);
    insert into meta (key, value) values ('packed_before', '${packedBefore}');
    begin`);
  const result = database.prepare(
    `insert into results (monitor_id, location_id, scheduled_at, outcome, status_code, dns_us, connect_us, first_byte_us, transfer_us, total_us, maintenance)
      values (?, ${LOCATION}, ?, 0, 200, 900, 1500, 15000, 1000, ?, 0)`,
  );
  const pack = database.prepare("insert into packs values (?, ?, ?, ?)");
  for (let id = 1; id <= monitors; id += 1) {
    for (let hourAt = from; hourAt < packedBefore; hourAt += HOUR_MS) {
      const key = { monitorId: id, locationId: LOCATION, hourAt };
      pack.run(id, hourAt, LOCATION, packResults(key, hourOfChecks(key)));
    }
    for (let at = packedBefore; at <= until; at += STEP_MS) result.run(id, at, totalUs(id, at));
  }
  for (const seconds of [300, 3600, 86_400]) fillRollups(database, { monitors, from, until, seconds });
  database.exec("commit");
  database.close();
}

/** From 20 to 29 ms, in the precision that is stored. */
const totalUs = (monitorId: number, at: number) =>
  20_000 + ((monitorId * 79 + (at / STEP_MS) * 47) % 90) * 100;

function hourOfChecks({ monitorId, locationId, hourAt }: PackKey): StoredResult[] {
  return Array.from({ length: HOUR_MS / STEP_MS }, (_, i) => {
    const scheduledAt = hourAt + i * STEP_MS;
    return {
      monitorId,
      locationId,
      scheduledAt,
      outcome: 0,
      statusCode: 200,
      dnsUs: 900,
      connectUs: 1500,
      tlsUs: null,
      firstByteUs: 15_000,
      transferUs: 1_000,
      totalUs: totalUs(monitorId, scheduledAt),
      reason: null,
      message: null,
      maintenance: 0,
    };
  });
}

/** All monitors get the same latencies: what is read costs the same. In the order of the primary key. */
function fillRollups(
  database: ReturnType<typeof openDatabase>,
  { monitors, from, until, seconds }: { monitors: number; from: number; until: number; seconds: number },
): void {
  const checks = (seconds * 1000) / STEP_MS;
  const latencies = Array.from({ length: checks }, (_, i) => totalUs(1, i * STEP_MS));
  const sum = latencies.reduce((total, one) => total + one, 0);
  const sums = `${checks}, 0, ${checks}, ${sum}, ${Math.min(...latencies)}, ${Math.max(...latencies)}`;
  database
    .prepare(
      `with recursive
        times (at) as (select ${from} union all select at + ${seconds * 1000} from times where at + ${seconds * 1000} <= ${until})
      insert into rollups (period_seconds, monitor_id, bucket_at, location_id,
        checks, failures, timed, sum_us, min_us, max_us, histogram)
      select ${seconds}, m.id, at, ${LOCATION}, ${sums}, ? from times cross join monitors m where m.id <= ${monitors}`,
    )
    .run(encodeHistogram(latencies));
}

const CORES = 8;
const GIGABYTE = 2 ** 30;
const PAGE = 4_096;

/** A machine's load, which goes on from one look to the next. */
interface Machine {
  random(): number;
  busy: number;
  usedMemory: number;
  usedDisk: number;
}

/**
 * What a Linux server with 8 cores, two file systems, two disks and two interfaces reports: 38 metrics. The load wanders,
 * rates jump, and what is used creeps, so that nothing is smaller than it would be.
 */
export function makeMachine(seed: number): () => ReportMetrics {
  let state = seed * 2_654_435_761 + 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const machine: Machine = { random, busy: 20, usedMemory: 6 * GIGABYTE, usedDisk: 90 * GIGABYTE };
  return () => look(machine);
}

function look(machine: Machine): ReportMetrics {
  const { random } = machine;
  machine.busy = Math.min(98, Math.max(1, machine.busy + (random() - 0.5) * 8));
  machine.usedMemory += Math.round((random() - 0.5) * 5_000) * PAGE;
  machine.usedDisk += Math.round(random() * 50) * PAGE;
  const metrics: Record<string, number> = { "cpu.usage": cents(machine.busy) };
  for (let core = 0; core < CORES; core += 1) {
    metrics[`cpu.core${core}.usage`] = cents(Math.min(100, machine.busy * (0.4 + 1.2 * random())));
  }
  for (const name of ["load1", "load5", "load15"])
    metrics[`cpu.${name}`] = cents((machine.busy / 100) * CORES);
  metrics["cpu.temperature"] = 45 + Math.round(random() * 10);
  const total = 16 * GIGABYTE;
  Object.assign(metrics, {
    "memory.used": machine.usedMemory,
    "memory.available": total - machine.usedMemory,
    "memory.usage": cents((100 * machine.usedMemory) / total),
    "memory.swap.used": 12 * PAGE,
    "memory.swap.usage": 0.01,
  });
  for (const mount of ["/", "/var/lib/data"]) {
    metrics[`disk.${mount}.usage`] = cents((100 * machine.usedDisk) / (500 * GIGABYTE));
    metrics[`disk.${mount}.used`] = machine.usedDisk;
    metrics[`disk.${mount}.total`] = 500 * GIGABYTE;
    metrics[`disk.${mount}.inodes`] = 12.34;
  }
  for (const disk of ["nvme0n1", "sda"]) {
    metrics[`disk.${disk}.read`] = random() < 0.7 ? 0 : rate(random);
    metrics[`disk.${disk}.write`] = rate(random);
    metrics[`disk.${disk}.busy`] = cents(random() * 4);
  }
  for (const name of ["eth0", "docker0"]) {
    Object.assign(metrics, { [`network.${name}.rx`]: rate(random), [`network.${name}.tx`]: rate(random) });
    metrics[`network.${name}.errors`] = 0;
  }
  return metrics;
}

const cents = (value: number) => Math.round(value * 100) / 100;
/** Bytes a second: 20 kB in the mean, by some orders of magnitude. */
const rate = (random: () => number) => cents(Math.exp(8 + 4 * random()));

/** Reports of a machine every 10 s from `from` to before `to`. */
export function reportsOf(deviceId: number, from: number, to: number): MeasuredReport[] {
  const next = makeMachine(deviceId);
  return Array.from({ length: Math.floor((to - from) / 10_000) }, (_, i) => ({
    ...{ deviceId, at: from + i * 10_000 + 137, metrics: next() },
  }));
}

/** Makes devices of what was seeded as domains; paused, as nothing reports for them. */
export async function toDevices({ db }: Store): Promise<void> {
  await db.updateTable("monitors").set({ kind: "device", type: "agent", enabled: 0 }).execute();
}

/** As many machines as differ; the others are like one of them. */
const MACHINES = 4;

/**
 * Writes the metrics of devices 1 … `devices` into a SQLite store: the roll-ups that charts of these days read, by the minute
 * for the last day, and what has been reported in the present hour.
 */
export async function fillDevices(
  file: string,
  { devices, days }: { devices: number; days: number },
): Promise<void> {
  const database = openDatabase(file);
  const until = hourOf(Date.now());
  database.exec("begin");
  const insert = database.prepare("insert into device_packs values (?, ?, ?, ?)");
  for (const [resolution, packs] of [
    ["1m", 24],
    ["15m", days],
    ["1h", days],
  ] as const) {
    const { seconds, packMs } = RESOLUTION_DETAILS[resolution];
    const first = until - (until % packMs);
    for (let begin = first - packs * packMs; begin < until; begin += packMs) {
      const series = await mapMachines((machine) =>
        rolledUp(machine, begin, Math.min(until, begin + packMs), seconds),
      );
      for (let id = 1; id <= devices; id += 1)
        insert.run(id, seconds, begin, series[id % MACHINES] as Uint8Array);
    }
  }
  const row = database.prepare("insert into device_reports values (?, ?, ?)");
  for (const { at, metrics } of reportsOf(1, until, Date.now())) {
    const bytes = packReport(metrics);
    for (let id = 1; id <= devices; id += 1) row.run(id, at, bytes);
  }
  database.exec("commit");
  database.close();
}

const mapMachines = (make: (machine: () => ReportMetrics) => Promise<Uint8Array>): Promise<Uint8Array[]> =>
  Promise.all(Array.from({ length: MACHINES }, (_, i) => make(makeMachine(i))));

/** As if each bucket's mean had been looked at, with extremes around it. */
async function rolledUp(
  machine: () => ReportMetrics,
  from: number,
  to: number,
  seconds: number,
): Promise<Uint8Array> {
  const times = Array.from({ length: (to - from) / (seconds * 1000) }, (_, i) => from + i * seconds * 1000);
  const looks = times.map(() => machine());
  const columns = Object.keys(looks[0] ?? {}).map((name) => {
    const means = looks.map((metrics) => metrics[name] as number);
    return [name, [means, means.map((mean) => mean * 0.7), means.map((mean) => mean * 1.3)]] as const;
  });
  return packSeries({ times, columns: new Map(columns) }, async () => {});
}
