import type { Filter } from "../monitor-view.ts";
import { useKindTexts } from "../use-kind.ts";

/** What most needs to be known, in one sentence; the filters beside it have the other counts. */
export function MonitorSummary({ counts }: { counts: Record<Filter, number> }) {
  const t = useKindTexts();
  const worst = (["down", "degraded", "unknown", "up"] as const).find((name) => counts[name] > 0);
  const ink = worst === "down" ? "text-down-ink" : worst === "degraded" ? "text-warn-ink" : "text-ink-muted";
  const sentence = worst === "up" && counts.paused > 0 ? "upOthersPaused" : worst;
  return (
    <p className={ink}>
      {worst && sentence ? t(`summary.${sentence}`, { count: counts[worst] }) : t("summary.paused")}
    </p>
  );
}
