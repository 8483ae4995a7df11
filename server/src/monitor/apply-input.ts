import { isDeepStrictEqual } from "node:util";
import { nameProblem } from "../account/name.ts";
import type { Plan } from "../account/plans.ts";
import type { KindDefaults } from "../check/check.ts";
import type { TargetPolicy } from "../check/guard.ts";
import { checkKind } from "../check/registry.ts";
import type { FieldErrors } from "../errors.ts";
import { hiddenFields } from "../secret/config-secrets.ts";
import type { Location } from "../store/queries/locations.ts";
import { fact } from "../texts/fact.ts";
import { requireCheckKind, rulesOf } from "./check-rules.ts";
import type { Report } from "./config-change.ts";
import { configProblems } from "./config-problems.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import { MONITOR_DEFAULTS, type MonitorKind } from "./monitor-defaults.ts";
import type { MonitorInput, MonitorSettings } from "./settings.ts";
import { shownTimeout } from "./shown-timeout.ts";
import { cleanTags } from "./tags.ts";
import { hostProblem } from "./target.ts";

/** Whether a result under one of the settings says something about the other too. */
export const isSameCheck = (one: MonitorSettings, other: MonitorSettings): boolean =>
  one.type === other.type && isDeepStrictEqual(one.config, other.config);

/** What settings are measured against. */
export interface SettingsFacts {
  kind: MonitorKind;
  plan: Plan;
  locations: readonly Location[];
  targets: TargetPolicy;
}

/** Of a name made of the target. */
const MAX_NAME_LENGTH = 255;

/** What decides about results, in a monitor of that type where nothing is said. */
const usualOfKind = (type: string): Required<KindDefaults> => {
  const { timeoutSeconds, confirmations, recoveries } = MONITOR_DEFAULTS;
  return { timeoutSeconds, confirmations, recoveries, ...checkKind(type)?.defaults };
};

/** A new monitor before anything is said about it: as often as is usual, or as the plan allows. */
export const newMonitor = (plan: Plan, type: string): MonitorSettings => ({
  name: "",
  type,
  config: {},
  target: "",
  displayTarget: "",
  ...MONITOR_DEFAULTS,
  ...usualOfKind(type),
  intervalSeconds: Math.max(MONITOR_DEFAULTS.intervalSeconds, plan.minIntervalSeconds),
  locations: null,
  tags: [],
});

/**
 * `base` with `input` applied: the settings, and what is wrong with them by field (the legacy
 * family's names). Only what was sent is judged by the plan, so that a monitor made under a larger
 * plan can still be renamed under a smaller one; so it is with targets and the rule about them.
 * With another type come the settings that are usual of its kind.
 */
export function applyInput(
  base: MonitorSettings,
  input: MonitorInput,
  facts: SettingsFacts,
): { settings: MonitorSettings; problems: FieldErrors } {
  const problems: FieldErrors = {};
  const report: Report = (field, what) => void (problems[field] ??= []).push(what);
  const { name, type: _, config: __, locations: ___, tags, ...rest } = input;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const isNew = base.name === "";
  const { type = base.type } = input;
  const isOtherKind = type !== base.type;
  const settings: MonitorSettings = { ...base, ...(isOtherKind && usualOfKind(type)), ...given };
  applyCheck(settings, base, input, facts, report);
  applyName(settings, name, report);
  applySchedule(settings, input, facts, isNew || isOtherKind, report);
  boundRecheckDelay(settings, input, report);
  applyLocations(settings, input, facts, isNew, report);
  if (tags) settings.tags = cleanTags(tags);
  return { settings, problems };
}

/** What is checked and how, and the target that follows from it. */
function applyCheck(
  settings: MonitorSettings,
  base: MonitorSettings,
  input: MonitorInput,
  { kind, targets }: SettingsFacts,
  report: Report,
): void {
  const { configField } = MONITOR_KIND_FACTS[kind];
  const { type = base.type, config: sent } = input;
  const isNew = base.name === "" || type !== base.type;
  if (!sent && !isNew) return;
  const check = requireCheckKind(type);
  const rules = rulesOf(type);
  const stored = type === base.type ? base.config : {};
  const kept = configField === null ? stored : hiddenFields(check.configSchema, stored);
  const reportField: Report = (field, what) =>
    report(configField === null ? field : `${configField}.${field}`, what);
  const changed = rules.change({ stored, kept, sent: sent ?? {} }, reportField);
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

function applySchedule(
  settings: MonitorSettings,
  input: MonitorInput,
  facts: SettingsFacts,
  isNew: boolean,
  report: Report,
): void {
  const { plan } = facts;
  const smallest = plan.minIntervalSeconds;
  if (input.intervalSeconds !== undefined && input.intervalSeconds < smallest) {
    report("checkInterval", fact("interval.plan", { limit: smallest, plan: plan.name }));
  }
  const check = checkKind(settings.type);
  if (check && "passive" in check) {
    // Nothing is asked that could take its time; what is told may be late instead.
    if (shownTimeout(settings) !== (input.timeoutSeconds ?? shownTimeout(settings))) {
      report("timeout", fact("interval.passive", { type: check.type }));
    }
    settings.timeoutSeconds = check.passive.graceSeconds(settings.config as never);
    return;
  }
  if (isNew && input.timeoutSeconds === undefined) {
    settings.timeoutSeconds = Math.min(settings.timeoutSeconds, settings.intervalSeconds - 1);
  }
  const { timeoutSeconds: timeout, intervalSeconds: interval } = settings;
  if (timeout < interval) return;
  const field = input.timeoutSeconds === undefined ? "checkInterval" : "timeout";
  report(field, fact("interval.timeout", { timeout, interval }));
}

/** After the next scheduled run it would settle nothing. */
function boundRecheckDelay(settings: MonitorSettings, input: MonitorInput, report: Report): void {
  const { recheckDelaySeconds, intervalSeconds } = settings;
  if (recheckDelaySeconds <= intervalSeconds) return;
  if (input.recheckDelaySeconds === undefined && input.intervalSeconds === undefined) return;
  report(
    input.recheckDelaySeconds === undefined ? "checkInterval" : "recheckDelay",
    fact("interval.recheck", { delay: recheckDelaySeconds, interval: intervalSeconds }),
  );
}

function applyLocations(
  settings: MonitorSettings,
  input: MonitorInput,
  facts: SettingsFacts,
  isNew: boolean,
  report: Report,
): void {
  const { plan, locations } = facts;
  const most = plan.locationsPerMonitor;
  if (input.locations === undefined && !isNew) return;
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
