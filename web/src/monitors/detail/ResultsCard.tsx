import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CheckResult, MonitorDetail, Phase } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { failureOf } from "../../components/failure.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { Table } from "../../components/Table.tsx";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { useMonitorTexts } from "../use-kind.ts";
import { ResultDetails } from "./ResultDetails.tsx";
import { type ResultRow, useResultColumns } from "./result-columns.tsx";
import { resultRuns } from "./result-runs.ts";
import { useResults } from "./use-results.ts";

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
    isAsked: phases.length > 0,
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
                <FailureNotice of={failureOf(more.error)} />
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
    if (reason !== null) return factInReadersLanguage(reason, reasonFact);
    // What has nothing to say is told by its state.
    if (messageFact !== null) return factInReadersLanguage(message ?? "", messageFact);
    return state === "unknown" ? t("results.unknownReason") : null;
  };
}
