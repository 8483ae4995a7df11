import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { StatusDot, statusInk } from "../components/StatusDot.tsx";
import { formatCount } from "../i18n/format.ts";
import type { Filter } from "../monitors/monitor-view.ts";
import { useKind, useMonitorTexts } from "../monitors/use-kind.ts";
import type { KindCondition } from "./use-overview.ts";

const cells = ["all", "up", "degraded", "down", "unknown", "paused"] as const satisfies Filter[];

/** How many monitors of the kind that is provided are in which state; each number leads to those. */
export function StatusCounts({ counts }: Pick<KindCondition, "counts">) {
  const { t, i18n } = useTranslation("overview");
  const kind = useKind();
  const m = useMonitorTexts(undefined);
  return (
    <ul
      aria-label={t(`counts.label.${kind.id}`)}
      className="grid grid-cols-3 gap-px overflow-clip rounded-lg border border-line bg-line shadow-card sm:grid-cols-6"
    >
      {cells.map((cell) => (
        <li key={cell} className="bg-surface">
          <Link
            to={kind.pages.list}
            search={cell === "all" ? {} : { show: cell }}
            data-count={cell}
            className="block px-3 py-2.5 sm:px-4 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className="block truncate text-xs text-ink-muted">
              {cell === "all" ? t(`counts.all.${kind.id}`) : m(`filter.${cell}`)}
            </span>{" "}
            <span
              className={`mt-0.5 flex items-center gap-2 text-xl font-semibold tracking-tight tabular-nums ${inkOf(cell, counts[cell])}`}
            >
              {cell !== "all" && <StatusDot status={cell} plain />}
              {formatCount(counts[cell], i18n.language)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Colour for what is wrong only; a nought draws no eye. */
function inkOf(cell: Filter, count: number): string {
  if (count === 0) return "text-ink-faint";
  return cell === "down" || cell === "degraded" ? statusInk[cell] : "text-ink";
}
