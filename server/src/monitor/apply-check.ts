import { hostProblem } from "../check/host-problem.ts";
import { hiddenFields } from "../secret/config-secrets.ts";
import { requireCheckKind, rulesOf } from "./check-rules.ts";
import type { Report } from "./config-change.ts";
import { configProblems } from "./config-problems.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import type { SettingsChange } from "./settings-change.ts";

/** What is checked and how, and the target that follows from it. */
export function applyCheck({ settings, base, input, facts, isOtherKind, report }: SettingsChange): void {
  const { kind, targets } = facts;
  const { configField } = MONITOR_KIND_FACTS[kind];
  const { type = base.type, config: sent } = input;
  if (!sent && base.name !== "" && !isOtherKind) return;
  const check = requireCheckKind(type);
  const rules = rulesOf(type);
  const stored = isOtherKind ? {} : base.config;
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
