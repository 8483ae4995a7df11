import { useTranslation } from "react-i18next";
import type { Sparkline } from "../../api/sparklines.ts";
import { formatPercentage } from "../../i18n/format.ts";

type Hour = Sparkline["hours"][number];

const hours = 24;
const fills: Record<Hour["status"], string> = {
  up: "fill-up",
  degraded: "fill-warn",
  down: "fill-down",
  unknown: "fill-line",
};

/** The last 24 hours as bars, each in the colour of its worst status; undefined while they are on their way. */
export function HourBars({ shown }: { shown: readonly Hour[] | undefined }) {
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

/** What the bars say, in a sentence. */
function useHoursText(shown: readonly Hour[] | undefined): string {
  const { t, i18n } = useTranslation("monitors");
  const known = shown?.filter(({ uptimePercentage }) => uptimePercentage !== null) ?? [];
  if (known.length === 0) return t("hours.unknown");
  const down = known.filter(({ status }) => status === "down").length;
  const mean = known.reduce((sum, hour) => sum + (hour.uptimePercentage ?? 0), 0) / known.length;
  const uptime = formatPercentage(mean, i18n.language);
  return down === 0 ? t("hours.up", { uptime }) : t("hours.down", { uptime, count: down });
}
