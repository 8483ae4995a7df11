import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { Monitor, MonitorView } from "../../../api/monitor-list.ts";
import { Card } from "../../../components/Card.tsx";
import { Skeleton } from "../../../components/Skeleton.tsx";
import type { ListOfKind } from "../../../kinds/descriptor.ts";
import { useKindTexts } from "../../../kinds/use-kind.ts";
import { gridOf } from "./columns.tsx";
import { MonitorListHead } from "./MonitorListHead.tsx";
import { MonitorRow } from "./MonitorRow.tsx";
import type { Stretch } from "./use-monitor-rows.ts";
import type { Chosen } from "./use-selection.ts";

interface MonitorListProps {
  list: ListOfKind;
  view: MonitorView;
  total: number;
  /** Undefined while it is on its way. */
  monitorAt: (index: number) => Monitor | undefined;
  onSight: (stretch: Stretch) => void;
  chosen: Chosen;
  onChoose: (monitor: Monitor, index: number, on: boolean, stretch: boolean) => void;
  onChooseAll: (on: boolean) => void;
  onSort: (sort: MonitorView["sort"]) => void;
  onToggle: (monitor: Monitor) => void;
  onDelete: (monitor: Monitor) => void;
}

/** Heights of a row with one line of status; others are measured. */
const rowPx = 56;
const phoneRowPx = 77;
const wide = matchMedia("(min-width: 48rem)");

/** The table of monitors: of any number of rows, only those in sight and a few around them are there. */
export function MonitorList({ list, view, total, monitorAt, onSight, chosen, ...on }: MonitorListProps) {
  const t = useKindTexts();
  const body = useRef<HTMLDivElement>(null);
  const [bodyTop, setBodyTop] = useState(0);
  // What stands above the rows may grow, and the page with it.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() =>
      setBodyTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY),
    );
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- its functions stay the same while their answers change; nothing here keeps an answer
  const virtualizer = useWindowVirtualizer({
    count: total,
    estimateSize: () => (wide.matches ? rowPx : phoneRowPx),
    overscan: 8,
    scrollMargin: bodyTop,
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useLayoutEffect(() => onSight({ first, last }), [onSight, first, last]);
  return (
    <Card>
      <div role="table" aria-label={t("title")} aria-rowcount={total + 1} style={gridOf(list.columns)}>
        <MonitorListHead
          list={list}
          sort={view.sort}
          total={total}
          chosen={chosen.size}
          onSort={on.onSort}
          onChooseAll={on.onChooseAll}
        />
        <div
          ref={body}
          role="rowgroup"
          style={{ height: virtualizer.getTotalSize() }}
          className="relative overflow-clip rounded-b-lg max-md:[&>[data-index='0']]:border-t-0"
        >
          {rows.map(({ index, start }) => {
            const monitor = monitorAt(index);
            const top = start - bodyTop;
            if (!monitor) return <RowSkeleton key={`loading-${index}`} index={index} top={top} />;
            return (
              <MonitorRow
                key={monitor.id}
                list={list}
                monitor={monitor}
                index={index}
                top={top}
                measure={virtualizer.measureElement}
                chosen={chosen.has(monitor.id)}
                onChoose={on.onChoose}
                onToggle={on.onToggle}
                onDelete={on.onDelete}
              />
            );
          })}
        </div>
      </div>
    </Card>
  );
}

function RowSkeleton({ index, top }: { index: number; top: number }) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy
      style={{ transform: `translateY(${top}px)` }}
      className="absolute inset-x-0 top-0 h-19.25 border-t border-line py-2 pr-2 pl-4 md:h-14"
    >
      <div role="cell" className="grid gap-2 pt-1 pl-12">
        <Skeleton className="h-3 w-32" />
        <Skeleton className="h-2.5 w-44" />
      </div>
    </div>
  );
}
