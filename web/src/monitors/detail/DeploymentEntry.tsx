import { useTranslation } from "react-i18next";
import type { Deployment } from "../../api/deployments.ts";
import type { TimeSpan } from "../../components/chart-data.ts";
import { formatDateTime } from "../../i18n/format.ts";

interface DeploymentEntryProps {
  deployments: readonly Deployment[];
  /** The part of the chart that is looked at. */
  view: TimeSpan;
}

/** An entry of a chart's legend: how many deployments are in view, and which, on demand. */
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

/** When it was done, or has begun: milliseconds. */
export const deployedAtMs = ({ startedAt, finishedAt }: Deployment): number =>
  Date.parse(finishedAt ?? startedAt);

const shownVersion = 12;

/** What was deployed, which version, and by whom. */
const deploymentWords = ({ name, version, author }: Deployment): string =>
  [name, version?.slice(0, shownVersion), author].filter(Boolean).join(" · ");

/** What a table has of a chart's deployments: words by the time to show them at, one after the other where there are several. */
export function deploymentsByTime(deployments: readonly Deployment[]): Map<number, string> {
  const words = new Map<number, string>();
  for (const one of deployments) {
    const at = deployedAtMs(one);
    const before = words.get(at);
    words.set(at, before === undefined ? deploymentWords(one) : `${before}, ${deploymentWords(one)}`);
  }
  return words;
}
