import { useTranslation } from "react-i18next";
import type { ChartData } from "../../components/chart-data.ts";
import { type Column, LongTable } from "../../components/LongTable.tsx";
import { formatDateTime } from "../../format.ts";

interface MetricTableProps {
  label: string;
  data: ChartData;
  write: (value: number) => string;
}

interface Row {
  at: number;
  index: number;
}

/** A chart's figures, newest first. */
export function MetricTable({ label, data, write }: MetricTableProps) {
  const { t, i18n } = useTranslation("kinds/device");
  const rows = data.times
    .map((at, index): Row => ({ at, index }))
    .filter(({ index }) => data.lines.some(({ values }) => values[index] !== null))
    .reverse();
  const columns: Column<Row>[] = [
    {
      id: "time",
      head: t("lists.head.time"),
      width: "minmax(11rem, 1fr)",
      text: ({ at }) => formatDateTime(new Date(at).toISOString(), i18n.language),
    },
    ...data.lines.map(
      ({ label: head, values }): Column<Row> => ({
        id: head,
        head,
        width: "minmax(5rem, 1fr)",
        align: "end",
        text: ({ index }) => {
          const value = values[index];
          return value == null ? "–" : write(value);
        },
      }),
    ),
  ];
  return <LongTable label={label} columns={columns} rows={rows} keyOf={({ at }) => at} className="h-full" />;
}
