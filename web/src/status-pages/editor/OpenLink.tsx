import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { StatusPage } from "../../api/status-pages.ts";
import { addressOf } from "../page-address.ts";

/** Leads to the page itself, as its visitors find it. */
export function OpenLink({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages");
  return (
    <a
      href={addressOf(page)}
      target="_blank"
      rel="noreferrer"
      className="inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-md border border-line-strong bg-surface px-3.5 font-medium whitespace-nowrap text-ink shadow-card transition-colors hover:bg-hover max-sm:px-2.5"
    >
      <ExternalLink aria-hidden className="size-4" />
      <span className="max-sm:sr-only">{t("action.open")}</span>
    </a>
  );
}
