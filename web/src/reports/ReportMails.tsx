import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { notificationSettingsQuery } from "../api/notification-settings.ts";
import { useNow } from "../components/use-now.ts";
import { formatClock } from "../i18n/format.ts";
import { factInReadersLanguage } from "../i18n/i18n.ts";

/** When the reader gets the next report by mail, or why they get none, and the way to where they choose that. */
export function ReportMails() {
  const { t, i18n } = useTranslation("reports");
  const now = useNow();
  const { data } = useQuery(notificationSettingsQuery);
  if (!data) return null;
  const { emailNotifications, emailWeeklyReports, emailMonthlyReports, targets } = data;
  const isWanted = emailNotifications && (emailWeeklyReports || emailMonthlyReports);
  const mail = targets.find(({ type }) => type === "email");
  const trouble = mail?.problem && isWanted ? factInReadersLanguage(mail.problem, mail.problemFact) : null;
  const [next] = [data.reports.weeklyAt, data.reports.monthlyAt].filter((at) => at !== null).toSorted();
  return (
    <p className="mt-4 text-sm text-ink-muted">
      <Link to="/settings/notifications" className="underline hover:text-ink">
        {next === undefined
          ? (trouble ?? t("mail.none"))
          : t("mail.next", { time: formatClock(Date.parse(next), now, i18n.language) })}
      </Link>
    </p>
  );
}
