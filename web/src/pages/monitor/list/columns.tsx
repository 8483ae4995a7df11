import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../../api/monitor-list.ts";
import { formatPercentage, formatResponseTime } from "../../../format.ts";
import { factInReadersLanguage } from "../../../i18n/i18n.ts";
import type { MonitorColumn } from "../../../kinds/descriptor.ts";
import { shownResponseTime } from "../monitor-view.ts";
import { CertificateText } from "./CertificateText.tsx";

export const responseColumn: MonitorColumn = {
  sort: "responseTime",
  head: "column.response",
  width: "5rem",
  cell: (monitor) => <ResponseTime monitor={monitor} />,
};

export const certificateColumn: MonitorColumn = {
  sort: "certificate",
  head: "column.certificate",
  width: "6.5rem",
  wide: true,
  cell: (monitor) => <CertificateText monitor={monitor} />,
};

export const uptimeColumn: MonitorColumn = {
  sort: "uptime",
  head: "column.uptime",
  hint: "column.uptimeHint",
  width: "4.5rem",
  cell: (monitor) => <Uptime monitor={monitor} />,
};

/** Where the columns of a list stand, for the class `monitor-columns`. */
export function gridOf(columns: readonly MonitorColumn[]) {
  const widthsOf = (some: readonly MonitorColumn[]) => some.map(({ width }) => width).join(" ");
  return {
    "--columns": widthsOf(columns.filter(({ wide }) => !wide)),
    "--columns-wide": widthsOf(columns),
  } as CSSProperties;
}

/** Why no response time is shown: there was no check, or the last one failed. */
function ResponseTime({ monitor }: { monitor: Monitor }) {
  const { t, i18n } = useTranslation("monitor");
  const time = shownResponseTime(monitor);
  const { lastReason, lastReasonFact } = monitor;
  const missing =
    lastReason === null
      ? t("noCheck")
      : t("row.lastCheck", { reason: factInReadersLanguage(lastReason, lastReasonFact) });
  return <Figure value={time === null ? null : formatResponseTime(time, i18n.language)} missing={missing} />;
}

function Uptime({ monitor: { uptimePercentage } }: { monitor: Monitor }) {
  const { t, i18n } = useTranslation("monitor");
  const value = uptimePercentage === null ? null : formatPercentage(uptimePercentage, i18n.language);
  return <Figure value={value} missing={t("noCheck")} />;
}

/** `missing`: why there is a dash instead of the value. */
function Figure({ value, missing }: { value: string | null; missing: string }) {
  if (value !== null) return <span className="text-ink-muted tabular-nums">{value}</span>;
  return (
    <span className="relative text-ink-faint" title={missing}>
      –
    </span>
  );
}
