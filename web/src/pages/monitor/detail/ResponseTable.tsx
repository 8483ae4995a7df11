import { useTranslation } from "react-i18next";
import { type Column, Table, TableFrame } from "../../../components/Table.tsx";
import { formatDateTime, formatResponseTime } from "../../../format.ts";
import type { ResponseSeries } from "./response-series.ts";

/** The values of one time, in the order of the series. */
interface Row {
  time: number;
  values: (number | null)[];
}

/** The chart's figures, newest first. */
export function ResponseTable({ shown, rangeName }: { shown: ResponseSeries; rangeName: string }) {
  const { t, i18n } = useTranslation("monitor");
  const { times, series } = shown;
  const rows = times
    .map((time, index): Row => ({ time, values: series.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .reverse();
  const write = (value: number | null | undefined) =>
    value == null ? "–" : formatResponseTime(value, i18n.language);
  const columns: Column<Row>[] = [
    {
      id: "time",
      head: t("response.time"),
      cell: ({ time }) => formatDateTime(new Date(time).toISOString(), i18n.language),
      names: true,
      className: "text-ink-muted tabular-nums",
    },
    ...series.map(
      ({ kind }, index): Column<Row> => ({
        id: kind,
        head: t(`response.kinds.${kind}`),
        cell: ({ values }) => write(values[index]),
        align: "end",
      }),
    ),
  ];
  if (series.length > 1) {
    columns.push({
      id: "total",
      head: t("response.total"),
      cell: ({ values }) => write(values.reduce<number>((sum, value) => sum + (value ?? 0), 0)),
      align: "end",
      className: "font-medium",
    });
  }
  return (
    <TableFrame label={`${t("response.title")}, ${rangeName}`} className="h-full">
      <Table columns={columns} rows={rows} keyOf={({ time }) => time} />
    </TableFrame>
  );
}
