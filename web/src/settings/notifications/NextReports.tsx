import { useTranslation } from "react-i18next";
import type { NotificationSettings } from "../../api/notification-settings.ts";
import { useNow } from "../../components/use-now.ts";
import { formatClock } from "../../i18n/format.ts";

/** When the next reports come by mail; nothing where none does. */
export function NextReports({ reports: { weeklyAt, monthlyAt } }: Pick<NotificationSettings, "reports">) {
  const { t, i18n } = useTranslation("settings/notifications");
  const now = useNow();
  if (weeklyAt === null && monthlyAt === null) return null;
  const time = (at: string) => formatClock(Date.parse(at), now, i18n.language);
  return (
    <div className="grid gap-1 px-4 pb-4 text-sm text-ink-muted" data-reports="next">
      {weeklyAt && <p>{t("settings.next.weekly", { time: time(weeklyAt) })}</p>}
      {monthlyAt && <p>{t("settings.next.monthly", { time: time(monthlyAt) })}</p>}
    </div>
  );
}
