import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { DeviceReport, MonitorReport } from "../api/reports.ts";
import type { Column } from "../components/Table.tsx";
import {
  formatCount,
  formatDuration,
  formatPercentage,
  formatResponseTime,
  formatShare,
} from "../i18n/format.ts";
import type { ReportSubject } from "./report-search.ts";

type DeviceItem = Omit<DeviceReport["items"][number], "previous">;
type MonitorItem = Omit<MonitorReport["items"][number], "previous">;
/** What all of them have, and what only some have. */
type Item = Pick<DeviceItem, keyof DeviceItem & keyof MonitorItem> &
  Partial<DeviceItem & MonitorItem> & { previous: Pick<DeviceItem, "uptimePercentage"> };

const pages = { domains: "/domains/$id", services: "/services/$id", devices: "/devices/$id" } as const;

/** What is left of a budget, and of which objective: "72% (objective 99.9%)"; "–" without one. */
function budgetIn(
  { budget, objective }: Item,
  { t, language }: { t: ReturnType<typeof useTranslation<"reports">>["t"]; language: string },
): string {
  if (!budget || objective == null) return "–";
  const { leftPercentage } = budget;
  const left = leftPercentage === null ? "–" : formatShare(Math.floor(leftPercentage), language);
  return t("columns.budgetOf", { left, objective: formatShare(objective, language) });
}

interface MonitorColumns {
  columns: Column<Item>[];
  /** The budget, which has no column in a narrow table. */
  note: (item: Item) => string | null;
}

interface MonitorColumnsOf {
  /** Another organization's monitors have no page here. */
  isOwn: boolean;
  hasBudgets: boolean;
}

export function useMonitorColumns(
  about: Exclude<ReportSubject, "incidents">,
  { isOwn, hasBudgets }: MonitorColumnsOf,
): MonitorColumns {
  const { t, i18n } = useTranslation("reports");
  const { language } = i18n;
  const write = (value: number | null | undefined, format: (value: number, language: string) => string) =>
    value == null ? "–" : format(value, language);
  const length = (seconds: number) => (seconds === 0 ? "–" : formatDuration(seconds * 1000, language));
  const column = (id: string, head: string, cell: (item: Item) => string, wide = true): Column<Item> => ({
    ...{ id, head, cell, wide },
    align: "end",
  });
  const percent = (id: keyof Item, head: string) =>
    column(id, head, (item) => write(item[id] as number | null, formatPercentage));
  const response = (id: keyof Item, head: string) =>
    column(id, head, (item) => write(item[id] as number | null, formatResponseTime));
  const budget = (): Column<Item> => ({
    ...column("budget", t("columns.budget"), () => ""),
    cell(item) {
      const isSpent = (item.budget?.leftPercentage ?? 0) < 0;
      return <span className={isSpent ? "text-down-ink" : ""}>{budgetIn(item, { t, language })}</span>;
    },
  });
  const note = (item: Item) =>
    item.budget ? t("columns.budgetNote", { budget: budgetIn(item, { t, language }) }) : null;
  const columns: Column<Item>[] = [
    {
      id: "name",
      head: t("columns.name"),
      names: true,
      // Beside nine columns of numbers it would be the narrowest.
      width: "w-2/5 @lg:w-1/5",
      className: "text-left font-medium",
      cell: ({ id, name }) =>
        isOwn ? (
          <Link to={pages[about]} params={{ id: String(id) }} className="block wrap-anywhere hover:underline">
            {name}
          </Link>
        ) : (
          <span className="block wrap-anywhere">{name}</span>
        ),
    },
    column("uptime", t("columns.uptime"), (item) => write(item.uptimePercentage, formatPercentage), false),
    column("before", t("columns.before"), ({ previous }) =>
      write(previous.uptimePercentage, formatPercentage),
    ),
    column(
      "down",
      t("columns.down"),
      ({ downSeconds }) => (downSeconds === 0 ? "0" : length(downSeconds)),
      false,
    ),
    column("outages", t("columns.outages"), ({ outages }) => formatCount(outages, language)),
    column("mttr", t("columns.mttr"), ({ mttrSeconds }) => write(mttrSeconds, length)),
    ...(about === "devices"
      ? [
          percent("cpuMean", t("columns.cpuMean")),
          percent("memoryMean", t("columns.memoryMean")),
          percent("diskMax", t("columns.diskMax")),
        ]
      : [
          ...(hasBudgets ? [budget()] : []),
          response("avgResponseTime", t("columns.mean")),
          response("responseTimeP95", t("columns.p95")),
        ]),
  ];
  return { columns, note };
}
