import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/channels.ts";
import { PageBar } from "../../components/PageBar.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatClock } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";

/** The bar of a page that is opened from the list of channels, with the way back to it. */
export function ChannelBar({ title }: { title: string }) {
  const { t } = useTranslation(["settings/channels", "settings"]);
  const crumbs = [
    { label: t("settings:title"), to: "/settings" as const },
    { label: t("title"), to: "/settings/channels" as const },
  ];
  return <PageBar heading crumbs={crumbs} title={title} />;
}

/** How a channel came to be off: "Turned off by Ada Lovelace, 09:31", or by Vedette and why. */
export function useOffWords(): (channel: Channel) => string {
  const { t, i18n } = useTranslation("settings/channels");
  const now = useNow();
  return ({ disabledAt, disabledByName: name, disabledReason, disabledReasonFact }) => {
    const time = disabledAt === null ? null : formatClock(Date.parse(disabledAt), now, i18n.language);
    if (disabledReason !== null) {
      const why = translateMessage(disabledReason, disabledReasonFact);
      return time === null ? t("turnedOff", { why }) : t("turnedOffAt", { why, time });
    }
    if (time === null) return t("off");
    return name === null ? t("offSince", { time }) : t("offBy", { name, time });
  };
}
