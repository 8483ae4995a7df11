import { useTranslation } from "react-i18next";
import type { Deployment } from "../../api/deployments.ts";
import type { TimeSpan } from "../../components/chart-data.ts";
import { formatDateTime } from "../../i18n/format.ts";
import { deployedAtMs, deploymentWords } from "./deployment-marks.ts";

interface DeploymentEntryProps {
  deployments: readonly Deployment[];
  /** The part of the chart that is looked at. */
  view: TimeSpan;
}

/** An entry of a chart's legend: how many were deployed in view, and which, for those who ask. */
export function DeploymentEntry({ deployments, view: { fromMs, toMs } }: DeploymentEntryProps) {
  const { t, i18n } = useTranslation("monitors");
  const seen = deployments.filter((one) => fromMs <= deployedAtMs(one) && deployedAtMs(one) <= toMs);
  if (seen.length === 0) return null;
  const each = seen.map(
    (one) => `${formatDateTime(one.finishedAt ?? one.startedAt, i18n.language)} · ${deploymentWords(one)}`,
  );
  return (
    <span title={each.join("\n")} className="flex items-center gap-1.5 whitespace-nowrap" data-deployments>
      <span aria-hidden className="h-2.5 w-0.5 bg-ink-muted" />
      {t("response.deployments", { count: seen.length })}
    </span>
  );
}
