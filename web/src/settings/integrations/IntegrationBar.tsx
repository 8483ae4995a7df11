import { useTranslation } from "react-i18next";
import { PageBar } from "../../components/PageBar.tsx";

/** The bar of a page that is opened from the list of integrations, with the way back to it. */
export function IntegrationBar({ title }: { title: string }) {
  const { t } = useTranslation(["settings/integrations", "settings"]);
  const crumbs = [
    { label: t("settings:title"), to: "/settings" as const },
    { label: t("title"), to: "/settings/integrations" as const },
  ];
  return <PageBar heading crumbs={crumbs} title={title} />;
}
