import { useTranslation } from "react-i18next";
import type { Deployment } from "../../api/deployments.ts";
import type { ChartData } from "../../components/chart-data.ts";
import { type Column, LongTable } from "../../components/LongTable.tsx";
import { formatDateTime } from "../../i18n/format.ts";
import { deployedAtMs, deploymentsByTime } from "../detail/deployment-marks.ts";

interface MetricTableProps {
  label: string;
  data: ChartData;
  deployments: readonly Deployment[];
  write: (value: number) => string;
}

interface Row {
  at: number;
  /** Of the time in the data; -1: nothing was measured then. */
  index: number;
}

/** A chart's figures, newest first. */
export function MetricTable({ label, data, deployments, write }: MetricTableProps) {
  const { t, i18n } = useTranslation(["monitors/device", "monitors"]);
  const deployed = deploymentsByTime(deployments.filter((one) => deployedAtMs(one) >= data.fromMs));
  const measured = data.times
    .map((at, index): Row => ({ at, index }))
    .filter(({ index }) => data.lines.some(({ values }) => values[index] !== null));
  const isMeasured = new Set(measured.map(({ at }) => at));
  const deployedOnly = [...deployed.keys()].filter((at) => !isMeasured.has(at));
  const rows = [...measured, ...deployedOnly.map((at): Row => ({ at, index: -1 }))].toSorted(
    (one, other) => other.at - one.at,
  );
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
    ...(deployed.size > 0
      ? [
          {
            id: "deployed",
            head: t("monitors:response.deployed"),
            width: "minmax(8rem, 1fr)",
            text: ({ at }: Row) => deployed.get(at) ?? "–",
          },
        ]
      : []),
  ];
  return <LongTable label={label} columns={columns} rows={rows} keyOf={({ at }) => at} className="h-full" />;
}
