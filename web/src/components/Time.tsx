import { useTranslation } from "react-i18next";
import { formatAgo, formatClock, formatDateTime, formatMoment } from "../i18n/format.ts";
import { useNow } from "./use-now.ts";

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** `moment`: to the second, with the day where it is another; `clock`: to the minute; `ago`: how long ago. */
  as?: "moment" | "clock" | "ago";
  className?: string;
}

/** A point in time, with all of it on hover. */
export function Time({ at, as = "moment", className = "" }: TimeProps) {
  const { i18n } = useTranslation();
  const { language } = i18n;
  const now = useNow();
  return (
    <time dateTime={at} title={formatDateTime(at, language)} className={`tabular-nums ${className}`}>
      {as === "moment" && formatMoment(at, now, language)}
      {as === "clock" && formatClock(Date.parse(at), now, language)}
      {as === "ago" && formatAgo(now - Date.parse(at), language)}
    </time>
  );
}
