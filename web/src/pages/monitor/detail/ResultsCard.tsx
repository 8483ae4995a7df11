import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type CheckResult, resultsQuery } from "../../../api/monitor.ts";
import { Loaded } from "../../../components/Loaded.tsx";
import { Section } from "../../../components/Section.tsx";
import { StatusDot, statusInk } from "../../../components/StatusDot.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { useNow } from "../../../components/use-now.ts";
import { formatDateTime, formatMoment, formatResponseTime } from "../../../format.ts";
import { factInReadersLanguage } from "../../../i18n/i18n.ts";
import { useKind } from "../../../kinds/use-kind.ts";

/** The newest checks, each with why it did not pass. */
export function ResultsCard({ id }: { id: number }) {
  const { t } = useTranslation("monitor");
  const kind = useKind();
  const query = useQuery(resultsQuery(kind, id));
  const columns = useColumns();
  const reasonOf = useReason();
  return (
    <Section title={t("results.title")}>
      <Loaded
        of={query}
        failed={t("results.failed")}
        loading={<Table columns={columns} rows={undefined} keyOf={({ id }) => id} expected={8} />}
        empty={t("results.empty")}
      >
        {(results) => (
          <Table
            columns={columns}
            rows={results}
            keyOf={({ id }) => id}
            note={reasonOf}
            marks={({ state }) => ({ "data-result": state })}
          />
        )}
      </Loaded>
    </Section>
  );
}

function useReason(): (result: CheckResult) => string | null {
  const { t } = useTranslation("monitor");
  return ({ state, reason, reasonFact, message, messageFact }) => {
    if (reason !== null) return factInReadersLanguage(reason, reasonFact);
    if (message !== null) return factInReadersLanguage(message, messageFact);
    return state === "unknown" ? t("results.unknownReason") : null;
  };
}

function useColumns(): Column<CheckResult>[] {
  const { t } = useTranslation("monitor");
  const reasonOf = useReason();
  const head = (column: "time" | "result" | "reason" | "code" | "location" | "response") => ({
    id: column,
    head: t(`results.${column}`),
  });
  return [
    {
      ...head("time"),
      cell: ({ timestamp }) => <Moment timestamp={timestamp} />,
      width: "w-36 max-md:w-32",
      className: "whitespace-nowrap text-ink-muted tabular-nums",
    },
    { ...head("result"), cell: ({ state }) => <Outcome state={state} />, width: "md:w-32" },
    { ...head("reason"), cell: reasonOf, wide: true, className: "break-words text-ink-muted" },
    {
      ...head("code"),
      cell: ({ statusCode }) => statusCode ?? "–",
      align: "end",
      wide: true,
      width: "w-14 lg:w-16",
      className: "text-ink-muted",
    },
    {
      ...head("location"),
      cell: ({ location }) => location,
      wide: true,
      width: "w-24 lg:w-32",
      className: "truncate text-ink-muted",
    },
    {
      ...head("response"),
      cell: (result) => <ResponseTime result={result} />,
      align: "end",
      width: "w-24 lg:w-26",
    },
  ];
}

function Moment({ timestamp }: { timestamp: string }) {
  const { i18n } = useTranslation("monitor");
  const now = useNow();
  return (
    <span title={formatDateTime(timestamp, i18n.language)}>
      {formatMoment(timestamp, now, i18n.language)}
    </span>
  );
}

function Outcome({ state }: { state: CheckResult["state"] }) {
  const { t } = useTranslation("monitor");
  const ink = state === "up" ? "text-ink" : `font-medium ${statusInk[state]}`;
  return (
    <span className={`flex items-center gap-2 ${ink}`}>
      <StatusDot status={state} plain />
      {t(`results.state.${state}`)}
    </span>
  );
}

function ResponseTime({ result: { responseTime, state } }: { result: CheckResult }) {
  const { i18n } = useTranslation("monitor");
  return responseTime === null || state === "down" ? (
    <span className="text-ink-muted">–</span>
  ) : (
    formatResponseTime(responseTime, i18n.language)
  );
}
