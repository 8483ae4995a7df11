import { useTranslation } from "react-i18next";
import type { Deployment } from "../../api/deployments.ts";
import { type Column, Table, TableFrame } from "../../components/Table.tsx";
import { formatCount, formatDateTime, formatResponseTime } from "../../i18n/format.ts";
import { deploymentsByTime } from "./DeploymentEntry.tsx";
import type { ResponseSeries } from "./response-series.ts";

/** What was at a time: the values of the columns, how many checks failed, and what was deployed. */
interface Row {
  time: number;
  values: (number | null)[];
  failed: number;
  deployed: string | undefined;
}

interface ResponseTableProps {
  shown: ResponseSeries;
  deployments: readonly Deployment[];
  rangeName: string;
  withPercentiles: boolean;
}

export function ResponseTable({ shown, deployments, rangeName, withPercentiles }: ResponseTableProps) {
  const { t, i18n } = useTranslation("monitors");
  const { layers, total, percentiles } = shown;
  const stats = [
    ...layers.map(({ kind, values }) => ({ id: kind, head: t(`response.kinds.${kind}`), values })),
    ...(withPercentiles && percentiles
      ? [
          { id: "p95", head: "p95", values: percentiles.p95 },
          { id: "p99", head: "p99", values: percentiles.p99 },
        ]
      : []),
    { id: "total", head: t("response.total"), values: total },
  ];
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
    ...stats.map(
      ({ id, head }, index): Column<Row> => ({
        id,
        head,
        cell: ({ values }) => write(values[index]),
        align: "end",
        className: id === "total" ? "font-medium" : "",
      }),
    ),
  ];
  if (shown.failures.length > 0) {
    columns.splice(1, 0, {
      id: "failed",
      head: t("response.failedChecks"),
      cell: ({ failed }) => (failed > 0 ? formatCount(failed, i18n.language) : "–"),
      align: "end",
      className: "text-down-ink",
    });
  }
  if (deployments.length > 0) {
    columns.push({
      id: "deployed",
      head: t("response.deployed"),
      cell: ({ deployed }) => <bdi>{deployed ?? "–"}</bdi>,
      className: "pl-6 text-ink-muted",
    });
  }
  const rows = rowsOf(
    shown,
    stats.map(({ values }) => values),
    deployments,
  );
  return (
    <TableFrame label={`${t("response.title")}, ${rangeName}`} className="h-full">
      <Table columns={columns} rows={rows} keyOf={({ time }) => time} />
    </TableFrame>
  );
}

/** Every time at which something was measured or failed, or was deployed, newest first. */
function rowsOf(
  { times, failures }: ResponseSeries,
  columns: readonly (number | null)[][],
  deployments: readonly Deployment[],
): Row[] {
  const deployedAt = deploymentsByTime(deployments);
  const failedAt = new Map<number, number>();
  for (const { at, count } of failures) failedAt.set(at, (failedAt.get(at) ?? 0) + count);
  const measured = times
    .map((time, at) => ({
      time,
      values: columns.map((values) => values[at] ?? null),
      failed: failedAt.get(time) ?? 0,
      deployed: deployedAt.get(time),
    }))
    .filter(({ values }) => values.some((value) => value !== null));
  const isMeasured = new Set(measured.map(({ time }) => time));
  const failedOnly = [...failedAt]
    .filter(([time]) => !isMeasured.has(time))
    .map(([time, failed]): Row => ({ time, values: [], failed, deployed: deployedAt.get(time) }));
  const deployedOnly = [...deployedAt]
    .filter(([time]) => !isMeasured.has(time) && !failedAt.has(time))
    .map(([time, deployed]): Row => ({ time, values: [], failed: 0, deployed }));
  return [...measured, ...failedOnly, ...deployedOnly].toSorted((one, other) => other.time - one.time);
}
