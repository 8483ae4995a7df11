import { appendEvents } from "../platform/database/events.ts";
import type { MessageDescriptor } from "../platform/i18n/message.ts";
import { eventOf, projectMonitorChange } from "../platform/live-events.ts";
import type { MonitorKind } from "../platform/monitor-defaults.ts";
import type { Running } from "../platform/operations/operation.ts";
import { noteMonitors } from "./queries/monitor-changes.ts";

/** What has the servers read their pages again, in a transaction. */
export type ChangingPages = Pick<Running, "db" | "clock" | "live" | "after">;

/** The status pages that show monitors (status-pages/found-page.ts). */
export interface StatusPages {
  /** Has every server read them again; the previous version is still served while the store is away. */
  renew(ctx: ChangingPages, monitorIds: readonly number[]): Promise<void>;
  /** The same; the previous version is no longer served. */
  forget(ctx: ChangingPages, monitorIds: readonly number[]): Promise<void>;
}

declare module "../platform/context.ts" {
  interface Context {
    statusPages: StatusPages;
  }
}

/**
 * Says that monitors of the caller's organization changed: to this process's engine and live stream once it is
 * committed, to other replicas' engines and open pages through the event log, and to the status pages that show them. One
 * event for all of them. `areGone`: they were deleted.
 */
export async function announceChange(
  ctx: Running,
  kind: MonitorKind,
  monitorIds: readonly number[],
  { areGone = false } = {},
): Promise<void> {
  if (monitorIds.length === 0) return;
  await ctx.statusPages[areGone ? "forget" : "renew"](ctx, monitorIds);
  const { organizationId } = ctx.caller;
  const payload = projectMonitorChange(monitorIds);
  const event = { organizationId, type: eventOf(kind, "monitor.changed"), payload };
  appendEvents(ctx.db, [event], ctx.clock.now());
  // How severe it is, its tags and what it depends on decide who is notified.
  await noteMonitors(
    ctx.db,
    monitorIds.map((monitorId) => ({ organizationId, monitorId })),
    ctx.clock.now(),
  );
  ctx.after(() => {
    for (const id of monitorIds) ctx.engine.monitorChanged(id);
    ctx.live.wake();
  });
}

/** Notes what is wrong with a field (legacy names, nested as `authConfig.token`). */
export type Report = (field: string, what: MessageDescriptor) => void;

/** A change of a check's configuration. */
export interface ConfigChange<Config extends object = object> {
  /** What there is; `{}` for a new monitor and for one of another kind of check before. */
  stored: Partial<Config>;
  /** What of it stays where nothing is sent. */
  retained: Partial<Config>;
  sent: Partial<Config>;
}

/** What a change led to. */
export interface Changed<Config extends object = object> {
  config: Config;
  /** The target as it was typed, where that is not how it is compared; absent while it is what it was. */
  displayTarget?: string;
}
