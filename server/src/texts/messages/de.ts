import type { MessageTexts } from "./en.ts";

/** What messages of an organization's channels say beside the facts, in German; see en.ts. */
export const de: MessageTexts = {
  "title.monitor.down": "{name} ist ausgefallen",
  "title.monitor.up": "{name} funktioniert wieder",
  "title.monitor.degraded": "{name} ist beeinträchtigt",
  "title.monitor.flapping": "{name} fällt immer wieder aus",
  "title.monitor.stopped": "{name} wird nicht mehr überwacht",
  "title.test": "Testnachricht von Vedette",
  "label.target": "Adresse",
  "label.locations": "Gestört von",
  "label.severity": "Schweregrad",
  "label.tags": "Tags",
  "severity.low": "Niedrig",
  "severity.medium": "Mittel",
  "severity.high": "Hoch",
  "severity.critical": "Kritisch",
  link: "In Vedette öffnen",
};
