import { type Static, Type } from "typebox";
import { NOTHING_SEEN, type PassiveKind } from "../checks/check.ts";
import { checkKind } from "../checks/registry.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import { LOCAL } from "../engine/probe/location-probe.ts";
import { findAssignment } from "../engine/queries/assignments.ts";
import { lockStates } from "../engine/queries/states.ts";
import type { PrepareResults } from "../engine/results/store-results.ts";
import { newestVote } from "../engine/status/late-signals.ts";
import type { MonitorState } from "../engine/status/state.ts";
import { isSameSecret } from "../platform/access/random-tokens.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { notFound } from "../platform/errors.ts";
import { type MessageDescriptor, msg, withoutUnseen } from "../platform/i18n/message.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { readId, Timestamp, timestamp, withId } from "../platform/operations/field.ts";
import { type Before, verb } from "../platform/operations/operation.ts";
import { openConfig } from "../platform/secrets/secret-box.ts";
import type { HeartbeatSignal } from "../platform/signalled-types.ts";
import { readHeartbeatLog } from "./heartbeat-log.ts";
import { findOfKind } from "./monitor.ts";
import { endRun, insertSignal, startRun } from "./queries/heartbeats.ts";
import { HeartbeatEvent, HeartbeatInput, HeartbeatsQuery, projectHeartbeat } from "./schemas/services.ts";

/** A signal from a job. Milliseconds. */
interface ReceivedSignal {
  monitor: { monitorId: number; revision: number };
  signal: HeartbeatSignal;
  exitCode: number | null;
  at: number;
  /** What the job calls its run; empty: nothing. */
  run: string;
  message: string | null;
  isCut: boolean;
  maxRunMs: number;
  address: string;
}

/** Stores it with all that follows from it, in one transaction. Throws the store's error. */
async function storeSignal(
  ctx: Pick<Context, "store" | "engine" | "secrets">,
  signalled: ReceivedSignal,
): Promise<void> {
  const { signal, monitor, message } = signalled;
  const entry = {
    signalledAt: signalled.at,
    signal,
    exitCode: signalled.exitCode,
    run: signalled.run,
    message: message === null ? null : ctx.secrets.seal(message),
    isCut: signalled.isCut,
  };
  if (signal === "ok" || signal === "fail") {
    return ctx.engine.accept(
      [resultOf(signalled)],
      prepareRunEnd(signalled, async (trx, signalledAt) => {
        if (message !== null) await insertSignal(trx, monitor.monitorId, { ...entry, signalledAt });
      }),
    );
  }
  await ctx.store.transaction(async (trx) => {
    // Serialized with other signals of this monitor, and with the job that records missed ones.
    if ((await lockStates(trx, [monitor.monitorId])).length === 0) return;
    if (signal === "start") {
      const { run, at: startedAt, maxRunMs } = signalled;
      await startRun(trx, monitor.monitorId, { run, startedAt, lateAt: startedAt + maxRunMs });
    }
    await insertSignal(trx, monitor.monitorId, entry);
  });
}

const resultOf = ({ monitor, signal, exitCode, at, address }: ReceivedSignal): ProbeResult => ({
  monitorId: monitor.monitorId,
  revision: monitor.revision,
  location: LOCAL.code,
  scheduledAt: at,
  verdict: signal === "ok" ? "ok" : "failed",
  reason: signal === "ok" ? null : failure(exitCode),
  ...NOTHING_SEEN,
  address,
});

const failure = (exitCode: number | null): MessageDescriptor =>
  exitCode === null ? msg("job.failed") : msg("job.exit", { exit: exitCode });

/** The run ends: its runtime counts from its start. `keep`: what else is stored, with the time it counts at. */
function prepareRunEnd(
  { run }: ReceivedSignal,
  keep: (trx: Db, at: number) => Promise<void>,
): PrepareResults {
  return async (trx, [result], [monitor]) => {
    if (!result || !monitor) return [];
    const startedAt = await endRun(trx, result.monitorId, run);
    const scheduledAt = inTurn(monitor.state, result.scheduledAt);
    await keep(trx, scheduledAt);
    const isOfBefore = startedAt === null || startedAt < (monitor.state.watchedSince ?? 0);
    const totalUs = isOfBefore ? null : Math.max(0, scheduledAt - startedAt) * 1000;
    return [{ ...result, scheduledAt, phases: { ...result.phases, totalUs } }];
  };
}

/**
 * Signals count in the order in which they arrive, even if another server's clock is slightly behind, and within one
 * millisecond.
 */
