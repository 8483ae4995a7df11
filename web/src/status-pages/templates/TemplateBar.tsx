import { useTranslation } from "react-i18next";
import { PageBar } from "../../components/PageBar.tsx";

/** The way from the list of templates to one of them. */
export function TemplateBar({ title }: { title: string }) {
  const { t } = useTranslation(["status-pages/templates", "status-pages"]);
  return (
    <PageBar
      heading
      crumbs={[
        { label: t("status-pages:title"), to: "/status-pages" },
        { label: t("title"), to: "/status-pages/templates" },
      ]}
      title={title}
    />
  );
}
