/**
 * 10,000 HTTP monitors every 30 s through the whole server into SQLite for a minute: `vedette start` on
 * a data folder that knows them, as after a restart. CPU and memory are those of the server's process. At the
 * end the database is compared with the grid of times at which every monitor had to be checked.
 * The baseline is bare sockets at the same rate, on time, with nothing stored. With `--mixed` half of the monitors are
 * domains, a quarter TCP services, and the rest spread over all other kinds; what pings cost is their program's own. With
 * `--monitors 1000` so many.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { activeKind, checkKinds } from "../server/src/checks/registry.ts";
import { openStore } from "../server/src/platform/database/open.ts";
import { CONVERSATIONS, type Conversation } from "../server/test/harness/conversations.ts";
import { bareCheck } from "./baselines.ts";
import {
  cpuSeconds,
  type Measurement,
  machineLoad,
  memoryMb,
  type RunningServer,
  report,
  startBeside,
  startServer,
  withFolder,
} from "./harness.ts";
import { type SeedKind, seedMonitors } from "./seed.ts";
import type { KindsReady, TargetReady } from "./target.ts";

const { values: flags } = parseArgs({
  options: { mixed: { type: "boolean", default: false }, monitors: { type: "string", default: "10000" } },
});
const MONITORS = Number(flags.monitors);
/** Percent of a core, and megabytes. */
const MOST = flags.mixed ? { cpu: 25, memory: 300 } : { cpu: 20, memory: 250 };
const INTERVAL_MS = 30_000;
const MEASURE_MS = 60_000;
const BARE_MS = 10_000;
const TICK_MS = 10;
/** Results of the last moment before the end may not have been made any more. */
const EDGE_MS = 2_000;

const target = await startBeside<TargetReady>("target.ts");
const kinds = flags.mixed ? await startBeside<KindsReady>("target.ts", ["kinds"]) : null;
const url = `http://127.0.0.1:${target.ready.port}/`;
try {
  report(await withFolder(measure));
} finally {
  target.child.disconnect();
  kinds?.child.disconnect();
}

/** The kinds of services in a mix: every other monitor is one, and half of those are TCP. */
function mixOf({ ports }: KindsReady): (n: number) => SeedKind | null {
  const others = Object.values(checkKinds).flatMap(({ type }) =>
    activeKind(type) === null || type === "http" || type === "tcp" ? [] : [type],
  );
  const conversations: Record<string, Conversation> = CONVERSATIONS;
  return (n) => {
    if (n % 2 === 0) return null;
    const type = n % 4 === 1 ? "tcp" : (others[((n - 3) / 4) % others.length] as string);
    const config = conversations[type]?.config(ports[type] as number) ?? { host: "127.0.0.1" };
    return { type, config, target: `${type} on loopback` };
  };
}

async function measure(folder: string): Promise<Measurement[]> {
  const bare = await bareLoop(target.ready.port);
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  await seedMonitors(store, {
    monitors: MONITORS,
    intervalSeconds: INTERVAL_MS / 1000,
    urlOf: () => url,
    ...(kinds && { kindOf: mixOf(kinds.ready) }),
    locations: null,
  });
  await store.close();
  const startedAt = Date.now();
  const authorities = join(folder, "ca.pem");
  if (kinds) writeFileSync(authorities, kinds.ready.ca);
  const server = await startServer(folder, kinds ? { NODE_EXTRA_CA_CERTS: authorities } : {});
  const running = await watch(server, startedAt);
  const stoppedAt = Date.now();
  await server.stop();
  return [
    { name: "bare sockets at this rate, CPU", value: bare, unit: "% of a core" },
    ...running,
    ...compare(file, startedAt, stoppedAt),
    { name: "load of the machine", value: machineLoad(), unit: "processes" },
  ];
}

/** Percent of a core that the sockets alone take. */
async function bareLoop(port: number): Promise<number> {
  const begun = performance.now();
  const before = process.cpuUsage();
  let made = 0;
  while (performance.now() - begun < BARE_MS) {
    const due = ((performance.now() - begun) * MONITORS) / INTERVAL_MS;
    for (; made < due; made++) void bareCheck(port);
    await setTimeout(TICK_MS);
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1000 / BARE_MS) * 100;
}

async function watch(server: RunningServer, startedAt: number): Promise<Measurement[]> {
  const startMs = Date.now() - startedAt;
  const startCpu = cpuSeconds(server.pid);
  await setTimeout(MEASURE_MS);
  const cpu = ((cpuSeconds(server.pid) - startCpu) / (MEASURE_MS / 1000)) * 100;
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  const lateMs = metric("vedette_engine_lateness_p99_seconds") * 1000;
  return [
    { name: "server, CPU", value: cpu, unit: "% of a core", target: { atMost: MOST.cpu } },
    {
      name: "server, memory now",
      value: memoryMb(server.pid, "VmRSS"),
      unit: "MB",
      target: { atMost: MOST.memory },
    },
    { name: "server, memory at most", value: memoryMb(server.pid, "VmHWM"), unit: "MB" },
    { name: "start lateness, p99", value: lateMs, unit: "ms", target: { atMost: 50 } },
    { name: "runs skipped", value: metric("vedette_engine_skipped_total"), unit: "", target: { atMost: 0 } },
    { name: "start until ready", value: startMs / 1000, unit: "s" },
    { name: "start until ready, CPU", value: startCpu, unit: "s" },
  ];
}

interface Row {
  monitorId: number;
  count: number;
  first: number;
  last: number;
}

/** What is stored, against what the grid requested. */
function compare(file: string, startedAt: number, stoppedAt: number): Measurement[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const number = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  const rows = database
    .prepare(
      "select monitor_id as monitorId, count(*) as count, min(scheduled_at) as first, max(scheduled_at) as last from results group by 1",
    )
    .all() as unknown as Row[];
  const missing = rows.map(({ count, first, last }) => {
    const atTheEnd = Math.floor(Math.max(0, stoppedAt - EDGE_MS - last) / INTERVAL_MS);
    return (last - first) / INTERVAL_MS + 1 - count + atTheEnd;
  });
  const lost = missing.reduce((sum, one) => sum + one, 0);
  const running = Math.max(...rows.map(({ first }) => first)) - startedAt;
  const total = number("select count(*) from results");
  const rolledUp = number("select sum(checks) from rollups where period_seconds = 300");
  const failed = number("select count(*) from results where outcome <> 0");
  const behind = number(
    "select count(*) from monitor_states s where last_check_at <> (select max(scheduled_at) from results r where r.monitor_id = s.monitor_id)",
  );
  database.close();
  return [
    { name: "results stored", value: total, unit: "" },
    { name: "results of failure", value: failed, unit: "", target: { atMost: 0 } },
    { name: "results lost", value: lost, unit: "", target: { atMost: 0 } },
    { name: "results not rolled up", value: total - rolledUp, unit: "", target: { atMost: 0 } },
    { name: "states behind", value: behind, unit: "", target: { atMost: 0 } },
    { name: "monitors never checked", value: MONITORS - rows.length, unit: "", target: { atMost: 0 } },
    { name: "all running after", value: running / 1000, unit: "s", target: { atMost: 35 } },
  ];
}
