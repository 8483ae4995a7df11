import { isDeepStrictEqual } from "node:util";
import { nameProblem } from "../account/name.ts";
import type { Plan } from "../account/plans.ts";
import type { KindDefaults } from "../check/check.ts";
import { checkKind } from "../check/registry.ts";
import type { FieldErrors } from "../errors.ts";
import { applyCheck } from "./apply-check.ts";
import { applyLocations, applySchedule } from "./apply-schedule.ts";
import type { Report } from "./config-change.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import { MONITOR_DEFAULTS, type MonitorKind } from "./monitor-defaults.ts";
import type { MonitorInput, MonitorSettings } from "./settings.ts";
import type { SettingsChange, SettingsFacts } from "./settings-change.ts";
import { cleanTags } from "./tags.ts";

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
  intervalSeconds: Math.max(MONITOR_KIND_FACTS[kind].interval, MONITOR_KIND_FACTS[kind].leastInterval(plan)),
  locations: null,
  tags: [],
  parents: [],
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
  const { name, type: _, config: __, locations: ___, tags, parents, ...rest } = input;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const { type = base.type } = input;
  const isOtherKind = type !== base.type;
  const settings: MonitorSettings = { ...base, ...(isOtherKind && usualOfKind(type)), ...given };
  const change: SettingsChange = { settings, base, input, facts, isOtherKind, report };
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
