import { activeKind } from "../check/registry.ts";
import { notFound, PublicError } from "../errors.ts";
import type { ProbeResult } from "../probe/link.ts";
import { SILENT_MS } from "../probe/membership.ts";
import { findMonitor, type Monitor } from "../store/queries/monitors.ts";
import { hasLiveProbe } from "../store/queries/probes.ts";
import { fact } from "../texts/fact.ts";
import type { Before } from "../verb/verb.ts";

/** Beyond the check's own timeout: for the way to the probe and into the store. Together within a second of it. */
const WAY_MS = 900;
const RETRY_SECONDS = 5;

/**
 * Has a monitor checked now by all probes that have it, and gives the first result once it is stored; it counts like
 * any other. Throws 409 for a monitor that is paused or that nothing checks, 404 for one deleted meanwhile, 503
 * when no probe is there or no result comes in time.
 */
export async function checkNow(ctx: Before, monitor: Monitor): Promise<ProbeResult> {
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

/** 409: the status of such a monitor follows from what it is told. */
export const nothingToCheck = () => new PublicError("conflict", fact("check.passive"));

const paused = () => new PublicError("conflict", fact("check.paused"));

const late = (code: "check.late" | "check.nowhere") =>
  new PublicError("unavailable", fact(code), { retryAfterSeconds: RETRY_SECONDS });
