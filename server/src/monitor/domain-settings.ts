import { isDeepStrictEqual } from "node:util";
import { nameProblem } from "../account/name.ts";
import type { Plan } from "../account/plans.ts";
import type { TargetPolicy } from "../check/guard.ts";
import type { FieldErrors } from "../errors.ts";
import type { Location } from "../store/queries/locations.ts";
import { applyCheck, type Report } from "./domain-check.ts";
import { DOMAIN_DEFAULTS } from "./domain-defaults.ts";
import type { DomainInput, DomainSettings } from "./settings.ts";
import { judgeStoredCredentials } from "./stored-credentials.ts";
import { cleanTags } from "./tags.ts";
import { targetProblem } from "./target.ts";
import { normaliseUrl } from "./url.ts";

/** Whether a result under one of the settings says something about the other too. */
export const isSameCheck = (one: DomainSettings, other: DomainSettings): boolean =>
  one.url === other.url && isDeepStrictEqual(one.check, other.check);

/** What settings are measured against. */
export interface SettingsFacts {
  plan: Plan;
  locations: readonly Location[];
  targets: TargetPolicy;
}

/** Of a name made of the host. */
const MAX_NAME_LENGTH = 255;

/** A new domain before anything is said about it: as often as is usual, or as the plan allows. */
export const newDomain = (plan: Plan): DomainSettings => ({
  name: "",
  url: "",
  displayUrl: "",
  check: { isApi: false, authType: "none" },
  ...DOMAIN_DEFAULTS,
  intervalSeconds: Math.max(DOMAIN_DEFAULTS.intervalSeconds, plan.minIntervalSeconds),
  locations: null,
  tags: [],
});

/**
 * `base` with `input` applied: the settings, and what is wrong with them by field (the legacy
 * family's names). Only what was sent is judged by the plan, so that a domain made under a larger
 * plan can still be renamed under a smaller one; so it is with addresses and the rule about targets.
 */
export function applyInput(
  base: DomainSettings,
  input: DomainInput,
  facts: SettingsFacts,
): { settings: DomainSettings; problems: FieldErrors } {
  const problems: FieldErrors = {};
  const report = (field: string, sentence: string) => void (problems[field] ??= []).push(sentence);
  const settings: DomainSettings = {
    ...base,
    ...defined(input, [
      "intervalSeconds",
      "timeoutSeconds",
      "enabled",
      "confirmations",
      "recoveries",
      "recheckDelaySeconds",
      "severity",
    ]),
    check: applyCheck(base.check, input.check ?? {}, report),
  };
  applyAddress(settings, input, facts, report);
  judgeStoredCredentials(base, input, settings, report);
  const isNew = base.url === "";
  applySchedule(settings, input, facts, isNew, report);
  boundRecheckDelay(settings, input, report);
  applyLocations(settings, input, facts, isNew, report);
  if (input.tags) settings.tags = cleanTags(input.tags);
  return { settings, problems };
}

function applyAddress(
  settings: DomainSettings,
  input: DomainInput,
  facts: SettingsFacts,
  report: Report,
): void {
  if (input.url !== undefined) {
    const result = normaliseUrl(input.url);
    const problem = result.ok ? newTargetProblem(settings.url, result.url, facts.targets) : result.problem;
    if (problem !== null) report("url", problem);
    if (result.ok) Object.assign(settings, { url: result.url, displayUrl: result.displayUrl });
  }
  if (typeof input.name === "string") {
    settings.name = input.name.trim();
    const problem = nameProblem(settings.name);
    if (problem) report("name", problem);
  } else if (settings.name === "" && settings.url !== "") settings.name = hostOf(settings.displayUrl);
}

const newTargetProblem = (before: string, url: string, targets: TargetPolicy) =>
  url === before ? null : targetProblem(url, targets);

const hostOf = (url: string): string =>
  url
    .replace(/^https?:\/\//i, "")
    .replace(/[/?#].*$/s, "")
    .slice(0, MAX_NAME_LENGTH);

function applySchedule(
  settings: DomainSettings,
  input: DomainInput,
  facts: SettingsFacts,
  isNew: boolean,
  report: Report,
): void {
  const { plan } = facts;
  const smallest = plan.minIntervalSeconds;
  if (input.intervalSeconds !== undefined && input.intervalSeconds < smallest) {
    report(
      "checkInterval",
      `The check interval must be at least ${smallest} seconds on the ${plan.name} plan.`,
    );
  }
  if (isNew && input.timeoutSeconds === undefined) {
    settings.timeoutSeconds = Math.min(DOMAIN_DEFAULTS.timeoutSeconds, settings.intervalSeconds - 1);
  }
  if (settings.timeoutSeconds < settings.intervalSeconds) return;
  const field = input.timeoutSeconds === undefined ? "checkInterval" : "timeout";
  report(
    field,
    `The timeout (${settings.timeoutSeconds} seconds) must be shorter than the check interval (${settings.intervalSeconds} seconds).`,
  );
}

/** After the next scheduled run it would settle nothing. */
function boundRecheckDelay(settings: DomainSettings, input: DomainInput, report: Report): void {
  const { recheckDelaySeconds, intervalSeconds } = settings;
  if (recheckDelaySeconds <= intervalSeconds) return;
  if (input.recheckDelaySeconds === undefined && input.intervalSeconds === undefined) return;
  report(
    input.recheckDelaySeconds === undefined ? "checkInterval" : "recheckDelay",
    `The recheck delay (${recheckDelaySeconds} seconds) must not be longer than the check interval (${intervalSeconds} seconds).`,
  );
}

function applyLocations(
  settings: DomainSettings,
  input: DomainInput,
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
  const unknown = wanted.filter((code) => !locations.some((location) => location.code === code));
  if (unknown.length > 0) {
    const known = locations.map(({ code }) => code).join(", ");
    report(
      "locations",
      `There is no location ${unknown.join(", ")}. Known locations: ${known || "none yet"}.`,
    );
  }
  if (most !== null && wanted.length > most) {
    report(
      "locations",
      `The ${plan.name} plan checks a monitor from at most ${most} location${most === 1 ? "" : "s"}.`,
    );
  }
  settings.locations = wanted;
}

function defined<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> {
  return Object.fromEntries(
    keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]),
  ) as Partial<Pick<T, K>>;
}
