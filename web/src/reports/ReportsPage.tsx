import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { notificationSettingsQuery } from "../api/notification-settings.ts";
import { reportQuery } from "../api/reports.ts";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { RangePicker } from "../components/RangePicker.tsx";
import { useNow } from "../components/use-now.ts";
import { dayAt, formatClock } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { FilterButtons } from "../list/FilterButtons.tsx";
import type english from "./en.json";
import { IncidentReport } from "./IncidentReport.tsx";
import { MonitorReport } from "./MonitorReport.tsx";
import { ReportFiles, ReportHead, useIsOwnReport } from "./ReportHead.tsx";
import {
  type ReportSearch,
  type ReportSubject,
  reportQueryOf,
  reportRanges,
  reportSubjects,
} from "./report-search.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    reports: typeof english;
  }
}

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

/** When the reader gets the next report by mail, or why they get none, and the way to where they choose that. */
function ReportMails() {
  const { t, i18n } = useTranslation("reports");
  const now = useNow();
  const { data } = useQuery(notificationSettingsQuery);
  if (!data) return null;
  const { emailNotifications, emailWeeklyReports, emailMonthlyReports, targets } = data;
  const isWanted = emailNotifications && (emailWeeklyReports || emailMonthlyReports);
  const mail = targets.find(({ type }) => type === "email");
  const problemText = mail?.problem && isWanted ? translateMessage(mail.problem, mail.problemFact) : null;
  const [next] = [data.reports.weeklyAt, data.reports.monthlyAt].filter((at) => at !== null).toSorted();
  return (
    <p className="mt-4 text-sm text-ink-muted">
      <Link to="/settings/notifications" className="underline hover:text-ink">
        {next === undefined
          ? (problemText ?? t("mail.none"))
          : t("mail.next", { time: formatClock(Date.parse(next), now, i18n.language) })}
      </Link>
    </p>
  );
}

interface ReportTimeProps {
  search: ReportSearch;
  onChange: (next: ReportSearch) => void;
}

const dayMs = 86_400_000;
/** While a year is typed, it is for example 20. */
const firstDay = "2000-01-01";
const look = "h-8 rounded-md border border-line-strong bg-surface px-2 text-sm text-ink shadow-card";

/** Of when a report is: a range that ends now, or from a day to a day. */
function ReportTime({ search, onChange }: ReportTimeProps) {
  const { t } = useTranslation("reports");
  const { range = "30d", from, to } = search;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {range === "custom" &&
        (["from", "to"] as const).map((end) => (
          <label key={end} className="flex items-center gap-1.5 text-sm text-ink-muted">
            {t(`time.${end}`)}
            <input
              type="date"
              min={firstDay}
              defaultValue={(end === "from" ? from : to) ?? ""}
              onChange={({ target: { value } }) => {
                if (value === "") onChange({ [end]: undefined });
                else if (value >= firstDay) onChange({ [end]: value });
              }}
              className={look}
            />
          </label>
        ))}
      <RangePicker
        label={t("time.label")}
        options={reportRanges}
        value={range}
        textOf={(option) => ({ short: t(`time.${option}.short`), long: t(`time.${option}.long`) })}
        onPick={(option) =>
          onChange(
            option === "custom"
              ? { range: option, from: from ?? dayAt(Date.now() - 30 * dayMs), to: to ?? dayAt(Date.now()) }
              : { range: option === "30d" ? undefined : option, from: undefined, to: undefined },
          )
        }
      />
    </div>
  );
}
