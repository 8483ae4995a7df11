import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../api/monitor-list.ts";
import { type Sparkline, sparklineQuery } from "../../api/sparklines.ts";
import { linePoints } from "../../components/chart-data.ts";
import { formatPercentage, formatResponseTime } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { useKind } from "../descriptor.ts";
import { shownResponseTime } from "../monitor-view.ts";

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
      : t("row.lastCheck", { reason: translateMessage(lastReason, lastReasonFact) });
  return <Stat value={time === null ? null : formatResponseTime(time, i18n.language)} missing={missing} />;
}

export function UptimeCell({ monitor: { uptimePercentage } }: { monitor: Monitor }) {
  const { t, i18n } = useTranslation("monitors");
  const value = uptimePercentage === null ? null : formatPercentage(uptimePercentage, i18n.language);
  return <Stat value={value} missing={t("noCheck")} />;
}

/** `missing`: why there is a dash instead of the value. */
function Stat({ value, missing }: { value: string | null; missing: string }) {
  if (value !== null) return <span className="w-16 text-ink-muted tabular-nums">{value}</span>;
  return (
    <span className="relative w-16 text-ink-faint" title={missing}>
      –
    </span>
  );
}

const size = { width: 44, height: 18 };

/** The response times of the last 24 hours as a line; the figure beside it says how long the last check took. */
function ResponseLine({ values }: { values: readonly (number | null)[] }) {
  return (
    <svg aria-hidden viewBox={`0 0 ${size.width} ${size.height}`} className="block h-4.5 w-11 shrink-0">
      {linePoints(values, size).map((points) => (
        <polyline
          key={points}
          points={points}
          className="fill-none stroke-series"
          strokeWidth={1.25}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}

type Hour = Sparkline["hours"][number];

const hours = 24;
const fills: Record<Hour["status"], string> = {
  up: "fill-up",
  degraded: "fill-warn",
  down: "fill-down",
  unknown: "fill-line",
};

/** The last 24 hours as bars, each in the colour of its worst status; undefined while they are on their way. */
function HourBars({ shown }: { shown: readonly Hour[] | undefined }) {
  const label = useHoursText(shown);
  return (
    <svg
      viewBox={`0 0 ${3 * hours - 1} 18`}
      role="img"
      aria-label={label}
      className="block h-4.5 w-full"
      preserveAspectRatio="none"
    >
      {Array.from({ length: hours }, (_, at) => {
        const status = shown?.[at]?.status ?? "unknown";
        return (
          <rect
            key={at}
            x={3 * at}
            width={2}
            height={18}
            rx={0.5}
            data-hour={status}
            className={fills[status]}
          />
        );
      })}
    </svg>
  );
}

function useHoursText(shown: readonly Hour[] | undefined): string {
  const { t, i18n } = useTranslation("monitors");
  const known = shown?.filter(({ uptimePercentage }) => uptimePercentage !== null) ?? [];
  if (known.length === 0) return t("hours.unknown");
  const down = known.filter(({ status }) => status === "down").length;
  const mean = known.reduce((sum, hour) => sum + (hour.uptimePercentage ?? 0), 0) / known.length;
  const uptime = formatPercentage(mean, i18n.language);
  return down === 0 ? t("hours.up", { uptime }) : t("hours.down", { uptime, count: down });
}
