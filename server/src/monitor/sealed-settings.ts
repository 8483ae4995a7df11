import { type HttpConfig, httpConfigSchema } from "../check/http-config.ts";
import type { SecretBox } from "../context.ts";
import type { Monitor, MonitorSettings } from "../store/queries/monitors.ts";
import { openConfig, sealConfig } from "./sealed-config.ts";
import type { DomainSettings } from "./settings.ts";

/** Settings as they are stored. */
export function sealSettings(box: SecretBox, settings: DomainSettings): MonitorSettings {
  const { check, ...rest } = settings;
  return { ...rest, ...sealConfig(box, httpConfigSchema, { url: settings.url, ...check }) };
}

/** The opposite. Throws when the installation's key is not the one they were sealed with. */
export function openSettings(box: SecretBox, monitor: Monitor): DomainSettings {
  const { url: _, ...check } = openConfig(box, monitor) as HttpConfig;
  return {
    name: monitor.name,
    url: monitor.url,
    displayUrl: monitor.displayUrl,
    check,
    intervalSeconds: monitor.intervalSeconds,
    timeoutSeconds: monitor.timeoutSeconds,
    enabled: monitor.enabled,
    locations: monitor.locations,
    confirmations: monitor.confirmations,
    recoveries: monitor.recoveries,
    recheckDelaySeconds: monitor.recheckDelaySeconds,
    severity: monitor.severity,
    tags: monitor.tags,
  };
}
