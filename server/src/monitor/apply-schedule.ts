import type { CronSchedule } from "../check/check.ts";
import { checkKind } from "../check/registry.ts";
import { cronGaps, cronProblem } from "../schedule/cron.ts";
import { fact } from "../texts/fact.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import { MAX_INTERVAL_SECONDS, MONITOR_DEFAULTS } from "./monitor-defaults.ts";
import type { SettingsChange } from "./settings-change.ts";
import { shownTimeout } from "./shown-timeout.ts";

/** How often it is checked, how long a check may take, and how soon a failure is checked again. */
export function applySchedule(change: SettingsChange): void {
  const { input, report } = change;
  if (applyCron(change)) return;
  const { plan, kind } = change.facts;
  const limit = MONITOR_KIND_FACTS[kind].leastInterval(plan);
  if (input.intervalSeconds !== undefined && input.intervalSeconds < limit) {
    report("checkInterval", fact("interval.plan", { limit, plan: plan.name }));
  }
  applyTimeout(change);
  boundRecheckDelay(change);
}

/** What runs by a cron expression has the interval that follows from it, whatever was sent. False: it does not. */
function applyCron(change: SettingsChange): boolean {
  const { settings, base, facts, report } = change;
  const schedule = cronOf(settings);
  if (schedule === null) {
    // What it had by a cron expression before may be more than can be set.
    settings.intervalSeconds = Math.min(settings.intervalSeconds, MAX_INTERVAL_SECONDS);
    return false;
  }
  applyTimeout(change);
  if (cronProblem(schedule.cron) !== null) return true;
  const { shortest: interval, longest } = cronGaps(schedule.cron);
  settings.intervalSeconds = longest;
  const { name: plan, minIntervalSeconds: limit } = facts.plan;
  const isNews = base.name === "" || cronOf(base)?.cron !== schedule.cron;
  if (isNews && interval < limit)
    report("protocolConfig.cron", fact("interval.cron", { plan, limit, interval }));
  return true;
}

function cronOf({ type, config }: { type: string; config: object }): CronSchedule | null {
  const check = checkKind(type);
  return check && "passive" in check ? check.passive.cron(config as never) : null;
}

function applyTimeout({ settings, base, input, isOtherKind, report }: SettingsChange): void {
  const check = checkKind(settings.type);
  if (check && !("run" in check)) {
    // Nothing is asked that could take its time; what is told may be late instead.
    if (shownTimeout(settings) !== (input.timeoutSeconds ?? shownTimeout(settings))) {
      report("timeout", fact("interval.passive", { type: check.type }));
    }
    settings.timeoutSeconds =
      "passive" in check
        ? check.passive.graceSeconds(settings.config as never, settings.intervalSeconds)
        : MONITOR_DEFAULTS.timeoutSeconds;
    return;
  }
  if ((base.name === "" || isOtherKind) && input.timeoutSeconds === undefined) {
    settings.timeoutSeconds = Math.min(settings.timeoutSeconds, settings.intervalSeconds - 1);
  }
  const { timeoutSeconds: timeout, intervalSeconds: interval } = settings;
  if (timeout < interval) return;
  const field = input.timeoutSeconds === undefined ? "checkInterval" : "timeout";
  report(field, fact("interval.timeout", { timeout, interval }));
}

/** After the next scheduled run it would settle nothing. */
function boundRecheckDelay({ settings, input, report }: SettingsChange): void {
  const { recheckDelaySeconds, intervalSeconds } = settings;
  if (recheckDelaySeconds <= intervalSeconds) return;
  if (input.recheckDelaySeconds === undefined && input.intervalSeconds === undefined) return;
  report(
    input.recheckDelaySeconds === undefined ? "checkInterval" : "recheckDelay",
    fact("interval.recheck", { delay: recheckDelaySeconds, interval: intervalSeconds }),
  );
}

/** From where it is checked; null: from every location. */
export function applyLocations({ settings, base, input, facts, report }: SettingsChange): void {
  const { plan, locations } = facts;
  const most = plan.locationsPerMonitor;
  if (input.locations === undefined && base.name !== "") return;
  const wanted = [...new Set(input.locations)];
  if (wanted.length === 0) {
    // "Every location" would outgrow a plan that limits them as soon as one is added.
    settings.locations =
      most === null || locations.length === 0 ? null : locations.slice(0, most).map(({ code }) => code);
    return;
  }
  const known = locations.map(({ code }) => code);
  const unknown = wanted.filter((code) => !known.includes(code)).join(", ");
  if (unknown !== "") {
    const what =
      known.length === 0
        ? fact("location.none", { unknown })
        : fact("location.unknown", { unknown, known: known.join(", ") });
    report("locations", what);
  }
  if (most !== null && wanted.length > most) {
    const what =
      most === 1
        ? fact("location.one", { plan: plan.name })
        : fact("location.many", { plan: plan.name, limit: most });
    report("locations", what);
  }
  settings.locations = wanted;
}
