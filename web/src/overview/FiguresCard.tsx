import { useTranslation } from "react-i18next";
import { Section } from "../components/Section.tsx";
import { formatPercentage, formatResponseTime } from "../i18n/format.ts";

/** Uptime (0…100) and mean response (milliseconds) of all domains together over the last 24 hours. */
export function FiguresCard({
  uptime,
  responseTime,
}: {
  uptime: number | null;
  responseTime: number | null;
}) {
  const { t, i18n } = useTranslation("overview");
  const figures = [
    [t("figures.uptime"), uptime === null ? null : formatPercentage(uptime, i18n.language)],
    [t("figures.response"), responseTime === null ? null : formatResponseTime(responseTime, i18n.language)],
  ];
  return (
    <Section title={t("figures.title")}>
      <dl className="grid grid-cols-2 px-4 pt-1 pb-4">
        {figures.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="truncate text-xs text-ink-faint">{label}</dt>
            <dd className="mt-0.5 text-xl font-semibold tracking-tight tabular-nums">{value ?? "–"}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
