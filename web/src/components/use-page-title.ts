import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** Names the browser's tab: "3 down · Domains · Vedette". */
export function usePageTitle(title: string): void {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [title, t]);
}
