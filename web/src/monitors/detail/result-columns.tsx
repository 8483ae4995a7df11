import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CheckResult } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { StatusDot, statusInk } from "../../components/StatusDot.tsx";
import type { Column } from "../../components/Table.tsx";
import { useNow } from "../../components/use-now.ts";
import {
  formatCount,
  formatDateTime,
  formatMoment,
  formatResponseTimes,
  formatSpan,
} from "../../i18n/format.ts";
import { useMonitorTexts } from "../descriptor.ts";
import { responseSpan } from "./response-series.ts";

/** A check, or several that came out alike, newest first. */
export interface ResultRow {
  key: string;
  checks: readonly [CheckResult, ...CheckResult[]];
  isRun: boolean;
  /** One of a run that is open. */
  isInner: boolean;
}

interface ResultColumns {
  /** As far as it is known. */
  monitor: Monitor | undefined;
  reasonOf: (check: CheckResult) => string | null;
  /** Keys of the rows that are open. */
  open: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** Whether its answers have codes. */
  hasCodes: boolean;
  /** Whether it is checked over the network, from some location. */
  isProbed: boolean;
  /** Whether one of the results says how long it took. */
  isTimed: boolean;
}

export function useResultColumns(of: ResultColumns): Column<ResultRow>[] {
  const { monitor, reasonOf, open, toggle } = of;
  const t = useMonitorTexts(monitor);
  const head = (column: "time" | "result" | "reason" | "code" | "location" | "response") => ({
    id: column,
    head: t(`results.${column}`),
  });
  const columns: Column<ResultRow>[] = [
    {
      ...head("time"),
      cell: (row) => <Moment row={row} isOpen={open.has(row.key)} onToggle={() => toggle(row.key)} />,
      width: "w-46 @max-lg:w-36",
      className: "whitespace-nowrap text-ink-muted tabular-nums",
    },
    { ...head("result"), cell: (row) => <Outcome monitor={monitor} row={row} />, width: "@lg:w-34" },
    {
      ...head("reason"),
      cell: ({ checks: [check] }) => reasonOf(check),
      wide: true,
      className: "break-words text-ink-muted",
    },
    {
      ...head("code"),
      cell: ({ checks: [check] }) => check.statusCode ?? "–",
      align: "end",
      wide: true,
      width: "w-14 lg:w-16",
      className: "text-ink-muted",
    },
    {
      ...head("location"),
      cell: ({ checks }) => [...new Set(checks.map(({ location }) => location))].join(", "),
      wide: true,
      width: "w-24 lg:w-32",
      className: "truncate text-ink-muted",
    },
    {
      ...head("response"),
      cell: ({ checks }) => <ResponseTime checks={checks} />,
      align: "end",
      width: "w-24 @lg:w-34",
      className: "@lg:whitespace-nowrap",
    },
  ];
  const left: Record<string, boolean> = {
    code: !of.hasCodes,
    location: !of.isProbed,
    response: !of.isProbed && !of.isTimed,
  };
  return columns.filter(({ id }) => !left[id]);
}

function Moment({ row, isOpen, onToggle }: { row: ResultRow; isOpen: boolean; onToggle: () => void }) {
  const { t, i18n } = useTranslation("monitors");
  const now = useNow();
  const [newest] = row.checks;
  const oldest = row.checks.at(-1) ?? newest;
  const span = [oldest, newest].map(({ timestamp }) => Date.parse(timestamp)) as [number, number];
  const text = row.isRun
    ? formatSpan(...span, now, i18n.language)
    : formatMoment(newest.timestamp, now, i18n.language);
  const count = row.checks.length;
  const label = row.isRun ? t("results.openRun", { count, span: text }) : t("results.open", { time: text });
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={label}
      title={formatDateTime(newest.timestamp, i18n.language)}
      onClick={onToggle}
      className={`-my-1 -ml-1.5 flex items-center gap-1 rounded-sm py-1 pr-1.5 hover:text-ink ${row.isInner ? "pl-5" : ""}`}
    >
      <ChevronRight
        aria-hidden
        className={`size-3.5 shrink-0 text-ink-faint transition-transform ${isOpen ? "rotate-90" : ""}`}
      />
      {text}
    </button>
  );
}

function Outcome({ monitor, row: { checks, isRun } }: { monitor: Monitor | undefined; row: ResultRow }) {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(monitor);
  const [{ state, statusCode }] = checks;
  const ink = state === "up" ? "text-ink" : `font-medium ${statusInk[state]}`;
  const word = t(`results.state.${state}`);
  const count = formatCount(checks.length, i18n.language);
  return (
    <span className={`flex items-center gap-2 ${ink}`}>
      <StatusDot status={state} plain />
      {isRun ? t("results.run", { count, what: state === "up" ? word : (statusCode ?? word) }) : word}
    </span>
  );
}

function ResponseTime({ checks }: { checks: readonly CheckResult[] }) {
  const { i18n } = useTranslation("monitors");
  const span = responseSpan(checks);
  if (span === null) return <span className="text-ink-muted">–</span>;
  return formatResponseTimes(span.fastest, span.slowest, i18n.language);
}
