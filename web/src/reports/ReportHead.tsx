import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Download, FileText, Printer } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { callForFile } from "../api/client.ts";
import type { MonitorReport } from "../api/reports.ts";
import { sessionQuery } from "../api/session.ts";
import { saveFile } from "../components/save-file.ts";
import { useNow } from "../components/use-now.ts";
import { formatClock, formatSpan } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { showToast } from "../toasts.ts";
import { type ReportSubject, reportFile } from "./report-search.ts";

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

const look =
  "inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-busy:opacity-50 max-md:size-9 max-md:justify-center";
const icons = { csv: Download, pdf: FileText };

/** The report as a file, and on paper. A phone shows pictures. */
export function ReportFiles({ about, query }: { about: ReportSubject; query: Record<string, string> }) {
  const { t } = useTranslation("reports");
  const saving = useMutation({
    mutationFn: callForFile,
    onSuccess: ({ name, content }) => saveFile(name, content),
    onError: ({ message }) => showToast("error", message),
  });
  const at = (format: "csv" | "pdf" | "html") =>
    reportFile(apiPaths.report(about), query, format, currentLanguage());
  // The browser alone would make a file of a refusal.
  const save = (event: MouseEvent, path: string) => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate(path);
  };
  return (
    <>
      {(["csv", "pdf"] as const).map((format) => {
        const Icon = icons[format];
        const path = at(format);
        const isBusy = saving.isPending && saving.variables === path;
        return (
          <a
            key={format}
            href={path}
            download
            aria-busy={isBusy || undefined}
            onClick={(event) => save(event, path)}
            className={look}
          >
            <Icon aria-hidden className="size-4" />
            <span className="max-md:sr-only">{t(`file.${format}`)}</span>
          </a>
        );
      })}
      <a href={at("html")} target="_blank" rel="noreferrer" title={t("file.printText")} className={look}>
        <Printer aria-hidden className="size-4" />
        <span className="max-md:sr-only">{t("file.print")}</span>
      </a>
    </>
  );
}

/** Taken to be while it loads. What one of another organization names has no page here. */
export function useIsOwnReport(report: Pick<MonitorReport, "organization"> | undefined): boolean {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return !report || !session || report.organization.id === session.organization.id;
}
