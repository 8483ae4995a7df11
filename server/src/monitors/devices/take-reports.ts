import { setTimeout as wait } from "node:timers/promises";
import { NOTHING_SEEN } from "../../checks/check.ts";
import type { ProbeResult } from "../../engine/probe/link.ts";
import { LOCAL } from "../../engine/probe/location-probe.ts";
import type { WatchedMonitor } from "../../engine/queries/states.ts";
import { hashToken } from "../../platform/access/random-tokens.ts";
import type { Context } from "../../platform/context.ts";
import { isUnavailable } from "../../platform/database/errors.ts";
import { PublicError, unauthenticated } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { type Before, verb } from "../../platform/operations/operation.ts";
import { inTurn } from "../heartbeats.ts";
import { type AuthenticatedDevice, findTokenHolder } from "../queries/devices.ts";
import { AgentAnswer, AgentReports, MAX_REPORT_BYTES, MAX_REPORTS } from "../schemas/agent-report.ts";
import type { ReportRequest } from "./new-reports.ts";
import { newestSnapshots } from "./pack-snapshots.ts";
import { type Outcome, storeReports } from "./store-reports.ts";

/** Requests within this time share a transaction, which costs little more than one. */
const BATCH_MS = 25;
const MOST_AT_ONCE = 200;

interface Waiting {
  request: ReportRequest;
  answer(outcome: Outcome): void;
  fail(error: unknown): void;
}

type EngineContext = Pick<Context, "engine">;

/** By engine: a process has one, tests have several. */
const waitingByEngine = new WeakMap<Context["engine"], Waiting[]>();

/** Shares a transaction with other requests; resolves when it is committed. Throws the store's error. */
function takeReports(ctx: EngineContext, request: ReportRequest): Promise<Outcome> {
  return new Promise((answer, fail) => {
    const waiting = waitingByEngine.get(ctx.engine);
    if (waiting) waiting.push({ request, answer, fail });
    else {
      waitingByEngine.set(ctx.engine, [{ request, answer, fail }]);
      void storeBatch(ctx);
    }
  });
}

async function storeBatch({ engine }: EngineContext): Promise<void> {
  await wait(BATCH_MS);
  const waiting = waitingByEngine.get(engine) ?? [];
  // Later requests belong to the next batch.
  waitingByEngine.delete(engine);
  for (let begin = 0; begin < waiting.length; begin += MOST_AT_ONCE) {
    await storeRound(engine, waiting.slice(begin, begin + MOST_AT_ONCE));
  }
}

async function storeRound(engine: Context["engine"], round: readonly Waiting[]): Promise<void> {
  const requests = round.map(({ request }) => request);
  let outcomes: Outcome[] = [];
  try {
    await engine.accept(requests.map(placeOf), async (trx, _, monitors) => {
      const stored = await storeReports(trx, requests);
      outcomes = stored.outcomes;
      return stored.results.map((result) => inOrder(result, monitors));
    });
    for (const [at, { answer }] of round.entries()) answer(outcomes[at] ?? { is: "unknown" });
  } catch (error) {
    // An invalid request must not fail the others.
    if (round.length === 1 || isUnavailable(error)) for (const { fail } of round) fail(error);
    else for (const one of round) await storeRound(engine, [one]);
  }
}

/** After the known results, even where another server's clock was ahead. */
function inOrder(result: ProbeResult, monitors: readonly WatchedMonitor[]): ProbeResult {
  const monitor = monitors.find(({ monitorId }) => monitorId === result.monitorId);
  return monitor ? { ...result, scheduledAt: inTurn(monitor.state, result.scheduledAt) } : result;
}

/** A placeholder until the monitor is locked: what is stored is decided after that. */
const placeOf = ({ holder, at }: ReportRequest): ProbeResult => ({
  monitorId: holder.monitorId,
  revision: holder.revision,
  location: LOCAL.code,
  scheduledAt: at,
  verdict: "ok",
  reason: null,
  ...NOTHING_SEEN,
});

const MINUTE_SECONDS = 60;
const APPLICATIONS_SECONDS = 6 * 3600;

const DEVICE_TOKEN = /^vda_[\w-]{43}$/;

/**
 * Each sequence once; resolves when it is stored. Throws 401 for an invalid token, and 409 while another
 * agent reports for the device.
 */
export const reportDevice = verb({
  by: "anyone",
  resource: null,
  // `prepare` stores it, in a transaction that reports of other devices share.
  action: "read",
  input: AgentReports,
  output: AgentAnswer,
  async prepare(ctx: Before<"anyone">, sent) {
    const { device, address } = ctx.visitor;
    if (!device) throw unauthenticated();
    const { tokenHash, ...holder } = device;
    const at = ctx.clock.now();
    const body = { ...sent, reports: inSequence(sent.reports) };
    const snapshots = await newestSnapshots(body, at);
    const outcome = await takeReports(ctx, { holder, tokenHash, body, snapshots, address, at });
    if (outcome.is === "unknown") throw unauthenticated();
    if (outcome.is === "rival") throw new PublicError("conflict", msg("device.rival"));
    return { acknowledged: outcome.acknowledged, metrics: holder.intervalSeconds };
  },
  async run(ctx, _, { acknowledged, metrics }) {
    // Lists need not come more often than metrics.
    const lists = Math.max(MINUTE_SECONDS, metrics);
    return {
      acknowledged,
      serverTime: ctx.clock.now(),
      intervals: { metrics, processes: lists, connections: lists, applications: APPLICATIONS_SECONDS },
      limits: { bodyBytes: MAX_REPORT_BYTES, reports: MAX_REPORTS },
    };
  },
});

/** Throws 401. */
export async function findAuthenticatedDevice(
  { store }: Pick<Context, "store">,
  token: string,
): Promise<AuthenticatedDevice> {
  const tokenHash = hashToken(token);
  const holder = DEVICE_TOKEN.test(token) ? await findTokenHolder(store.db, tokenHash) : undefined;
  if (!holder) throw unauthenticated();
  return { ...holder, tokenHash };
}

/** Ascending: what is stored up to an acknowledged sequence is never stored again. */
const inSequence = (reports: AgentReports["reports"]): AgentReports["reports"] =>
  reports
    .filter(({ sequence }, at) => reports.findIndex((one) => one.sequence === sequence) === at)
    .sort((one, other) => one.sequence - other.sequence);
