import type { SecretBox } from "../context.ts";
import type { Monitor, MonitorSettings } from "../store/queries/monitors.ts";
import type { DomainCheck } from "./domain-check.ts";
import type { DomainSettings } from "./settings.ts";

/** The parts of a check that may hold a credential: encrypted together, whatever is in them. */
type Sealed = Pick<DomainCheck, "authConfig" | "headers" | "body">;

/** Settings as they are stored. Headers and body are sealed too: people put tokens into both. */
export function sealSettings(box: SecretBox, settings: DomainSettings): MonitorSettings {
  const { check, ...rest } = settings;
  const { authConfig, headers, body, ...plain } = check;
  const sealed: Sealed = {
    ...(authConfig && { authConfig }),
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
  };
  const hasSecrets = Object.keys(sealed).length > 0;
  return {
    ...rest,
    config: { url: settings.url, ...plain },
    secrets: hasSecrets ? box.seal(JSON.stringify(sealed)) : null,
  };
}

/** The opposite. Throws when the installation's key is not the one they were sealed with. */
export function openSettings(box: SecretBox, monitor: Monitor): DomainSettings {
  const { url: _, ...plain } = monitor.config as DomainCheck & { url: string };
  const sealed: Sealed = monitor.secrets === null ? {} : JSON.parse(box.open(monitor.secrets));
  return {
    name: monitor.name,
    url: monitor.url,
    displayUrl: monitor.displayUrl,
    check: { ...plain, ...sealed },
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
