import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { Type } from "typebox";
import type { Clock } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { answerWith, sendAnswer } from "../../platform/http/answer.ts";
import { defineRawRoute } from "../../platform/http/define-route.ts";
import type { JobStats } from "../../platform/jobs.ts";
import { takeTurns } from "../../platform/turns.ts";
import { readGauges } from "../gauges.ts";
import { deviceMetrics, monitorMetrics } from "../schemas/metrics.ts";

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Several scrapers cost no more than one, and get nothing older than a check takes. */
const CACHE_MS = 5_000;
/** Reading process statistics takes 5 ms of the main thread, and compressing all megabytes: too much for each of a hundred scrapers. */
const TEXT_CACHE_MS = 1_000;

/** The organization that the installation was set up with. */
const OPERATOR = 1;

/**
 * Prometheus metrics of process, API, engine, monitors and devices. A key sees its own organization; a local
 * scraper without key (VEDETTE_METRICS) sees all. With open sign-up, metrics of the installation are for the
 * operator only, and tenants could inflate each other's answers.
 */
export function registerMetrics(app: FastifyInstance, ctx: Context): void {
  const [engine, api] = [new Registry(), new Registry()];
  const ofProcess = processMetrics();
  measureRequests(app, api);
  countVisitors(app, api);
  countFaults(app, api);
  measureEngine(ctx, engine);
  measureJobs(ctx, api);
  const gaugesOf = rememberShortly(ctx.clock, CACHE_MS, (id: number | null) => writeGauges(ctx, id));
  const textWith = rememberShortly(ctx.clock, TEXT_CACHE_MS, async ({ organizationId, pieces }: Gauges) => {
    const isOperators =
      organizationId === null || organizationId === OPERATOR || ctx.config.signup !== "open";
    const own = isOperators ? [await ofProcess.metrics(), await api.metrics()] : [];
    const texts = [await engine.metrics(), ...own].map((text) => Buffer.from(text));
    return answerWith(Buffer.concat([...texts, ...pieces]), {
      "content-type": engine.contentType,
      ...{ "cache-control": "no-store", vary: "accept-encoding" },
    });
  });
  defineRawRoute(app, ctx, {
    method: "GET",
    url: "/metrics",
    family: "legacy",
    resource: "metrics",
    feature: "full",
    loopback: true,
    summary: "Metrics in Prometheus' text format",
    description:
      "Needs `read:metrics` and shows the monitors and devices of your organization, as they were at most 5 seconds ago, and those of the server's process a second. With `VEDETTE_METRICS=loopback` a scraper on the server's own machine needs no key and sees every organization's.",
    content: { "text/plain": Type.String({ examples: ["vedette_engine_ticking 1"] }) },
    handler: async (_, { raw }, reply) =>
      sendAnswer(await textWith(await gaugesOf(raw.caller?.organizationId ?? null)), raw, reply),
  });
}

/** What an organization's monitors and devices say, of all organizations where it is null. In parts: ten thousand monitors make several megabytes. */
interface Gauges {
  organizationId: number | null;
  pieces: Buffer[];
}

async function writeGauges(ctx: Context, organizationId: number | null): Promise<Gauges> {
  const { monitors, devices } = await readGauges(ctx, organizationId);
  const giveWay = takeTurns();
  const pieces: Buffer[] = [];
  for (const metrics of [monitorMetrics(monitors), deviceMetrics(devices)]) {
    for (const text of metrics) {
      if (text !== "") pieces.push(Buffer.from(text));
      await giveWay();
    }
  }
  return { organizationId, pieces };
}

/** Gauges whose names linters reject; prom-client also has them by type. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

let processRegistry: Registry | undefined;

/**
 * One registry per process, for any number of servers: its garbage collection observer and event loop sampler
 * never stop, and what they refer to is never collected.
 */
function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
    for (const name of MISNAMED) processRegistry.removeSingleMetric(name);
  }
  return processRegistry;
}

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: "vedette_http_request_duration_seconds",
    help: "Time from receiving a request to the end of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  app.addHook("onResponse", async (request, reply) => {
    // The route's pattern: ids must not become label values.
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? "none",
      status: reply.statusCode,
    };
    durations.observe(labels, reply.elapsedTime / 1000);
  });
}

