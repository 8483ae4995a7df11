import type { SecretBox } from "../context.ts";
import { openConfig, sealConfig } from "../secret/secret-box.ts";
import type { Monitor, StoredSettings } from "../store/queries/monitors.ts";
import { requireCheckKind } from "./check-rules.ts";
import type { MonitorSettings } from "./settings.ts";

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
