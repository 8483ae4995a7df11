import { useId } from "react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../../i18n/format.ts";

interface UsageBarProps {
  label: string;
  /** `limit` null: any number. */
  quota: { used: number; limit: number | null };
  /** What it is made of. */
  note?: string;
}

/** From this share on it is worth a look. */
const nearlyFull = 0.8;

/** How many there are of how many there may be; a bar where there is an end to it. */
export function UsageBar({ label, quota: { used, limit }, note }: UsageBarProps) {
  const { t, i18n } = useTranslation("settings/organization");
  const id = useId();
  const count = formatCount(used, i18n.language);
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const tone = share >= 1 ? "bg-down" : share >= nearlyFull ? "bg-warn" : "bg-series";
  const words =
    limit === null ? count : t("plan.of", { used: count, limit: formatCount(limit, i18n.language) });
  return (
    <li className="min-w-0 text-sm">
      <div className="flex justify-between gap-4">
        <span id={id}>{label}</span>
        <span className="tabular-nums">
          {words}
          {limit === null && <span className="text-ink-faint"> · {t("plan.unlimited")}</span>}
        </span>
      </div>
      {limit !== null && (
        <div
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={words}
          className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-line"
        >
          <div className={`h-full rounded-full ${tone}`} style={{ width: `${share * 100}%` }} />
        </div>
      )}
      {note && <p className="mt-1 text-xs text-ink-faint">{note}</p>}
    </li>
  );
}
