import { type AgentConfig, checkAgent, MEASURES } from "../checks/agent.ts";
import type { CheckKind } from "../checks/check.ts";
import { checkKind } from "../checks/registry.ts";
import type { SecretBox } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { type FieldErrors, invalidInput } from "../platform/errors.ts";
import { normaliseHost } from "../platform/formats/host.ts";
import { msg } from "../platform/i18n/message.ts";
import { decisiveChanges, headerFields, hiddenFields } from "../platform/secrets/config-secrets.ts";
import { openConfig, sealConfig } from "../platform/secrets/secret-box.ts";
import { AGENT_TYPE } from "../platform/signalled-types.ts";
import type { Changed, ConfigChange, Report } from "./announce-change.ts";
import { thresholdsOf } from "./devices/rules.ts";
import { httpRules } from "./http-settings.ts";
import type { OfKind } from "./monitor.ts";
import { isMonitorNameTaken, type Monitor, type StoredSettings } from "./queries/monitors.ts";
import type { MonitorSettings } from "./settings.ts";
import { maskedHeaders, unmaskedHeaders } from "./stored-secrets.ts";

/**
 * Rules for kinds of check that need no more than their schema: fields are what was sent, or what stays. A user who may change
 * a monitor must not be able to exploit a stored credential that they do not know.
 */
const usualRules = ({ configSchema: schema, complete }: CheckKind) => ({
  change({ stored, retained, sent }: ConfigChange, report: Report) {
    const headers = changedHeaders(
      headerFields(schema),
      { stored: { ...stored }, sent: { ...sent } },
      report,
    );
    const given = { ...retained, ...sent, ...headers.config };
    const config: object = complete?.(given as never, stored as never) ?? given;
    const changed = decisiveChanges(schema, stored, config).join(", ");
    const reused = Object.keys(hiddenFields(schema, retained)).filter((name) => !(name in sent));
    for (const secret of changed === "" ? [] : [...reused, ...headers.retained]) {
      report(secret, msg("stored.changed", { secret: secret.replace(/^.*?\./, ""), changed }));
    }
    return { config };
  },
  host(config: object) {
    const fields = Object.entries(
      (schema as { properties?: Record<string, { format?: string }> }).properties ?? {},
    );
    const [field = ""] = fields.find(([, { format }]) => format === "host") ?? [];
    const host: unknown = Object.entries(config).find(([name]) => name === field)?.[1];
    return typeof host === "string" ? { host: normaliseHost(host) ?? host, field } : null;
  },
});

/** Records of request headers after a change, and the paths of those that stay hidden. */
function changedHeaders(
  fields: readonly string[],
  { stored, sent }: Record<"stored" | "sent", Record<string, unknown>>,
  report: Report,
) {
  const given = fields.filter((field) => sent[field] !== undefined);
  const recordOf = (config: Record<string, unknown>, field: string) =>
    (config[field] ?? {}) as Record<string, string>;
  const config = given.map((field) => {
    const headers = { sent: recordOf(sent, field), stored: recordOf(stored, field), field };
    return [field, unmaskedHeaders(headers, report)] as const;
  });
  const retained = given.flatMap((field) =>
    maskedHeaders(recordOf(sent, field)).map((name) => `${field}.${name}`),
  );
  return { config: Object.fromEntries(config), retained };
}

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
