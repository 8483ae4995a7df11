import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../api/monitor-list.ts";
import { sparklineQuery } from "../../api/sparklines.ts";
import { formatPercentage, formatResponseTime } from "../../i18n/format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { shownResponseTime } from "../monitor-view.ts";
import { useKind } from "../use-kind.ts";
import { HourBars } from "./HourBars.tsx";
import { ResponseLine } from "./ResponseLine.tsx";

/** The last 24 hours as bars. */
export function HoursCell({ monitor: { id } }: { monitor: Monitor }) {
  const { data } = useQuery(sparklineQuery(useKind(), id));
  return <HourBars shown={data?.hours} />;
}

/** How long the last check took, and before it how that was over the last 24 hours. */
export function ResponseCell({ monitor }: { monitor: Monitor }) {
  const { data } = useQuery(sparklineQuery(useKind(), monitor.id));
  return (
    <span className="flex items-center justify-end gap-2">
      {data && <ResponseLine values={data.hours.map(({ responseTime }) => responseTime)} />}
      <ResponseTime monitor={monitor} />
    </span>
  );
}

/** Why no response time is shown: there was no check, or the last one failed. */
function ResponseTime({ monitor }: { monitor: Monitor }) {
  const { t, i18n } = useTranslation("monitors");
  const time = shownResponseTime(monitor);
  const { lastReason, lastReasonFact } = monitor;
  const missing =
    lastReason === null
      ? t("noCheck")
      : t("row.lastCheck", { reason: factInReadersLanguage(lastReason, lastReasonFact) });
  return <Figure value={time === null ? null : formatResponseTime(time, i18n.language)} missing={missing} />;
}

/** Over the last 24 hours. */
export function UptimeCell({ monitor: { uptimePercentage } }: { monitor: Monitor }) {
  const { t, i18n } = useTranslation("monitors");
  const value = uptimePercentage === null ? null : formatPercentage(uptimePercentage, i18n.language);
  return <Figure value={value} missing={t("noCheck")} />;
}

/** `missing`: why there is a dash instead of the value. */
function Figure({ value, missing }: { value: string | null; missing: string }) {
  if (value !== null) return <span className="w-16 text-ink-muted tabular-nums">{value}</span>;
  return (
    <span className="relative w-16 text-ink-faint" title={missing}>
      –
    </span>
  );
}
