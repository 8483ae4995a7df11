import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import type { CronSchedule, KindDefaults } from "../checks/check.ts";
import { hostProblem } from "../checks/guard.ts";
import { checkKind } from "../checks/registry.ts";
import type { Plan } from "../platform/access/plans.ts";
import type { FieldErrors } from "../platform/errors.ts";
import { cronGaps, cronProblem } from "../platform/formats/cron.ts";
import { cleanTags, nameProblem } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { MAX_INTERVAL_SECONDS, MONITOR_DEFAULTS, type MonitorKind } from "../platform/monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { fieldErrors } from "../platform/operations/field-errors.ts";
import { getValidator, type Problem } from "../platform/operations/validator.ts";
import { hiddenFields } from "../platform/secrets/config-secrets.ts";
import type { Report } from "./announce-change.ts";
import { requireCheckKind, rulesOf } from "./check-rules.ts";
import { shownTimeout } from "./monitor.ts";
import type { MonitorInput, MonitorSettings, SettingsChange, SettingsContext } from "./settings.ts";

/** Whether a result under one of the settings says something about the other too. */
export const isSameCheck = (one: MonitorSettings, other: MonitorSettings): boolean =>
  one.type === other.type && isDeepStrictEqual(one.config, other.config);

/** Of a name made of the target. */
const MAX_NAME_LENGTH = 255;

/** What decides about results, in a monitor of that type where nothing is said. */
const usualOfKind = (type: string): Required<KindDefaults> => {
  const { timeoutSeconds, confirmations, recoveries } = MONITOR_DEFAULTS;
  return { timeoutSeconds, confirmations, recoveries, ...checkKind(type)?.defaults };
};

/** A new monitor before anything is said about it: as often as is usual, or as the plan allows. */
export const newMonitor = (plan: Plan, kind: MonitorKind, type: string): MonitorSettings => ({
  name: "",
  type,
  config: {},
  target: "",
  displayTarget: "",
  ...MONITOR_DEFAULTS,
  ...usualOfKind(type),
  intervalSeconds: Math.max(
    MONITOR_KIND_TRAITS[kind].interval,
    MONITOR_KIND_TRAITS[kind].leastInterval(plan),
  ),
  locations: null,
  tags: [],
  parents: [],
});

/**
 * `base` with `input` applied: the settings, and what is wrong with them by field (the legacy family's names). The plan limits
 * only what was sent, so that a monitor made under a larger plan can still be renamed under a smaller one; likewise for targets
 * and their rule. Another type brings the usual settings of its kind.
 */
export function applyInput(
  base: MonitorSettings,
  input: MonitorInput,
  context: SettingsContext,
): { settings: MonitorSettings; problems: FieldErrors } {
  const problems: FieldErrors = {};
  const report: Report = (field, what) => void (problems[field] ??= []).push(what);
  const { name, type: _, config: __, locations: ___, tags, parents, ...rest } = input;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const { type = base.type } = input;
  const isOtherKind = type !== base.type;
  const settings: MonitorSettings = { ...base, ...(isOtherKind && usualOfKind(type)), ...given };
  const change: SettingsChange = { settings, base, input, context, isOtherKind, report };
  applyCheck(change);
  applyName(settings, name, report);
  applySchedule(change);
  applyLocations(change);
  settings.description = settings.description.trim();
  if (tags) settings.tags = cleanTags(tags);
  if (parents) settings.parents = [...new Set(parents.map((uuid) => uuid.toLowerCase()))];
  return { settings, problems };
}

function applyName(settings: MonitorSettings, name: string | null | undefined, report: Report): void {
  if (typeof name === "string") {
    settings.name = name.trim();
    const problem = nameProblem(settings.name);
    if (problem) report("name", problem);
  } else if (settings.name === "" && settings.target !== "") settings.name = hostOf(settings.displayTarget);
}