/** Only counted: the router never sees them. */
function countVisitors(app: FastifyInstance, registry: Registry): void {
  const answers = new Counter({
    name: "vedette_status_page_answers_total",
    help: "Answers to visitors of status pages that came from memory, before the router, since the start.",
    labelNames: ["from"],
    registers: [],
    collect() {
      this.reset();
      this.inc({ from: "memory" }, app.answeredFromMemory());
    },
  });
  registry.registerMetric(answers);
}

function countFaults(app: FastifyInstance, registry: Registry): void {
  const faults = new Counter({
    name: "vedette_connection_faults_total",
    help: "Connections closed after an unexpected exception, since the start. Each is a bug: see the log.",
    registers: [],
    collect() {
      this.reset();
      this.inc(app.faults.count());
    },
  });
  registry.registerMetric(faults);
}

function measureEngine(ctx: Context, registry: Registry): void {
  const measure = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  const count = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const health = () => ctx.engine.health();
  measure("vedette_engine_ticking", "1 while checks are being run.", () => (health().ticking ? 1 : 0));
  measure("vedette_engine_monitors", "Monitors this process checks.", () => health().monitors);
  measure(
    "vedette_clock_believed",
    "0 while the clock is more than a day away from where it can be: no history is removed, and no notifications about certificates are sent.",
    () => (health().isClockTrusted ? 1 : 0),
  );
  measure("vedette_engine_queued_results", "Results not stored yet.", () => health().queuedResults);
  count("vedette_engine_checks_total", "Checks done since the start.", () => health().checksTotal);
  count("vedette_engine_skipped_total", "Checks skipped since the start.", () => health().skippedTotal);
  measure(
    "vedette_engine_lateness_p99_seconds",
    "How late checks start, 99th percentile of the last minute.",
    () => health().lateness99Ms / 1000,
  );
}

/** What time sets off on this server. */
function measureJobs(ctx: Context, registry: Registry): void {
  const labelNames = ["job"];
  const setAll = (set: (job: string, stats: Readonly<JobStats>) => void) => {
    for (const stats of ctx.engine.jobs()) set(stats.name, stats);
  };
  const measure = (name: string, help: string, read: (stats: Readonly<JobStats>) => number) =>
    new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      collect() {
        setAll((job, stats) => this.set({ job }, read(stats)));
      },
    });
  const count = (name: string, help: string, read: (stats: Readonly<JobStats>) => number) =>
    new Counter({
      ...{ name, help, labelNames, registers: [registry] },
      collect() {
        this.reset();
        setAll((job, stats) => this.inc({ job }, read(stats)));
      },
    });
  count("vedette_job_runs_total", "Runs of a job since the start.", ({ runs }) => runs);
  count("vedette_job_failures_total", "Runs that failed since the start.", ({ failures }) => failures);
  measure(
    "vedette_job_last_run_timestamp_seconds",
    "When the last run began; 0: none has ended yet.",
    ({ startedAt }) => (startedAt ?? 0) / 1_000,
  );
  measure("vedette_job_last_duration_seconds", "How long the last run took.", ({ tookMs }) => tookMs / 1_000);
}

/**
 * Caches `make`'s answer by key for `forMs` milliseconds, shared by concurrent requests. Failures are not
 * cached.
 */
export function rememberShortly<Key, Value>(
  clock: Clock,
  forMs: number,
  make: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const known = new Map<Key, { at: number; isMade: boolean; answer: Promise<Value> }>();
  return (key) => {
    const now = clock.now();
    for (const [each, { at, isMade }] of known) {
      // A running one is shared however long it takes; a clock that was set back makes no entry fresh again.
      if (isMade && (at > now || now - at >= forMs)) known.delete(each);
    }
    const found = known.get(key);
    if (found) return found.answer;
    const made = { at: now, isMade: false, answer: make(key) };
    known.set(key, made);
    made.answer.then(
      () => {
        made.isMade = true;
      },
      () => void known.delete(key),
    );
    return made.answer;
  };
}
