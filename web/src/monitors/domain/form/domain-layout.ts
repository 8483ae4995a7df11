import type { Section } from "../../../forms/sections.ts";

/**
 * Where each setting stands; texts and order only. A setting that is not named here appears in a section of
 * its own at the end.
 */
export const domainLayout: readonly Section[] = [
  { id: "basics", fields: ["url", "name", "checkInterval"] },
  { id: "schedule", fields: ["timeout", "enabled"] },
  {
    id: "request",
    fields: [
      ...["method", "headers", "hostHeader", "body", "authType", "authConfig"],
      ...["isApi", "followRedirects", "maxRedirects", "requireTls"],
    ],
  },
  { id: "expectations", fields: ["assertions", "bodyBytes"] },
  {
    id: "certificate",
    fields: ["certificateExpiryDays", "serverName", "ignoreCertificate", "legacyRenegotiation"],
  },
  { id: "locations", fields: ["locations"] },
  { id: "alerting", fields: ["confirmations", "recoveries", "recheckDelay", "severity", "parents"] },
  { id: "objective", fields: ["objective", "objectiveDays"] },
  { id: "tags", fields: ["tags", "description"] },
];
