import { type AgentConfig, checkAgent } from "../checks/agent.ts";
import type { CheckKind } from "../checks/check.ts";
import { checkKind } from "../checks/registry.ts";
import type { SecretBox } from "../platform/context.ts";
import type { Db } from "../platform/database/db.ts";
import { type FieldErrors, invalidInput } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { openConfig, sealConfig } from "../platform/secrets/secret-box.ts";
import { AGENT_TYPE } from "../platform/signalled-types.ts";
import type { Changed, ConfigChange, Report } from "./announce-change.ts";
import { thresholdsOf } from "./devices/health.ts";
import { MEASURES } from "./devices/rules.ts";
import { httpRules } from "./http-settings.ts";
import type { OfKind } from "./monitor.ts";
import { isMonitorNameTaken, type Monitor, type StoredSettings } from "./queries/monitors.ts";
import type { MonitorSettings } from "./settings.ts";
import { usualRules } from "./usual-rules.ts";

const usual = usualRules(checkAgent);

/** Of devices: what is critical is not less than what is a warning. */
const agentRules = {
  ...usual,
  change(change: ConfigChange, report: Report) {
    const changed = usual.change(change, report);
    const thresholds = thresholdsOf(changed.config as AgentConfig);
    for (const measure of MEASURES) {
      const { warning, critical } = thresholds[measure];
      if (critical < warning) report(`${measure}.critical`, msg("device.thresholds", { warning }));
    }
    return changed;
  },
};

/** How the configuration of a kind of check is changed and shown. */
interface CheckRules {
  /** What was sent applied, and what is wrong with it beside what the schema says. */
  change(change: ConfigChange, report: Report): Changed;
  /** The host that a configuration names, in this field; null: none. */
  host(config: object): { host: string; field: string } | null;
}

/** The kind of that type. Throws for an unknown one: a newer version's monitor. */
export function requireCheckKind(type: string): CheckKind {
  const kind = checkKind(type);
  if (!kind) throw new Error(`This version knows no check of type ${type}`);
  return kind;
}

/** Of kinds that need more than their schema says. */
const OWN_RULES: Readonly<Record<string, CheckRules>> = {
  http: httpRules as CheckRules,
  [AGENT_TYPE]: agentRules,
};

/** The rules of a kind of check. */
export const rulesOf = (type: string): CheckRules => OWN_RULES[type] ?? usualRules(requireCheckKind(type));

/**
 * Throws 422 with `problems`, to which it adds a target that the organization monitors under the same
 * name already. Call it with the organization's monitors locked.
 */
export async function refuseProblems(
  trx: Db,
  wanted: OfKind & {
    organizationId: number;
    exceptId: number | null;
    settings: MonitorSettings;
    problems: FieldErrors;
  },
): Promise<void> {
  const { organizationId, kind, exceptId, settings, problems } = wanted;
  const { target, displayTarget, name } = settings;
  if (await isMonitorNameTaken(trx, { organizationId, kind, target, name, exceptId })) {
    (problems.name ??= []).push(
      kind === "device"
        ? msg("name.taken_device", { name })
        : msg("name.taken", { target: displayTarget, name }),
    );
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}

/** Settings as they are stored: what the check's kind marks as secret is encrypted. */
export function sealSettings(box: SecretBox, settings: MonitorSettings): StoredSettings {
  const { configSchema } = requireCheckKind(settings.type);
  return { ...settings, ...sealConfig(box, configSchema, settings.config) };
}

/** The opposite. Throws when the installation's key is not the one they were sealed with. */
export function openSettings(box: SecretBox, monitor: Monitor): MonitorSettings {
  const { id: _, uuid: __, organizationId: ___, kind, createdAt, updatedAt, secrets, ...settings } = monitor;
  return { ...settings, config: openConfig(box, { config: settings.config, secrets }) };
}
