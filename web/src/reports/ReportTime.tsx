import { useTranslation } from "react-i18next";
import { RangePicker } from "../components/RangePicker.tsx";
import { dayAt } from "../i18n/format.ts";
import { type ReportSearch, reportRanges } from "./report-search.ts";

interface ReportTimeProps {
  search: ReportSearch;
  onChange: (next: ReportSearch) => void;
}

const dayMs = 86_400_000;
/** While a year is typed, it is for example 20. */
const firstDay = "2000-01-01";
const look = "h-8 rounded-md border border-line-strong bg-surface px-2 text-sm text-ink shadow-card";

/** Of when a report is: a range that ends now, or from a day to a day. */
export function ReportTime({ search, onChange }: ReportTimeProps) {
  const { t } = useTranslation("reports");
  const { range = "30d", from, to } = search;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {range === "custom" &&
        (["from", "to"] as const).map((end) => (
          <label key={end} className="flex items-center gap-1.5 text-sm text-ink-muted">
            {t(`time.${end}`)}
            <input
              type="date"
              min={firstDay}
              defaultValue={(end === "from" ? from : to) ?? ""}
              onChange={({ target: { value } }) => {
                if (value === "") onChange({ [end]: undefined });
                else if (value >= firstDay) onChange({ [end]: value });
              }}
              className={look}
            />
          </label>
        ))}
      <RangePicker
        label={t("time.label")}
        options={reportRanges}
        value={range}
        textOf={(option) => ({ short: t(`time.${option}.short`), long: t(`time.${option}.long`) })}
        onPick={(option) =>
          onChange(
            option === "custom"
              ? { range: option, from: from ?? dayAt(Date.now() - 30 * dayMs), to: to ?? dayAt(Date.now()) }
              : { range: option === "30d" ? undefined : option, from: undefined, to: undefined },
          )
        }
      />
    </div>
  );
}
