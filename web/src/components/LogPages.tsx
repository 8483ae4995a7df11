import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../i18n/format.ts";
import { IconButton } from "./Button.tsx";

interface LogPagesProps {
  page: number;
  pages: number;
  total: number;
  onPage: (page: number) => void;
}

/** How many entries a log has, and the way to the others. */
export function LogPages({ page, pages, total, onPage }: LogPagesProps) {
  const { t, i18n } = useTranslation();
  const count = (number: number) => formatCount(number, i18n.language);
  return (
    <nav
      aria-label={t("pages.label")}
      className="flex min-h-12 items-center justify-between gap-4 border-t border-line px-4 text-sm text-ink-muted"
    >
      <span className="tabular-nums">{t("pages.total", { count: total, amount: count(total) })}</span>
      {pages > 1 && (
        <span className="-mr-2 flex items-center gap-1">
          <IconButton label={t("pages.newer")} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <ChevronLeft aria-hidden className="size-4" />
          </IconButton>
          <span className="tabular-nums">{t("pages.page", { page: count(page), pages: count(pages) })}</span>
          <IconButton label={t("pages.older")} disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <ChevronRight aria-hidden className="size-4" />
          </IconButton>
        </span>
      )}
    </nav>
  );
}
