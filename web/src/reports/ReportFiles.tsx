import { useMutation } from "@tanstack/react-query";
import { Download, FileText, Printer } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { callForFile } from "../api/client.ts";
import { saveFile } from "../components/save-file.ts";
import { currentLanguage } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { showToast } from "../toasts.ts";
import { type ReportSubject, reportFile } from "./report-search.ts";

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
