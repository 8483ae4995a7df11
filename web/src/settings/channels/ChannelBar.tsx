import { useTranslation } from "react-i18next";
import { PageBar } from "../../components/PageBar.tsx";

/** The bar of a page that is opened from the list of channels, with the way back to it. */
export function ChannelBar({ title }: { title: string }) {
  const { t } = useTranslation(["settings/channels", "settings"]);
  const crumbs = [
    { label: t("settings:title"), to: "/settings" as const },
    { label: t("title"), to: "/settings/channels" as const },
  ];
  return <PageBar heading crumbs={crumbs} title={title} />;
}
