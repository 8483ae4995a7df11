import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Card } from "../components/Card.tsx";
import { Skeleton } from "../components/Skeleton.tsx";
import type { ListDescriptor, Listed } from "./descriptor.ts";
import type english from "./en.json";
import { ListHead } from "./ListHead.tsx";
import { ListRow } from "./ListRow.tsx";
import { ListTools } from "./ListTools.tsx";
import { UpdateButton } from "./UpdateButton.tsx";
import { useAttention } from "./use-attention.ts";
import { useFitting, useHiddenColumns } from "./use-columns.ts";
import { useListKeys } from "./use-list-keys.ts";
import type { Stretch } from "./use-list-rows.ts";
import type { Choose, Chosen } from "./use-selection.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    list: typeof english;
  }
}

interface DataListProps<Item extends Listed> {
  list: ListDescriptor<Item>;
  /** A column's `sort`; a leading `-` turns the order round. */
  sort: string;
  total: number;
  /** Undefined while it is on its way. */
  itemAt: (index: number) => Item | undefined;
  onSight: (stretch: Stretch) => void;
  onSort: (sort: string) => void;
  /** Whether somebody is at work in it. */
  onAttention: (isAtWork: boolean) => void;
  /** Shows the order that waits; undefined: none does. */
  onUpdate: (() => void) | undefined;
  /** Undefined: nothing can be chosen. */
  selection?: {
    chosen: Chosen<Item>;
    choose: Choose<Item>;
    chooseAll: (on: boolean, total: number) => void;
  };
}

/** Heights of a row with one line of status; others are measured. */
const rowPx = 56;
const compactRowPx = 77;
/** What covers the top and the bottom of the window. */
const coveredPx = { top: 100, bottom: 96 };

/** The table of a list: of any number of rows, only those in sight and a few around them are there. */
export function DataList<Item extends Listed>(props: DataListProps<Item>) {
  const { list, sort, total, itemAt, onSight, onSort, onUpdate, selection } = props;
  const attention = useAttention(props.onAttention);
  const frame = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const bodyTop = useTop(body);
  const [hidden, hide] = useHiddenColumns(list.id);
  const wanted = useMemo(() => list.columns.filter(({ id }) => !hidden.has(id)), [list, hidden]);
  const fitting = useFitting(wanted, frame, list.name.room);
  const { isCompact } = fitting;
  const [isSelecting, setSelecting] = useState(false);
  // oxlint-disable-next-line react/incompatible-library -- its functions stay the same while their answers change; nothing here keeps an answer
  const virtualizer = useWindowVirtualizer({
    count: total,
    // Heights go with the items, wherever they are sorted to.
    getItemKey: useCallback((index: number) => itemAt(index)?.id ?? -1 - index, [itemAt]),
    estimateSize: () => (isCompact ? compactRowPx : rowPx),
    overscan: 8,
    scrollMargin: bodyTop,
    scrollPaddingStart: coveredPx.top,
    scrollPaddingEnd: coveredPx.bottom,
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useLayoutEffect(() => onSight({ first, last }), [onSight, first, last]);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isCompact]);
  useListKeys({ list, total, itemAt, virtualizer, selection });
  const chosen = selection?.chosen;
  const isAgain = seenBefore<Item>();
  const hasBoxes = chosen !== undefined && (!isCompact || isSelecting || chosen.size > 0);
  return (
    <div ref={frame} {...attention}>
      <Card style={{ "--columns": fitting.template } as CSSProperties}>
        {onUpdate && <UpdateButton onUpdate={onUpdate} />}
        {isCompact && (
          <ListTools
            list={list}
            sort={sort}
            total={total}
            chosen={chosen?.size ?? 0}
            isSelecting={hasBoxes}
            onSort={onSort}
            onSelecting={
              selection &&
              ((on) => {
                setSelecting(on);
                if (!on) selection.chooseAll(false, total);
              })
            }
            onChooseAll={(on) => selection?.chooseAll(on, total)}
          />
        )}
        <div role="table" aria-label={list.label} aria-rowcount={total + 1}>
          <ListHead
            list={list}
            fitting={fitting}
            hidden={hidden}
            onHide={hide}
            sort={sort}
            total={total}
            chosen={chosen?.size}
            onSort={onSort}
            onChooseAll={(on) => selection?.chooseAll(on, total)}
          />
          <div
            ref={body}
            role="rowgroup"
            style={{ height: virtualizer.getTotalSize() }}
            className="relative overflow-clip rounded-b-lg"
          >
            {rows.map(({ index, start }) => {
              const item = itemAt(index);
              const top = start - bodyTop;
              if (!item) return <RowSkeleton key={`loading-${index}`} index={index} top={top} />;
              return (
                <ListRow
                  key={isAgain(item) ? `${item.id} again` : item.id}
                  list={list}
                  fitting={fitting}
                  item={item}
                  index={index}
                  top={top}
                  measure={virtualizer.measureElement}
                  isChosen={chosen?.has(item.id) ?? false}
                  onChoose={hasBoxes ? selection?.choose : undefined}
                />
              );
            })}
          </div>
        </div>
      </Card>
    </div>
  );
}

/** Says of items one after the other whether they came before: stretches that were read at different times overlap. */
function seenBefore<Item extends Listed>(): (item: Item) => boolean {
  const seen = new Set<number>();
  return ({ id }) => seen.size === seen.add(id).size;
}

/** Where the element stands on the page: what is above it may grow, and the page with it. */
function useTop(element: { current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() =>
      setTop((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY),
    );
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

function RowSkeleton({ index, top }: { index: number; top: number }) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy
      style={{ transform: `translateY(${top}px)` }}
      className="absolute inset-x-0 top-0 h-14 border-t border-line py-2 pr-2 pl-4"
    >
      <div role="cell" className="grid gap-2 pt-1 pl-12">
        <Skeleton className="h-3 w-32" />
        <Skeleton className="h-2.5 w-44" />
      </div>
    </div>
  );
}