const hostOf = (target: string): string =>
  target
    .replace(/^https?:\/\//i, "")
    .replace(/[/?#].*$/s, "")
    .slice(0, MAX_NAME_LENGTH);

/** What is checked and how, and the target that follows from it. */
function applyCheck({ settings, base, input, context, isOtherKind, report }: SettingsChange): void {
  const { kind, targets } = context;
  const { configField } = MONITOR_KIND_TRAITS[kind];
  const { type = base.type, config: sent } = input;
  if (!sent && base.name !== "" && !isOtherKind) return;
  const check = requireCheckKind(type);
  const rules = rulesOf(type);
  const stored = isOtherKind ? {} : base.config;
  const retained = configField === null ? stored : hiddenFields(check.configSchema, stored);
  const reportField: Report = (field, what) =>
    report(configField === null ? field : `${configField}.${field}`, what);
  const changed = rules.change({ stored, retained, sent: sent ?? {} }, reportField);
  Object.assign(settings, { type, config: changed.config });
  if (configField !== null) {
    const invalid = Object.entries(configProblems(check.configSchema, changed.config, configField));
    for (const [field, problems] of invalid) for (const what of problems) report(field, what);
    if (invalid.length > 0) return;
  }
  const target = check.target(changed.config as never);
  // Sent back as it is stored, an address stays as it was typed.
  if (target === base.target && (changed.displayTarget ?? target) === target) return;
  Object.assign(settings, { target, displayTarget: changed.displayTarget ?? target });
  const named = target === base.target ? null : rules.host(changed.config);
  const problem = named && hostProblem(named.host, targets);
  if (problem) reportField(named.field, problem);
}

/** How often it is checked, how long a check may take, and how soon a failure is checked again. */
function applySchedule(change: SettingsChange): void {
  const { input, report } = change;
  if (applyCron(change)) return;
  const { plan, kind } = change.context;
  const limit = MONITOR_KIND_TRAITS[kind].leastInterval(plan);
  if (input.intervalSeconds !== undefined && input.intervalSeconds < limit) {
    report("checkInterval", msg("interval.plan", { limit, plan: plan.name }));
  }
  applyTimeout(change);
  boundRecheckDelay(change);
}

/** What runs by a cron expression has the interval that follows from it, whatever was sent. False: it does not. */
function applyCron(change: SettingsChange): boolean {
  const { settings, base, context, report } = change;
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
  const { name: plan, minIntervalSeconds: limit } = context.plan;
  const isNewSchedule = base.name === "" || cronOf(base)?.cron !== schedule.cron;
  if (isNewSchedule && interval < limit)
    report("protocolConfig.cron", msg("interval.cron", { plan, limit, interval }));
  return true;
}

function cronOf({ type, config }: { type: string; config: object }): CronSchedule | null {
  const check = checkKind(type);
  return check && "passive" in check ? check.passive.cron(config as never) : null;
}

function applyTimeout({ settings, base, input, isOtherKind, report }: SettingsChange): void {
  const check = checkKind(settings.type);
  if (check && !("run" in check)) {
    // Signalled types have no timeout; a late signal has its grace instead.
    if (shownTimeout(settings) !== (input.timeoutSeconds ?? shownTimeout(settings))) {
      report("timeout", msg("interval.passive", { type: check.type }));
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
  report(field, msg("interval.timeout", { timeout, interval }));
}

/** After the next scheduled run a recheck would decide nothing. */
function boundRecheckDelay({ settings, input, report }: SettingsChange): void {
  const { recheckDelaySeconds, intervalSeconds } = settings;
  if (recheckDelaySeconds <= intervalSeconds) return;
  if (input.recheckDelaySeconds === undefined && input.intervalSeconds === undefined) return;
  report(
    input.recheckDelaySeconds === undefined ? "checkInterval" : "recheckDelay",
    msg("interval.recheck", { delay: recheckDelaySeconds, interval: intervalSeconds }),
  );
}

/** From where it is checked; null: from every location. */
function applyLocations({ settings, base, input, context, report }: SettingsChange): void {
  const { plan, locations } = context;
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
        ? msg("location.none", { unknown })
        : msg("location.unknown", { unknown, known: known.join(", ") });
    report("locations", what);
  }
  if (most !== null && wanted.length > most) {
    const what =
      most === 1
        ? msg("location.one", { plan: plan.name })
        : msg("location.many", { plan: plan.name, limit: most });
    report("locations", what);
  }
  settings.locations = wanted;
}

/** What is wrong with a configuration by its kind's schema, by the path that begins with `field`. Defaults are not filled in. */
export function configProblems(schema: TSchema, config: object, field: string): FieldErrors {
  const validate = getValidator(schema, { isText: false });
  if (validate(structuredClone(config))) return {};
  const inField = ({ instancePath, ...problem }: Problem) => ({
    ...problem,
    instancePath: `/${field}${instancePath}`,
  });
  return fieldErrors((validate.errors ?? []).map(inField));
}