export function inTurn(state: MonitorState, at: number): number {
  const lastAt = newestVote(state)?.lastAt ?? 0;
  return lastAt >= at && lastAt - at < MAX_CLOCK_DIFFERENCE_MS ? lastAt + 1 : at;
}

const MAX_EXIT_CODE = 255;

/**
 * Takes a job's signal from any client that knows the token; stored, in a transaction of its own, when this resolves. Throws
 * 404 for any other token, and for an unknown signal.
 */
export const receiveHeartbeat = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: HeartbeatInput,
  output: Type.Object(
    {
      receivedAt: Timestamp,
      counted: Type.Boolean({ description: "False while the service is paused." }),
    },
    { title: "Heartbeat" },
  ),
  prepare: receiveSignal,
  run: async (_ctx, _input, signalled) => signalled,
});

async function receiveSignal(ctx: Before<"anyone">, input: Static<typeof HeartbeatInput>) {
  const { monitor, passive, config } = await findHeartbeat(ctx, input);
  const signalled = readSignal(input.signal);
  if (signalled === null) throw notFound();
  const now = ctx.clock.now();
  const receivedAt = timestamp(now);
  if (!monitor.enabled) return { receivedAt, counted: false };
  await storeSignal(ctx, {
    ...signalled,
    monitor,
    at: now,
    run: input.rid ?? "",
    message: input.message ?? null,
    isCut: input.cut ?? false,
    maxRunMs: passive.maxRunSeconds(config as never) * 1000,
    address: ctx.visitor.address,
  });
  return { receivedAt, counted: true };
}

interface FoundHeartbeat extends Pick<PassiveKind, "passive"> {
  monitor: ReceivedSignal["monitor"] & { enabled: boolean };
  config: object;
}

/** The monitor of that address. Throws 404, alike for whatever is wrong with it. */
async function findHeartbeat(
  ctx: Before<"anyone">,
  { id, token }: Static<typeof HeartbeatInput>,
): Promise<FoundHeartbeat> {
  const ref = readId(id);
  const monitor = ref && (await findAssignment(ctx.store.db, ref));
  const kind = monitor && checkKind(monitor.type);
  if (!monitor || !kind || !("passive" in kind)) throw notFound();
  const config = openConfig(ctx.secrets, monitor);
  const wanted = kind.passive.token(config as never);
  if (wanted === null || !isSameSecret(token, wanted)) throw notFound();
  return { monitor, passive: kind.passive, config };
}

/** What the last part of the address says; null for what is none. */
function readSignal(text = ""): { signal: HeartbeatSignal; exitCode: number | null } | null {
  if (text === "") return { signal: "ok", exitCode: null };
  if (text === "start" || text === "fail" || text === "log") return { signal: text, exitCode: null };
  if (!/^\d{1,3}$/.test(text) || Number(text) > MAX_EXIT_CODE) return null;
  return { signal: Number(text) === 0 ? "ok" : "fail", exitCode: Number(text) };
}

const { resource, feature } = MONITOR_KIND_TRAITS.service;

/** The signals of a heartbeat's job, newest first (readHeartbeatLog). */
export const listHeartbeats = verb({
  resource,
  feature,
  action: "read",
  input: withId(HeartbeatsQuery),
  output: HeartbeatEvent,
  find: findOfKind("service"),
  async run(ctx, { before, limit = 100 }, { id }) {
    const page = { before: before === undefined ? undefined : Date.parse(before), limit };
    return (await readHeartbeatLog(ctx, id, page)).map(projectHeartbeat);
  },
});

/** Of what a job sends along. */
export const MAX_MESSAGE_BYTES = 10_000;

/** What a job sent along, as text; `isCut`: it was longer. */
interface HeartbeatMessage {
  text: string;
  isCut: boolean;
}

/** The colours of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const ESCAPES = /\x1b\[[0-9;?]*[ -/]*[@-~]/g;

/** Arbitrary bytes as text that can be stored and shown; null where none is left. */
export function heartbeatMessage(bytes: Uint8Array): HeartbeatMessage | null {
  const isCut = bytes.length > MAX_MESSAGE_BYTES;
  // The end may have cut a character in two, which is then left out.
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_MESSAGE_BYTES), { stream: isCut });
  const visible = text
    .replace(ESCAPES, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\t\n\x20-\x7e\u00a0-\u{10ffff}]/gu, "\ufffd");
  const shown = withoutUnseen(visible).trimEnd();
  return shown === "" ? null : { text: shown, isCut };
}
