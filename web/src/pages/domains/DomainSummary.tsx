import { useTranslation } from "react-i18next";
import type { Filter } from "./domain-view.ts";

/** What most needs to be known, in one sentence; the filters beside it have the other counts. */
export function DomainSummary({
  counts,
  total,
}: {
  counts: Record<Filter, number>;
  /** What the API has; more than `counts.all` when not everything is listed. */
  total: number;
}) {
  const { t } = useTranslation();
  const worst = (["down", "degraded", "unknown", "up"] as const).find((name) => counts[name] > 0);
  const ink = worst === "down" ? "text-down-ink" : worst === "degraded" ? "text-warn-ink" : "text-ink-muted";
  return (
    <p>
      <span className={ink}>
        {worst ? t(`domains.summary.${worst}`, { count: counts[worst] }) : t("domains.summary.paused")}
      </span>
      {total > counts.all && (
        <span className="text-ink-muted">
          {" "}
          {t("domains.summary.truncated", { shown: counts.all, total })}
        </span>
      )}
    </p>
  );
}
