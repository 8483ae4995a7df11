import { useMutation, useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type CheckResult,
  type MonitorDetail,
  type Phase,
  readResults,
  resultsAtOnce,
  resultsQuery,
} from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout, failureOf } from "../../components/Callout.tsx";
import { DetailList, type LabelledValue, Section } from "../../components/Card.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Table } from "../../components/Table.tsx";
import { formatDateTime, formatResponseTime } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { useKind, useMonitorTexts } from "../descriptor.ts";
import { joinResults, resultRuns } from "./response-series.ts";
import { type ResultRow, useResultColumns } from "./result-columns.tsx";

interface ResultsCardProps {
  id: number;
  /** As far as it is known. */
  monitor: Monitor | undefined;
  /** Undefined while it is on its way. */
  detail: MonitorDetail | undefined;
  /** What its checks measure, in order. */
  phases: readonly Phase[];
  /** Whether its answers have codes. */
  hasCodes: boolean;
}

/** The newest checks, those that came out alike in one row; each opens to what is known of it. */
export function ResultsCard({ id, monitor, detail, phases, hasCodes }: ResultsCardProps) {
  const t = useMonitorTexts(monitor);
  const { reading, more, mayHaveMore } = useResults(id);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpen((was) => new Set(was.has(key) ? [...was].filter((one) => one !== key) : [...was, key]));
  const reasonOf = useReason();
  const isTimed = reading.data?.some(({ responseTime }) => responseTime !== null) === true;
  const columns = useResultColumns({
    monitor,
    reasonOf,
    open,
    toggle,
    hasCodes,
    isProbed: phases.length > 0,
    isTimed,
  });
  const addressOf = (check: CheckResult) =>
    detail && check.timestamp === detail.lastCheck && check.location === detail.location
      ? detail.address
      : null;
  return (
    <Section title={t("results.title")}>
      <Loaded
        of={reading}
        failed={t("results.failed")}
        loading={<Table columns={columns} rows={undefined} keyOf={({ key }) => key} expected={8} />}
        empty={t("results.empty")}
      >
        {(results) => (
          <>
            <Table
              columns={columns}
              rows={rowsOf(results, open)}
              keyOf={({ key }) => key}
              note={(row) => reasonOf(row.checks[0])}
              below={({ key, checks: [check], isRun }) =>
                !isRun &&
                open.has(key) && (
                  <ResultDetails
                    monitor={monitor}
                    check={check}
                    phases={phases}
                    reason={reasonOf(check)}
                    address={addressOf(check)}
                  />
                )
              }
              marks={({ checks: [check], isRun }) => ({
                "data-result": check.state,
                ...(isRun && { "data-run": "" }),
              })}
            />
            {more.error && (
              <div className="px-4 pt-3">
                <FailureCallout of={failureOf(more.error)} />
              </div>
            )}
            {mayHaveMore && (
              <div className="border-t border-line p-3 text-center">
                <Button variant="quiet" busy={more.isPending} onClick={() => more.mutate(results)}>
                  {t("results.older")}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** A row for each run, and below an open one a row for each of its checks. */
function rowsOf(results: readonly CheckResult[], open: ReadonlySet<string>): ResultRow[] {
  return resultRuns(results).flatMap(({ id, checks }): ResultRow[] => {
    const single = checks.map((check) => ({
      key: String(check.id),
      checks: [check] as const,
      isRun: false,
      isInner: checks.length > 1,
    }));
    if (checks.length === 1) return single;
    const key = `run-${id}`;
    const run = { key, checks: checks as ResultRow["checks"], isRun: true, isInner: false };
    return open.has(key) ? [run, ...single] : [run];
  });
}

function useReason(): (result: CheckResult) => string | null {
  const { t } = useTranslation("monitors");
  return ({ state, reason, reasonFact, message, messageFact }) => {
    if (reason !== null) return translateMessage(reason, reasonFact);
    // Without a message, the state says it.
    if (messageFact !== null) return translateMessage(message ?? "", messageFact);
    return state === "unknown" ? t("results.unknownReason") : null;
  };
}

/** The checks of a monitor: the newest ones, which are updated live, and as many before them as were loaded. */
function useResults(id: number) {
  const kind = useKind();
  const query = useQuery(resultsQuery(kind, id));
  const [older, setOlder] = useState<readonly CheckResult[]>([]);
  const [isWhole, setWhole] = useState(false);
  const results = query.data && joinResults(query.data, older);
  const more = useMutation({
    mutationFn: (shown: readonly CheckResult[]) => readResults(kind, id, { before: shown.at(-1)?.id }),
    onSuccess: (page, shown) => {
      setOlder([...shown, ...page]);
      setWhole(page.length < resultsAtOnce);
    },
  });
  const mayHaveMore = !isWhole && (results?.length ?? 0) >= resultsAtOnce;
  return { reading: { ...query, data: results }, more, mayHaveMore };
}

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
  /** Where it connected to; null where that is not stored. */
  address: string | null;
}

/** All that is known of one check: what its time was spent on, as bars one after another, and the rest in words. */
function ResultDetails({ monitor, check, phases, reason, address }: ResultDetailsProps) {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(monitor);
  const measured = phases.flatMap((phase) => {
    const time = check.phases[phase];
    return time === null ? [] : [{ phase, time }];
  });
  const sum = measured.reduce((total, { time }) => total + time, 0);
  const details: LabelledValue[] = [
    [t("results.reason"), reason],
    [t("results.time"), formatDateTime(check.timestamp, i18n.language)],
    [t("results.code"), check.statusCode],
    // Reports to the server have no location.
    [t("results.location"), phases.length > 0 && check.location],
    [t("results.address"), address],
  ];
  return (
    <div className="grid gap-4 rounded-md border border-line bg-page p-3 sm:grid-cols-2">
      <DetailList details={details} />
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
