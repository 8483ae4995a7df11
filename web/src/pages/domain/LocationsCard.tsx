import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { checksPerLocation, type LocationChecks, locationsQuery } from "../../api/domain.ts";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Section } from "../../components/Section.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatResponseTime } from "../../format.ts";

type Check = LocationChecks[string][number];

const fills = { up: "bg-up", degraded: "bg-warn", down: "bg-down", unknown: "bg-idle" } as const;

/** What each location saw in its newest checks. */
export function LocationsCard({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(locationsQuery(id));
  const locations = data && Object.entries(data);
  return (
    <Section title={t("domain.locations.title")}>
      {!data && error ? (
        <ErrorState error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : locations?.length === 0 ? (
        <p className="grid h-19 place-items-center px-4 pb-4 text-ink-faint">{t("domain.locations.empty")}</p>
      ) : (
        <table className="mb-1.5 w-full table-fixed text-sm">
          <thead className="text-xs text-ink-faint">
            <tr className="h-7 [&>th]:px-2 [&>th]:font-normal [&>th:first-child]:pl-4 [&>th:last-child]:pr-4">
              <th scope="col" className="w-[32%] sm:w-[24%] text-left">
                {t("domain.locations.location")}
              </th>
              <th scope="col" className="text-left">
                {t("domain.locations.checks")}
              </th>
              <th scope="col" className="w-20 text-right">
                {t("domain.locations.response")}
              </th>
              <th scope="col" className="w-36 text-right max-sm:hidden">
                {t("domain.locations.checked")}
              </th>
            </tr>
          </thead>
          <tbody>
            {locations ? (
              locations.map(([code, checks]) => <LocationRow key={code} code={code} checks={checks} />)
            ) : (
              <SkeletonRow />
            )}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function LocationRow({ code, checks }: { code: string; checks: readonly Check[] }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const [newest] = checks;
  const passed = checks.filter(({ status }) => status === "up").length;
  const response = checks.find((check) => check.status === "up" && check.responseTime !== null)?.responseTime;
  return (
    <tr className="h-10 border-t border-line [&>*]:px-2 [&>*:first-child]:pl-4 [&>*:last-child]:pr-4">
      <th scope="row" className="truncate text-left font-medium">
        {code}
      </th>
      <td>
        <span className="sr-only">{t("domain.locations.passed", { passed, count: checks.length })}</span>
        <span aria-hidden className="flex h-4 justify-start gap-px">
          {Array.from({ length: checksPerLocation }, (_, at) => checks[checksPerLocation - 1 - at]).map(
            (check, at) => (
              <span
                key={check?.timestamp ?? at}
                className={`max-w-1 flex-1 rounded-[1px] ${check ? fills[check.state] : "bg-line"}`}
              />
            ),
          )}
        </span>
      </td>
      <td className="text-right text-ink-muted tabular-nums">
        {response == null ? "–" : formatResponseTime(response, i18n.language)}
      </td>
      <td className="truncate text-right text-ink-muted tabular-nums max-sm:hidden">
        {newest && formatAgo(now - Date.parse(newest.timestamp), i18n.language)}
      </td>
    </tr>
  );
}

function SkeletonRow() {
  return (
    <tr className="h-10 border-t border-line [&>*]:px-2 [&>*:first-child]:pl-4 [&>*:last-child]:pr-4">
      <td>
        <Skeleton className="h-3 w-16" />
      </td>
      <td>
        <Skeleton className="h-3 w-28" />
      </td>
      <td>
        <Skeleton className="ml-auto h-3 w-10" />
      </td>
      <td className="max-sm:hidden">
        <Skeleton className="ml-auto h-3 w-20" />
      </td>
    </tr>
  );
}
