import { planOf } from "../account/plans.ts";
import type { CheckOutcome } from "../check/check.ts";
import { type StopSignal, stopCheck } from "../check/deadline.ts";
import { activeKind } from "../check/registry.ts";
import { invalidInput } from "../errors.ts";
import { listLocations } from "../store/queries/locations.ts";
import type { Monitor } from "../store/queries/monitors.ts";
import type { Before } from "../verb/verb.ts";
import { applyInput, newMonitor } from "./apply-input.ts";
import { nothingToCheck } from "./check-now.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import type { OfKind } from "./monitor.ts";
import { openSettings } from "./sealed-settings.ts";
import type { MonitorInput } from "./settings.ts";

/**
 * Checks once what these settings would check, and keeps nothing: to see what comes of them before they are saved.
 * From the server itself, whatever the locations are. `stored`: the monitor that they would change, whose credentials
 * are used as saving would keep them. Throws 422 with every field that is wrong, 409 where nothing is checked.
 */
export async function trySettings(
  ctx: Before,
  { kind, input, stored }: OfKind & { input: MonitorInput; stored?: Monitor },
): Promise<CheckOutcome> {
  const plan = planOf(ctx.caller.plan);
  const locations = await listLocations(ctx.store.db);
  const facts = { kind, plan, locations, targets: ctx.network.policy };
  const type = MONITOR_KIND_FACTS[kind].type ?? input.type ?? "";
  const base = stored ? openSettings(ctx.secrets, stored) : newMonitor(plan, kind, type);
  const { settings, problems } = applyInput(base, input, facts);
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  const check = activeKind(settings.type);
  if (!check) throw nothingToCheck();
  return check.run(settings.config as never, {
    network: ctx.network,
    timeoutMs: settings.timeoutSeconds * 1_000,
    signal: stopWith(ctx.signal?.()),
  });
}

/** Ends the check once nobody waits for it. */
function stopWith(signal: AbortSignal | undefined): StopSignal {
  const stop: StopSignal = { isStopped: signal?.aborted ?? false, listener: null };
  signal?.addEventListener("abort", () => stopCheck(stop), { once: true });
  return stop;
}
