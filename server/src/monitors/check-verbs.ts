import type { Static, TObject, TSchema } from "typebox";
import type { CheckOutcome } from "../checks/check.ts";
import { type StopSignal, stopCheck } from "../checks/deadline.ts";
import { activeKind } from "../checks/registry.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import { SILENT_MS } from "../engine/probe/membership.ts";
import { planOf } from "../platform/access/plans.ts";
import { hasLiveProbe, listLocations } from "../platform/database/installation.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { IdParams, withId } from "../platform/operations/field.ts";
import { type Before, verb } from "../platform/operations/operation.ts";
import { applyInput, newMonitor } from "./apply-input.ts";
import { openSettings } from "./check-rules.ts";
import { findOfKind, type OfKind } from "./monitor.ts";
import { findMonitor, type Monitor } from "./queries/monitors.ts";
import { CheckTest, ManualCheck, projectCheckTest, projectManualCheck } from "./schemas/check-result.ts";
import type { MonitorInput } from "./settings.ts";

/** What may be said of one kind of monitor. */
interface Shapes<C extends TSchema> extends OfKind {
  create: C;
  update: TObject;
  readInput(body: object): MonitorInput;
}

/** To check monitors of one kind at once: those that are watched, and those whose settings are not saved yet. */
export function checkVerbs<C extends TSchema>({ kind, create, update, readInput }: Shapes<C>) {
  const { resource, feature } = MONITOR_KIND_TRAITS[kind];
  // No row in the audit log: nothing is changed, and scripts do it after every deployment.
  const checks = { resource, feature, action: "write", audit: null } as const;
  // Nothing changes here, but a check of HTTP may be a POST or a DELETE, and others send texts.
  const hints = { openWorld: true, destructive: "elsewhere", idempotent: false } as const;
  const find = findOfKind(kind);
  return {
    /** Checks one now; the result counts (checkNow). */
    check: verb({
      ...checks,
      hints,
      input: IdParams,
      output: ManualCheck,
      find,
      prepare: (ctx, _, found) => checkNow(ctx, found),
      run: async (_ctx, _input, result) => projectManualCheck(result),
    }),
    /** Checks once what would be created (trySettings). */
    test: verb({
      ...checks,
      hints,
      input: create,
      output: CheckTest,
      prepare: (ctx, input: Static<C>) => trySettings(ctx, { kind, input: readInput(input as object) }),
      run: async (_ctx, _input, outcome) => projectCheckTest(outcome),
    }),
    /** Checks one once as it would be after a change (trySettings). */
    testChange: verb({
      ...checks,
      hints,
      input: withId(update),
      output: CheckTest,
      find,
      prepare: (ctx, input, stored) => trySettings(ctx, { kind, input: readInput(input), stored }),
      run: async (_ctx, _input, outcome) => projectCheckTest(outcome),
    }),
  };
}

/**
 * Checks once what these settings would check, and keeps nothing: to see what comes of them before they are saved.
 * From the server itself, whatever the locations are. `stored`: the monitor that they would change, whose credentials
 * are used as saving would keep them. Throws 422 with every field that is wrong, 409 where nothing is checked.
 */
async function trySettings(
  ctx: Before,
  { kind, input, stored }: OfKind & { input: MonitorInput; stored?: Monitor },
): Promise<CheckOutcome> {
  const plan = planOf(ctx.caller.plan);
  const locations = await listLocations(ctx.store.db);
  const context = { kind, plan, locations, targets: ctx.network.policy };
  const type = MONITOR_KIND_TRAITS[kind].type ?? input.type ?? "";
  const base = stored ? openSettings(ctx.secrets, stored) : newMonitor(plan, kind, type);
  const { settings, problems } = applyInput(base, input, context);
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  const check = activeKind(settings.type);
  if (!check) throw nothingToCheck();
  return check.run(settings.config as never, {
    network: ctx.network,
    timeoutMs: settings.timeoutSeconds * 1_000,
    signal: stopWith(ctx.signal?.()),
  });
}

/** Ends the check once the client has gone. */
function stopWith(signal: AbortSignal | undefined): StopSignal {
  const stop: StopSignal = { isStopped: signal?.aborted ?? false, listener: null };
  signal?.addEventListener("abort", () => stopCheck(stop), { once: true });
  return stop;
}

/** Beyond the check's own timeout: for the way to the probe and into the store. Together within a second of it. */
const WAY_MS = 900;
const RETRY_SECONDS = 5;

/**
 * Has a monitor checked now by all probes that have it, and gives the first result once it is stored; it counts like
 * any other. Throws 409 for a monitor that is paused or that nothing checks, 404 for one deleted meanwhile, 503
 * when no probe is there or no result comes in time.
 */
async function checkNow(ctx: Before, monitor: Monitor): Promise<ProbeResult> {
  const { id, organizationId, kind, type, enabled, locations, timeoutSeconds } = monitor;
  const { db } = ctx.store;
  if (!activeKind(type)) throw nothingToCheck();
  if (!enabled) throw paused();
  const now = ctx.clock.now();
  if (!(await hasLiveProbe(db, locations, { from: now - SILENT_MS, to: now + SILENT_MS }))) {
    throw late("check.nowhere");
  }
  const signal = ctx.signal?.();
  const waitMs = timeoutSeconds * 1_000 + WAY_MS;
  const result = await ctx.engine.checkNow(id, { waitMs, ...(signal && { signal }) });
  if (result) return result;
  const left = await findMonitor(db, { organizationId, kind, ref: { id } });
  if (!left) throw notFound();
  throw left.enabled ? late("check.late") : paused();
}

/** 409: the status of such a monitor follows from the signals that it receives. */
const nothingToCheck = () => new PublicError("conflict", msg("check.passive"));

const paused = () => new PublicError("conflict", msg("check.paused"));

const late = (code: "check.late" | "check.nowhere") =>
  new PublicError("unavailable", msg(code), { retryAfterSeconds: RETRY_SECONDS });
