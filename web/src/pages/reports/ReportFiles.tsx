import { Download, FileText, Printer } from "lucide-react";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "../../i18n/i18n.ts";
import { apiPaths } from "../../paths.ts";
import { type ReportSubject, reportFile } from "./report-search.ts";

const look =
  "inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink max-md:size-9 max-md:justify-center";

/** The report as a file, and on paper. A phone shows pictures. */
export function ReportFiles({ about, query }: { about: ReportSubject; query: Record<string, string> }) {
  const { t } = useTranslation("reports");
  const at = (format: "csv" | "pdf" | "html") =>
    reportFile(apiPaths.report(about), query, format, currentLanguage());
  return (
    <>
      <a href={at("csv")} download className={look}>
        <Download aria-hidden className="size-4" />
        <span className="max-md:sr-only">{t("file.csv")}</span>
      </a>
      <a href={at("pdf")} download className={look}>
        <FileText aria-hidden className="size-4" />
        <span className="max-md:sr-only">{t("file.pdf")}</span>
      </a>
      <a href={at("html")} target="_blank" rel="noreferrer" title={t("file.printText")} className={look}>
        <Printer aria-hidden className="size-4" />
        <span className="max-md:sr-only">{t("file.print")}</span>
      </a>
    </>
  );
}
