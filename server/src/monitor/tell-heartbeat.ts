import { timingSafeEqual } from "node:crypto";
import { NO_PHASES } from "../check/check.ts";
import { checkKind } from "../check/registry.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { LOCAL } from "../probe/location-probe.ts";
import { findAssignment } from "../store/queries/assignments.ts";
import type { MonitorRef } from "../store/queries/monitors.ts";
import { openConfig } from "./sealed-config.ts";

/** What came of a heartbeat. */
export interface HeardHeartbeat {
  receivedAt: number;
  /** False while the monitor is paused. */
  counted: boolean;
}

/** Whoever knows the token says that all is well; stored when this resolves. Throws 404 for any other. */
export async function tellHeartbeat(
  ctx: Context,
  { ref, token, address }: { ref: MonitorRef; token: string; address: string },
): Promise<HeardHeartbeat> {
  const monitor = await findAssignment(ctx.store.db, ref);
  const kind = monitor && checkKind(monitor.type);
  if (!kind || !("passive" in kind)) throw notFound();
  if (!isSame(token, kind.passive.token(openConfig(ctx.secrets, monitor) as never))) throw notFound();
  const receivedAt = ctx.clock.now();
  if (!monitor.enabled) return { receivedAt, counted: false };
  await ctx.engine.accept({
    monitorId: monitor.monitorId,
    revision: monitor.revision,
    location: LOCAL.code,
    scheduledAt: receivedAt,
    verdict: "ok",
    reason: null,
    statusCode: null,
    address,
    protocol: null,
    phases: NO_PHASES,
  });
  return { receivedAt, counted: true };
}

/** In a time that says nothing about how much of it is right. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other);
}
