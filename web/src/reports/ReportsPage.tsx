import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { reportQuery } from "../api/reports.ts";
import { PageBar } from "../components/PageBar.tsx";
import { usePageTitle } from "../components/use-page-title.ts";
import { FilterButtons } from "../list/FilterButtons.tsx";
import type english from "./en.json";
import { IncidentReport } from "./IncidentReport.tsx";
import { MonitorReport } from "./MonitorReport.tsx";
import { ReportFiles } from "./ReportFiles.tsx";
import { ReportHead } from "./ReportHead.tsx";
import { ReportMails } from "./ReportMails.tsx";
import { ReportTime } from "./ReportTime.tsx";
import { type ReportSearch, type ReportSubject, reportQueryOf, reportSubjects } from "./report-search.ts";
import { useIsOwnReport } from "./use-is-own-report.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    reports: typeof english;
  }
}

/** What was up, how fast, and what happened over a time, compared with the time before. */
export function ReportsPage() {
  const { t } = useTranslation("reports");
  usePageTitle(t("title"));
  const search = useSearch({ from: "/app/reports" });
  const navigate = useNavigate();
  const change = (next: ReportSearch) =>
    void navigate({
      ...{ to: "/reports", search: { ...search, ...next }, replace: true, resetScroll: false },
    });
  const { about = "domains" } = search;
  const query = reportQueryOf(search);
  const { data, isError } = useQuery(reportQuery<ReportSubject>(about, query));
  // What was read stays where it cannot be read again.
  const hasFailed = isError && data === undefined;
  const isOwn = useIsOwnReport(data);
  return (
    <>
      <PageBar heading title={t("title")}>
        {query && data && <ReportFiles about={about} query={query} />}
      </PageBar>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <FilterButtons
          label={t("about.label")}
          names={reportSubjects}
          chosen={about}
          onChoose={(name) => change({ about: name === "domains" ? undefined : name })}
          className="flex-1 max-sm:basis-full"
        >
          {(name) => t(`about.${name}`)}
        </FilterButtons>
        <ReportTime search={search} onChange={change} />
      </div>
      {!hasFailed && <ReportHead report={data} onOwn={() => change({ organization: undefined })} />}
      {about === "incidents" ? (
        <IncidentReport query={query} />
      ) : (
        <MonitorReport key={about} about={about} query={query} />
      )}
      {!hasFailed && isOwn && <ReportMails />}
    </>
  );
}
