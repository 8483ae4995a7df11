import { useTranslation } from "react-i18next";
import { RangePicker } from "../../components/RangePicker.tsx";
import { type ReportSearch, reportRanges } from "./report-search.ts";

interface ReportTimeProps {
  search: ReportSearch;
  onChange: (next: ReportSearch) => void;
}

const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
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
              value={(end === "from" ? from : to) ?? ""}
              onChange={({ target }) => onChange({ [end]: target.value === "" ? undefined : target.value })}
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
              ? { range: option, from: from ?? dayOf(Date.now() - 30 * dayMs), to: to ?? dayOf(Date.now()) }
              : { range: option === "30d" ? undefined : option, from: undefined, to: undefined },
          )
        }
      />
    </div>
  );
}
