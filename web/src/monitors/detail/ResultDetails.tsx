import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { CheckResult, Phase } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { FactList, type LabelledValue } from "../../components/FactList.tsx";
import { formatDateTime, formatResponseTime } from "../../i18n/format.ts";
import { useMonitorTexts } from "../use-kind.ts";

const fills = {
  dns: "bg-phase-dns",
  connect: "bg-phase-connect",
  tls: "bg-phase-tls",
  firstByte: "bg-phase-server",
  transfer: "bg-phase-transfer",
} as const satisfies Record<Phase, string>;

interface ResultDetailsProps {
  /** As far as it is known. */
  monitor: Monitor | undefined;
  check: CheckResult;
  /** What it may have measured, in order. */
  phases: readonly Phase[];
  reason: string | null;
  /** Where it connected to; null where that is not kept. */
  address: string | null;
}

/** All that is known of one check: what its time was spent on, as bars one after another, and the rest in words. */
export function ResultDetails({ monitor, check, phases, reason, address }: ResultDetailsProps) {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(monitor);
  const measured = phases.flatMap((phase) => {
    const time = check.phases[phase];
    return time === null ? [] : [{ phase, time }];
  });
  const sum = measured.reduce((total, { time }) => total + time, 0);
  const facts: LabelledValue[] = [
    [t("results.reason"), reason],
    [t("results.time"), formatDateTime(check.timestamp, i18n.language)],
    [t("results.code"), check.statusCode],
    // What is told to the server comes from no location.
    [t("results.location"), phases.length > 0 && check.location],
    [t("results.address"), address],
  ];
  return (
    <div className="grid gap-4 rounded-md border border-line bg-page p-3 sm:grid-cols-2">
      <FactList facts={facts} />
      {measured.length > 0 && (
        <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)_auto] content-start items-center gap-x-3 gap-y-1">
          {measured.map(({ phase, time }, at) => {
            const before = measured.slice(0, at).reduce((total, each) => total + each.time, 0);
            return (
              <Fragment key={phase}>
                <dt className="text-ink-faint">{t(`response.kinds.${phase}`)}</dt>
                <dd aria-hidden className="h-2">
                  <span
                    className={`block h-full min-w-px rounded-2xs ${fills[phase]}`}
                    style={{ marginLeft: `${(100 * before) / sum}%`, width: `${(100 * time) / sum}%` }}
                  />
                </dd>
                <dd className="text-right tabular-nums">{formatResponseTime(time, i18n.language)}</dd>
              </Fragment>
            );
          })}
          {check.phases.total !== null && (
            <>
              <dt className="text-ink-faint">{t("response.total")}</dt>
              <dd aria-hidden />
              <dd className="text-right font-medium tabular-nums">
                {formatResponseTime(check.phases.total, i18n.language)}
              </dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}
