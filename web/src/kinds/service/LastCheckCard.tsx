import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceDetail } from "../../api/monitor.ts";
import { Section } from "../../components/Section.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { formatCount, formatResponseTime } from "../../format.ts";
import { shownResponseTime } from "../../pages/monitor/monitor-view.ts";
import { phasesOf } from "../phases-of.ts";

/** What the last check found, from where, and what took how long. `detail` undefined while it is on its way. */
export function LastCheckCard({ detail }: { detail: ServiceDetail | undefined }) {
  const { t, i18n } = useTranslation(["kinds/service", "monitor"]);
  const label = (key: "title" | "address" | "failures" | "none") => {
    const own = `own.${detail?.protocol}.last.${key}` as "own.heartbeat.last.title";
    return i18n.exists(`kinds/service:${own}`) ? t(own) : t(`last.${key}`);
  };
  const time = (milliseconds: number | null) =>
    milliseconds === null ? null : formatResponseTime(milliseconds, i18n.language);
  const phases = detail ? phasesOf(detail.protocol) : [];
  const facts: [label: string, value: ReactNode][] = detail
    ? [
        [t("last.response"), time(shownResponseTime(detail))],
        ...phases.map((phase): [string, ReactNode] => [
          t(`monitor:response.kinds.${phase}`),
          time(detail.phases[phase]),
        ]),
        // A heartbeat is told to the server, wherever its job runs.
        [t("last.location"), phases.length > 0 && detail.location],
        [label("address"), detail.address],
        [
          label("failures"),
          detail.consecutiveFailures > 0 && formatCount(detail.consecutiveFailures, i18n.language),
        ],
      ]
    : [];
  const known = facts.filter(([, value]) => Boolean(value));
  // What the first check found is read a moment after that there was one.
  const isComing = !detail || (detail.lastCheck !== null && detail.location === null && known.length === 0);
  return (
    <Section title={label("title")}>
      {isComing && (
        <div aria-hidden className="grid gap-3 px-4 pt-1 pb-5">
          <Skeleton className="h-3 w-48" />
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 w-56" />
        </div>
      )}
      {!isComing && known.length === 0 && <p className="px-4 pt-1 pb-5 text-ink-faint">{label("none")}</p>}
      {known.length > 0 && (
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 px-4 pt-0.5 pb-4 text-sm">
          {known.map(([label, value]) => (
            <Fragment key={label}>
              <dt className="text-ink-faint">{label}</dt>
              <dd className="break-words tabular-nums">{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Section>
  );
}
