import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { MonitorReport } from "../api/reports.ts";
import { sessionQuery } from "../api/session.ts";
import { useNow } from "../components/use-now.ts";
import { formatClock, formatSpan } from "../i18n/format.ts";
import { useIsOwnReport } from "./use-is-own-report.ts";

interface ReportHeadProps {
  /** Undefined while it is on its way. */
  report: Pick<MonitorReport, "organization" | "period" | "generatedAt"> | undefined;
  /** Leads to that of the reader's own organization. */
  onOwn: () => void;
}

/** Whose report it is, of when and as of when: a mail may lead to one of another organization than the reader is in. */
export function ReportHead({ report, onOwn }: ReportHeadProps) {
  const { t, i18n } = useTranslation("reports");
  const { data: session } = useSuspenseQuery(sessionQuery);
  const now = useNow();
  const isOwn = useIsOwnReport(report);
  return (
    <p className="mb-3 min-h-5 text-sm text-pretty text-ink-muted wrap-anywhere" data-report="head">
      {report && (
        <>
          <bdi className="font-medium text-ink">{report.organization.name}</bdi>
          {" · "}
          {formatSpan(Date.parse(report.period.from), Date.parse(report.period.to), now, i18n.language)}
          {" · "}
          {t("asOf", { time: formatClock(Date.parse(report.generatedAt), now, i18n.language) })}
        </>
      )}
      {session && !isOwn && (
        <button type="button" onClick={onOwn} className="ml-2 underline hover:text-ink">
          {t("showOwn", { organization: session.organization.name })}
        </button>
      )}
    </p>
  );
}
