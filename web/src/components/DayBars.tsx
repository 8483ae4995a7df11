import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Day } from "../api/monitor.ts";
import { formatDuration, formatPercentage, formatUtcDay } from "../i18n/format.ts";

const fills = { unknown: "bg-line", up: "bg-up", dented: "bg-warn", down: "bg-down" } as const;

interface DayBarsProps {
  /** Oldest first; null for one that is still on its way. */
  days: readonly (Day | null)[];
  /** The label under the middle of the bars. */
  children?: ReactNode;
}

/** A bar a day; the day under the pointer is described in words, and all of them in one sentence for screen readers. */
export function DayBars({ days, children }: DayBarsProps) {
  const { t } = useTranslation();
  const [pointed, setPointed] = useState<Day | null>(null);
  const textOf = useDayText();
  const sentence = useSentence(days);
  return (
    <div className="px-4 pt-4 pb-3">
      <div className="mb-2 flex items-baseline justify-between gap-4 text-xs text-ink-muted">
        <h2 className="shrink-0 font-medium text-ink">{t("days.title")}</h2>
        <span aria-hidden className="truncate tabular-nums">
          {pointed ? textOf(pointed) : "\u00a0"}
        </span>
      </div>
      <div
        role="img"
        aria-label={sentence}
        className="flex h-8 gap-px sm:gap-0.5"
        onPointerLeave={() => setPointed(null)}
      >
        {days.map((day, index) => (
          <span
            key={day?.date ?? index}
            data-tone={day ? dayTone(day) : undefined}
            onPointerEnter={() => setPointed(day)}
            className={`min-w-0 flex-1 rounded-2xs transition-opacity hover:opacity-65 ${fills[day ? dayTone(day) : "unknown"]}`}
          />
        ))}
      </div>
      <div className="mt-1.5 flex justify-between gap-4 text-xs text-ink-faint">
        <span>{t("days.oldest")}</span>
        <span className="truncate tabular-nums max-sm:hidden">{children || "\u00a0"}</span>
        <span>{t("days.today")}</span>
      </div>
    </div>
  );
}

/** How many days are known, how many were not perfect, and the worst of them. */
function useSentence(days: readonly (Day | null)[]): string {
  const { t } = useTranslation();
  const textOf = useDayText();
  const known = days.filter((day) => day !== null && day.uptimePercentage !== null) as Day[];
  if (known.length === 0) return t("days.noneKnown");
  const [worst, ...others] = known
    .filter(({ downSeconds }) => downSeconds > 0)
    .toSorted((one, other) => other.downSeconds - one.downSeconds);
  if (!worst) return t("days.allUp", { count: known.length });
  return t("days.someDown", { known: known.length, count: others.length + 1, worst: textOf(worst) });
}

function useDayText(): (day: Day) => string {
  const { t, i18n } = useTranslation();
  return (day) => {
    const date = formatUtcDay(day.date, i18n.language);
    if (day.uptimePercentage === null) return t("days.unknown", { date });
    const uptime = formatPercentage(day.uptimePercentage, i18n.language);
    if (day.downSeconds === 0) return t("days.uptime", { date, uptime });
    const duration = formatDuration(day.downSeconds * 1000, i18n.language);
    return t("days.down", { date, uptime, duration });
  };
}

/** Below this share of a day in percent, a day counts as down: more than an hour and twelve minutes. */
const downBelow = 95;

/** How a day looks at a glance: any downtime shows, much of it more so. */
export function dayTone({
  uptimePercentage,
}: Pick<Day, "uptimePercentage">): "unknown" | "up" | "dented" | "down" {
  if (uptimePercentage === null) return "unknown";
  if (uptimePercentage < downBelow) return "down";
  return uptimePercentage < 100 ? "dented" : "up";
}
