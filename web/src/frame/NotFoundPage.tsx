import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../components/EmptyState.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { PageMessage } from "../components/PageMessage.tsx";
import { usePageTitle } from "../components/use-page-title.ts";

/** An address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t("notFound.pageTitle"));
  return (
    <PageMessage>
      <PageBar title={t("notFound.pageTitle")} />
      <EmptyState
        icon={<Compass aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("notFound.title")}
        text={t("notFound.text")}
      >
        <Link to="/domains" className="rounded-sm font-medium underline underline-offset-4">
          {t("notFound.back")}
        </Link>
      </EmptyState>
    </PageMessage>
  );
}
