import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ObjectiveState, objectiveQuery } from "../../api/monitor.ts";
import { Section } from "../../components/Card.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { useNow } from "../../components/use-now.ts";
import {
  formatCount,
  formatDuration,
  formatPercentage,
  formatRuntime,
  formatShare,
} from "../../i18n/format.ts";
import { useKind } from "../descriptor.ts";

type Budget = NonNullable<ObjectiveState["budget"]>;

/** Of less than this part of its budget the reader is warned. */
const scarce = 25;

/** What an objective allows to be down, what is left of that, and how fast it goes. */
export function ObjectiveCard({ id }: { id: number }) {
  const { t, i18n } = useTranslation("monitors");
  const query = useQuery(objectiveQuery(useKind(), id));
  const objectiveState = query.data;
  const goal = objectiveState && (
    <span className="text-sm text-ink-muted">
      {t("objective.goal", {
        percent: formatShare(objectiveState.objective, i18n.language),
        count: objectiveState.objectiveDays,
      })}
    </span>
  );
  return (
    <Section title={t("objective.title")} trailing={goal}>
      <Loaded of={query} failed={t("objective.failed")} loading={<Waiting />}>
        {(loaded) => <ObjectiveDetails objectiveState={loaded} />}
      </Loaded>
    </Section>
  );
}

/** As many burn rates are shown. */
const ratesShown = ["hour", "hours", "days"];

/** In the shape of what comes, line by line, so that nothing below moves. */
const Waiting = () => (
  <div aria-hidden className="grid gap-4 px-4 pt-1 pb-4">
    <div className="grid gap-3">
      <Line className="text-xl" bar="w-56" />
      <Skeleton className="h-2 w-full" />
      <div>
        <Line className="text-xs" bar="w-40" />
        <Line bar="w-48" />
      </div>
    </div>
    <div className="text-sm">
      <Line className="pb-1 text-xs" bar="w-56" />
      {ratesShown.map((rate) => (
        <Line key={rate} className="border-t border-line py-1.5" bar="w-32" />
      ))}
    </div>
  </div>
);

/** A line of text that is still on its way, as high as the text. */
const Line = ({ className = "", bar }: { className?: string; bar: string }) => (
  <div className={`flex items-center ${className}`}>
    {"\u00a0"}
    <Skeleton className={`h-3 ${bar}`} />
  </div>
);

function ObjectiveDetails({
  objectiveState: { budget, burnRates, alert },
}: {
  objectiveState: ObjectiveState;
}) {
  if (!budget) return null;
  return (
    <div className="grid gap-4 px-4 pt-1 pb-4">
      <Left budget={budget} />
      {alert && <Alert alert={alert} />}
      <BurnRates rates={burnRates} />
    </div>
  );
}

function Left({ budget }: { budget: Budget }) {
  const { t, i18n } = useTranslation("monitors");
  const length = (seconds: number) => (seconds === 0 ? "0" : formatRuntime(seconds * 1000, i18n.language));
  const { allowedSeconds, usedSeconds, leftSeconds, leftPercentage, uptimePercentage } = budget;
  const isSpent = leftSeconds < 0;
  // Where none of the time counts, nothing is allowed, and nothing is scarce.
  const left = leftPercentage ?? 100;
  const isEmpty = left <= 0;
  // Of what is used up the whole bar says so: an empty one looks like nothing known.
  const shown = isEmpty ? 100 : Math.min(100, leftPercentage ?? 0);
  const tone = isEmpty ? "bg-down" : left < scarce ? "bg-warn" : "bg-up";
  const ink = isSpent ? "text-down-ink" : left < scarce ? "text-warn-ink" : "text-ink";
  const stats = [
    ["allowed", length(allowedSeconds)],
    ["used", length(usedSeconds)],
    ["uptime", uptimePercentage === null ? "–" : formatPercentage(uptimePercentage, i18n.language)],
  ] as const;
  return (
    <div className="grid gap-3">
      <p className={`text-xl font-semibold tracking-tight tabular-nums ${ink}`}>
        {isSpent
          ? t("objective.spent", { duration: length(-leftSeconds) })
          : leftPercentage === null
            ? "–"
            : t("objective.left", {
                duration: length(leftSeconds),
                percent: formatShare(Math.floor(leftPercentage), i18n.language),
              })}
      </p>
      <div className="h-2 overflow-hidden rounded-full bg-line" aria-hidden>
        <div className={`h-full rounded-full ${tone}`} style={{ width: `${shown}%` }} />
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {stats.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-ink-faint">{t(`objective.${name}`)}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Alert({ alert: { level, since } }: { alert: NonNullable<ObjectiveState["alert"]> }) {
  const { t, i18n } = useTranslation("monitors");
  const duration = formatDuration(Math.max(0, useNow() - Date.parse(since)), i18n.language);
  const look = level === "fast" ? "bg-down-soft text-down-ink" : "bg-warn-soft text-warn-ink";
  return (
    <p className={`rounded-md px-3 py-2 text-sm text-pretty ${look}`}>
      {t(`objective.alert.${level}`, { duration })}
    </p>
  );
}

/** The recent burn rates, beside the rate from which on an alert is sent. */
function BurnRates({ rates }: { rates: ObjectiveState["burnRates"] }) {
  const { t, i18n } = useTranslation("monitors");
  const times = (rate: number) => t("objective.times", { rate: formatCount(rate, i18n.language) });
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="pb-1 text-left text-xs text-ink-faint">{t("objective.rates")}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t("objective.span")}</th>
          <th scope="col">{t("objective.rate")}</th>
          <th scope="col">{t("objective.limit")}</th>
        </tr>
      </thead>
      <tbody>
        {rates.map(({ seconds, rate, limit }) => (
          <tr key={seconds} className="border-t border-line">
            <th scope="row" className="py-1.5 pr-3 text-left font-normal">
              {t("objective.last", { duration: formatDuration(seconds * 1000, i18n.language) })}
            </th>
            <td className={`py-1.5 pr-3 text-right ${rate >= limit ? "font-medium text-down-ink" : ""}`}>
              {times(rate)}
            </td>
            <td className="py-1.5 text-right text-ink-faint">
              {t("objective.from", { rate: times(limit) })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
