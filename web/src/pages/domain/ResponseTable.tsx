import { useTranslation } from "react-i18next";
import { formatDateTime, formatResponseTime } from "../../format.ts";
import type { ResponseSeries } from "./response-series.ts";

/** The chart's figures, newest first. */
export function ResponseTable({ shown, rangeName }: { shown: ResponseSeries; rangeName: string }) {
  const { t, i18n } = useTranslation();
  const { times, series } = shown;
  const rows = times
    .map((time, index) => ({ time, values: series.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .reverse();
  const write = (value: number) => formatResponseTime(value, i18n.language);
  const total = series.length > 1;
  return (
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-label={`${t("domain.response.title")}, ${rangeName}`}
      className="h-full overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-sm tabular-nums">
        <thead className="sticky top-0 bg-surface text-xs text-ink-faint">
          <tr className="h-8 [&>th]:px-3 [&>th]:font-normal">
            <th scope="col" className="text-left">
              {t("domain.response.time")}
            </th>
            {series.map(({ kind }) => (
              <th key={kind} scope="col" className="text-right">
                {t(`domain.response.kinds.${kind}`)}
              </th>
            ))}
            {total && (
              <th scope="col" className="text-right">
                {t("domain.response.total")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, values }) => (
            <tr key={time} className="h-8 border-t border-line whitespace-nowrap [&>*]:px-3">
              <th scope="row" className="text-left font-normal text-ink-muted">
                {formatDateTime(new Date(time).toISOString(), i18n.language)}
              </th>
              {series.map(({ kind }, index) => (
                <td key={kind} className="text-right">
                  {values[index] == null ? "–" : write(values[index])}
                </td>
              ))}
              {total && (
                <td className="text-right font-medium">
                  {write(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
