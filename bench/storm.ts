/**
 * 1,000 monitors every ten seconds fail at once, three times, on SQLite and on PostgreSQL, each time on a new installation:
 * the line goes away with the reference targets (the egress guard holds), the network goes away but for those (one cause),
 * and the targets really fail, each by itself. Counted are incidents, notifications, and messages to channels within a minute;
 * a client uses the API meanwhile, and before it as a baseline. A failed check is confirmed two seconds later.
 *
 *   npm run bench -- storm
 *   node bench/storm.ts --monitors 100 --seconds 20               small
 *   node bench/storm.ts --sqlite --kind targets                   on one store; line, network or targets only
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openStore, type StoreLocation } from "../server/src/platform/database/open.ts";
import { connectTo, findPostgres, startPostgres } from "../server/test/harness/postgres.ts";
import type { SteadyOrder } from "./clients.ts";
import {
  type Measurement,
  machineLoad,
  quantile,
  type RunningServer,
  report,
  startBeside,
  startServer,
  withFolder,
} from "./harness.ts";
import { seedMonitors } from "./seed.ts";
import { DURABLE } from "./stores.ts";
import { hostOf, type ReceivedAt, type StormKind, type WorldReady } from "./storm-world.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    seconds: { type: "string", default: "62" },
    sqlite: { type: "boolean", default: false },
    kind: { type: "string" },
  },
});
const MONITORS = Number(values.monitors);
const STORM_MS = 1_000 * Number(values.seconds);
const QUIET_MS = STORM_MS / 4;
const INTERVAL_SECONDS = 10;
const TIMEOUT_SECONDS = 3;
const REQUESTS_A_SECOND = 20;
const PATHS = [
  "/api/domains?limit=20",
  "/api/incidents?limit=20",
  "/api/dashboard/stats",
  "/api/notifications",
];
/** Channels that people read; a webhook is read by a program, which gets each event by itself. */
const PEOPLE = ["slack", "mattermost", "mail"];
const MINUTE_MS = 60_000;
const ALL_KINDS: readonly StormKind[] = ["line", "network", "targets"];
const KINDS = ALL_KINDS.filter((kind) => values.kind === undefined || values.kind === kind);
const INCIDENTS = { line: { atMost: 0 }, network: { atMost: 1 }, targets: { atMost: MONITORS } } as const;

const found: Measurement[] = [];
for (const kind of KINDS) {
  found.push(
    ...(await withFolder((folder) => measure({ kind, folder, name: `SQLite, ${kind}`, url: null }))),
  );
}
if (!values.sqlite) found.push(...(await onPostgres()));
report([...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }]);

async function onPostgres(): Promise<Measurement[]> {
  const binaries = findPostgres();
  if (!binaries) {
    console.error("PostgreSQL is not installed, so its half is left out.");
    return [];
  }
  const server = await startPostgres(binaries, DURABLE);
  const client = await connectTo(`${server.url}/postgres`);
  try {
    const all: Measurement[] = [];
    for (const kind of KINDS) {
      await client.query(`create database storm_${kind}`);
      const url = `${server.url}/storm_${kind}`;
      all.push(
        ...(await withFolder((folder) => measure({ kind, folder, name: `PostgreSQL, ${kind}`, url }))),
      );
    }
    return all;
  } finally {
    await client.end();
    await server.stop();
  }
}

interface Storm {
  kind: StormKind;
  folder: string;
  name: string;
  /** Null: SQLite in the folder. */
  url: string | null;
}

async function measure({ kind, folder, name, url }: Storm): Promise<Measurement[]> {
  const location: StoreLocation = url === null ? { file: join(folder, "vedette.db") } : { url };
  const world = await startBeside<WorldReady>("storm-world.ts", [String(MONITORS)]);
  const apiClient = await startBeside<"ready">("clients.ts", ["app"]);
  const token = await seed(location, world.ready);
  const server = await startServer(folder, {
    VEDETTE_RATE_LIMITS: "off",
    VEDETTE_LOG_LEVEL: "error",
    VEDETTE_RESOLVERS: world.ready.resolver,
    VEDETTE_REFERENCE_TARGETS: `127.0.0.1:${world.ready.reference}`,
    SMTP_URL: world.ready.smtp,
    ...(url !== null && { DATABASE_URL: url }),
  });
  try {
    await addChannels(server, token, world.ready);
    apiClient.child.send({
      url: server.url,
      token,
      paths: PATHS,
      aSecond: REQUESTS_A_SECOND,
    } satisfies SteadyOrder);
    // Everything has been checked once.
    await setTimeout(1_000 * INTERVAL_SECONDS + QUIET_MS / 2);
    await exchange<number[]>(apiClient.child, "take");
    await setTimeout(QUIET_MS);
    const quiet = await exchange<number[]>(apiClient.child, "take");
    const begunAt = Date.now();
    world.child.send(kind);
    await setTimeout(STORM_MS);
    const during = await exchange<number[]>(apiClient.child, "take");
    const receivedAt = await exchange<ReceivedAt>(world.child, "report");
    return measurements(name, { kind, begunAt, quiet, during, receivedAt, ...(await counts(location)) });
  } finally {
    await server.stop();
    for (const { child } of [world, apiClient]) child.disconnect();
  }
}

