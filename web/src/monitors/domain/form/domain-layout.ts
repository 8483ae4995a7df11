import { DANGEROUS_FIELDS } from "../../../../../server/src/monitors/credential-danger.ts";
import type { DomainDetail } from "../../../api/monitor.ts";
import type { Drafts } from "../../../forms/drafts.ts";
import type { Section } from "../../../forms/sections.ts";

/** A setting that is not named here appears in a section of its own at the end. */
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

/** An API check follows no redirects by default: the form shows at once what applies. */
export const adjustDomain = (drafts: Drafts, changed: string): Drafts =>
  changed === "isApi" ? { ...drafts, followRedirects: drafts["isApi"] !== true } : drafts;

/**
 * An untouched one is sent too, as shown. Headers go along with their address: stored ones would not
 * (docs/api.md).
 */
export function alongsideOf(detail: DomainDetail | null): Record<string, readonly string[]> {
  const hasHeaders = detail !== null && Object.keys(detail.headers).length > 0;
  return {
    isApi: ["followRedirects"],
    ...(hasHeaders &&
      Object.fromEntries(
        Object.values(DANGEROUS_FIELDS).flatMap((fields) => fields.map((field) => [field, ["headers"]])),
      )),
  };
}

/** What a domain without a name is called: the host of its address, as typed; undefined while there is none. */
export const hostOf = (url: string): string | undefined =>
  url
    .trim()
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/[/?#].*$/s, "") || undefined;
