/** What messages of an organization's channels say beside the facts, in English. The slots are those of ../en.ts. */
export const en = {
  "title.monitor.down": "{name} is down",
  "title.monitor.up": "{name} is up again",
  "title.monitor.degraded": "{name} is degraded",
  "title.monitor.flapping": "{name} is flapping",
  "title.monitor.stopped": "{name} is no longer monitored",
  "title.test": "A test message from Vedette",
  "label.target": "Address",
  "label.locations": "Failing from",
  "label.severity": "Severity",
  "label.tags": "Tags",
  "severity.low": "Low",
  "severity.medium": "Medium",
  "severity.high": "High",
  "severity.critical": "Critical",
  link: "Open in Vedette",
} as const;

/** The texts of messages in a language. */
export type MessageTexts = Readonly<Record<keyof typeof en, string>>;