async function exchange<Answer>(child: ChildProcess, order: string): Promise<Answer> {
  const answered = once(child, "message");
  child.send(order);
  return ((await answered) as [Answer])[0];
}

async function seed(location: StoreLocation, { targets }: WorldReady): Promise<string> {
  const store = await openStore(location);
  const { token } = await seedMonitors(store, {
    monitors: MONITORS,
    intervalSeconds: INTERVAL_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    urlOf: (n) => `http://${hostOf(n)}:${targets}/`,
    locations: null,
  });
  await store.close();
  return token;
}

async function addChannels({ url }: RunningServer, token: string, { channels }: WorldReady): Promise<void> {
  const at = (path: string) => ({ url: `http://127.0.0.1:${channels}/${path}` });
  const wanted = [
    { type: "slack", config: at("slack") },
    { type: "mattermost", config: at("mattermost") },
    { type: "webhook", config: at("webhook") },
    // The address of who runs it: it needs no confirmation.
    { type: "email", config: { address: "bench@vedette.test" } },
  ];
  for (const channel of wanted) {
    const answer = await fetch(`${url}/api/notifications/channels`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: channel.type, ...channel }),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
}

async function counts(location: StoreLocation) {
  const store = await openStore(location, { readOnly: true });
  const count = async (table: "incidents" | "notifications" | "affected_services") =>
    Number(
      (
        await store.db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow()
      ).count,
    );
  try {
    const [incidents, notifications, members] = [
      await count("incidents"),
      await count("notifications"),
      await count("affected_services"),
    ];
    return { incidents, notifications, members };
  } finally {
    await store.close();
  }
}

interface Seen extends Awaited<ReturnType<typeof counts>> {
  kind: StormKind;
  begunAt: number;
  /** Milliseconds that answers took. */
  quiet: number[];
  during: number[];
  receivedAt: ReceivedAt;
}

function measurements(
  name: string,
  { kind, begunAt, quiet, during, receivedAt, ...counted }: Seen,
): Measurement[] {
  const inMinute = (path: string) => {
    const times = (receivedAt[path] ?? []).filter((at) => at >= begunAt);
    return times.filter((at) => at < (times[0] ?? 0) + MINUTE_MS).length;
  };
  const first = Math.min(...PEOPLE.flatMap((path) => (receivedAt[path] ?? []).filter((at) => at >= begunAt)));
  return [
    { name: `${name}: monitors down`, value: counted.members, unit: "" },
    { name: `${name}: incidents opened`, value: counted.incidents, unit: "", target: INCIDENTS[kind] },
    { name: `${name}: notifications`, value: counted.notifications, unit: "" },
    {
      name: `${name}: messages to a person in the first minute, most`,
      value: Math.max(...PEOPLE.map(inMinute)),
      unit: "a channel",
      target: { atMost: 2 },
    },
    { name: `${name}: messages to a program`, value: inMinute("webhook"), unit: "" },
    ...(Number.isFinite(first)
      ? [{ name: `${name}: failure to first message`, value: (first - begunAt) / 1_000, unit: "s" }]
      : []),
    { name: `${name}: API when quiet, p50`, value: quantile(quiet, 0.5), unit: "ms" },
    { name: `${name}: API when quiet, p99`, value: quantile(quiet, 0.99), unit: "ms" },
    { name: `${name}: API meanwhile, p50`, value: quantile(during, 0.5), unit: "ms" },
    {
      name: `${name}: API meanwhile, p99`,
      value: quantile(during, 0.99),
      unit: "ms",
      target: { atMost: 200 },
    },
    { name: `${name}: API meanwhile, longest`, value: Math.max(...during), unit: "ms" },
  ];
}
