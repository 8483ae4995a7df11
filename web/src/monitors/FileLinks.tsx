import { Link } from "@tanstack/react-router";
import { Download, Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../api/roles.ts";
import { apiPaths } from "../paths.ts";

const look =
  "inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink max-md:size-9 max-md:justify-center";

/** Monitors from a file, and all of them into one. A phone shows pictures. */
export function FileLinks() {
  const { t } = useTranslation("monitors");
  return (
    <>
      {useMayWrite() && (
        <Link to="/import" className={look}>
          <Upload aria-hidden className="size-4" />
          <span className="max-md:sr-only">{t("file.import")}</span>
        </Link>
      )}
      <a href={apiPaths.exports} download title={t("file.exportText")} className={look}>
        <Download aria-hidden className="size-4" />
        <span className="max-md:sr-only">{t("file.export")}</span>
      </a>
    </>
  );
}
