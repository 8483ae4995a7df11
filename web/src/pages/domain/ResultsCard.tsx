import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type CheckResult, resultsQuery } from "../../api/domain.ts";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Section } from "../../components/Section.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { StatusDot, statusInk } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatMoment, formatResponseTime } from "../../format.ts";

const skeletonRows = 8;

/** The newest checks, each with why it did not pass. */
export function ResultsCard({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(resultsQuery(id));
  return (
    <Section title={t("domain.results.title")}>
      {!data && error ? (
        <ErrorState error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <p className="grid h-19 place-items-center px-4 pb-4 text-ink-faint">{t("domain.results.empty")}</p>
      ) : (
        <table className="mb-1.5 w-full table-fixed text-sm">
          <ResultsHead />
          <tbody>
            {data
              ? data.map((result) => <ResultRow key={result.id} result={result} />)
              : Array.from({ length: skeletonRows }, (_, row) => (
                  <tr key={row} aria-hidden className="h-10 border-t border-line">
                    <td colSpan={3} className="px-4 md:hidden">
                      <Skeleton className="h-3 w-3/4" />
                    </td>
                    <td colSpan={6} className="px-4 max-md:hidden">
                      <Skeleton className="h-3 w-2/3" />
                    </td>
                  </tr>
                ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function ResultsHead() {
  const { t } = useTranslation();
  return (
    <thead className="text-xs text-ink-faint">
      <tr className="h-7 text-left [&>th]:px-2 [&>th]:font-normal [&>th:first-child]:pl-4 [&>th:last-child]:pr-4">
        <th scope="col" className="w-32">
          {t("domain.results.time")}
        </th>
        <th scope="col" className="md:w-24">
          {t("domain.results.result")}
        </th>
        <th scope="col" className="max-md:hidden">
          {t("domain.results.reason")}
        </th>
        <th scope="col" className="w-16 text-right max-md:hidden">
          {t("domain.results.code")}
        </th>
        <th scope="col" className="w-28 max-md:hidden">
          {t("domain.results.location")}
        </th>
        <th scope="col" className="w-24 text-right">
          {t("domain.results.response")}
        </th>
      </tr>
    </thead>
  );
}

function ResultRow({ result }: { result: CheckResult }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { state, timestamp, statusCode, responseTime, location } = result;
  const reason = state === "unknown" ? (result.reason ?? t("domain.results.unknownReason")) : result.reason;
  return (
    <>
      <tr
        data-result={state}
        className="h-10 border-t border-line [&>td]:px-2 [&>td]:py-2 [&>td:first-child]:pl-4 [&>td:last-child]:pr-4"
      >
        <td
          title={formatDateTime(timestamp, i18n.language)}
          className="align-top whitespace-nowrap text-ink-muted tabular-nums"
        >
          {formatMoment(timestamp, now, i18n.language)}
        </td>
        <td className="align-top">
          <span
            className={`flex items-center gap-2 ${state === "up" ? "text-ink" : `font-medium ${statusInk[state]}`}`}
          >
            <StatusDot status={state} plain />
            {t(`domain.results.state.${state}`)}
          </span>
        </td>
        <td className="align-top break-words text-ink-muted max-md:hidden">{reason}</td>
        <td className="text-right align-top text-ink-muted tabular-nums max-md:hidden">
          {statusCode ?? "–"}
        </td>
        <td className="truncate align-top text-ink-muted max-md:hidden">{location}</td>
        <td className="text-right align-top tabular-nums">
          {responseTime === null || state === "down" ? "–" : formatResponseTime(responseTime, i18n.language)}
        </td>
      </tr>
      {reason && (
        <tr className="md:hidden">
          <td colSpan={3} className="px-4 pb-2.5 break-words text-ink-muted">
            {reason}
          </td>
        </tr>
      )}
    </>
  );
}
