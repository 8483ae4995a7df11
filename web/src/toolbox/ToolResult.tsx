import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { Section } from "../components/Card.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { HttpResult } from "./results/HttpResult.tsx";
import { DnsResult, LocationResult, RegistrationResult } from "./results/NameResults.tsx";
import { PingResult, PortsResult, RouteResult } from "./results/NetworkResults.tsx";
import { TlsResult } from "./results/TlsResult.tsx";
import type { ToolName } from "./tools.ts";

const results: Record<ToolName, ComponentType<{ result: never }>> = {
  "dns-lookup": DnsResult,
  "port-scanner": PortsResult,
  "ip-scanner": LocationResult,
  ping: PingResult,
  traceroute: RouteResult,
  "tls-inspection": TlsResult,
  "http-inspection": HttpResult,
  rdap: RegistrationResult,
};

/** What a tool found out, and a button that copies all of it, as it came. */
export function ToolResult({ tool, result }: { tool: ToolName; result: unknown }) {
  const { t } = useTranslation("toolbox");
  const Result = results[tool] as ComponentType<{ result: unknown }>;
  return (
    <Section
      title={t("result")}
      trailing={<CopyButton variant="quiet" value={JSON.stringify(result, null, 2)} label={t("copy")} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pb-4">
        <Result result={withoutControls(result)} />
      </div>
    </Section>
  );
}

/** Invisible characters, which turn the text around them or hide a part of it; joiners of emoji and scripts stay. */
const controls = /[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu;

/** Foreign data, made safe to show: every text in it without control characters, at any depth. */
export function withoutControls(value: unknown): unknown {
  if (typeof value === "string") return value.replace(controls, "\ufffd");
  if (Array.isArray(value)) return value.map(withoutControls);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, withoutControls(own)]));
}
