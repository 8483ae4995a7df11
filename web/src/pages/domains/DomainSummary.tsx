import { useTranslation } from "react-i18next";
import type { Filter } from "./domain-view.ts";

/** The state of everything in one sentence, the worst first. */
export function DomainSummary({
  counts,
  total,
}: {
  counts: Record<Filter, number>;
  /** What the API has; more than `counts.all` when not everything is listed. */
  total: number;
}) {
  const { t } = useTranslation();
  const judged = counts.all - counts.paused;
  const sentences: string[] = [];
  if (counts.down > 0) sentences.push(t("domains.summary.down", { count: counts.down, total: judged }));
  if (counts.degraded > 0)
    sentences.push(t("domains.summary.degraded", { count: counts.degraded, total: judged }));
  if (counts.unknown > 0)
    sentences.push(t("domains.summary.unknown", { count: counts.unknown, total: judged }));
  if (judged === 0) sentences.push(t("domains.summary.paused"));
  else if (sentences.length === 0) sentences.push(t("domains.summary.allUp", { count: counts.up }));
  if (total > counts.all) sentences.push(t("domains.summary.truncated", { shown: counts.all, total }));
  const ink = counts.down > 0 ? "text-down-ink" : "text-ink-muted";
  return <p className={ink}>{sentences.join(" ")}</p>;
}
