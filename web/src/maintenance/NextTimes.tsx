import { useTranslation } from "react-i18next";
import type { Occurrence } from "../api/maintenance.ts";

/** When a window is open next, on the clock of its zone. */
export function NextTimes({
  occurrences,
  timeZone,
}: {
  occurrences: readonly Occurrence[];
  timeZone: string;
}) {
  const { t, i18n } = useTranslation("maintenance");
  if (occurrences.length === 0) return <p className="text-sm text-ink-faint">{t("next.none")}</p>;
  const format = new Intl.DateTimeFormat(i18n.language, {
    timeZone,
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit" },
  });
  return (
    <ul aria-label={t("next.title")} className="grid gap-1 text-sm text-ink-muted tabular-nums">
      {occurrences.map(({ startsAt, endsAt }) => (
        <li key={startsAt}>{format.formatRange(new Date(startsAt), new Date(endsAt))}</li>
      ))}
    </ul>
  );
}
