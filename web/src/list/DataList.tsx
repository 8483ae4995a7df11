import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { ArrowDownUp, ListChecks } from "lucide-react";
import {
  type CSSProperties,
  type FocusEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../components/Card.tsx";
import { Checkbox } from "../components/Field.tsx";
import { Skeleton } from "../components/Loaded.tsx";
import { Menu, MenuChoices } from "../components/Menu.tsx";
import type { ListDescriptor, Listed } from "./descriptor.ts";
import type english from "./en.json";
import { useFitting, useHiddenColumns } from "./fitting.ts";
import { ListHead } from "./ListHead.tsx";
import { ListRow } from "./ListRow.tsx";
import { useListKeys } from "./use-list-keys.ts";
import type { RowRange } from "./use-list-rows.ts";
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
  onSight: (range: RowRange) => void;
  onSort: (sort: string) => void;
  /** Whether the reader is working in it. */
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

/** Whether items are new, one after the other: pages that were read at different times overlap. */
function seenBefore<Item extends Listed>(): (item: Item) => boolean {
  const seen = new Set<number>();
  return ({ id }) => seen.size === seen.add(id).size;
}

/** The element's offset on the page: what is above it may grow, and the page with it. */
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

/** On the lower edge of the table's head, where it moves nothing and stays in sight. */
function UpdateButton({ onUpdate }: { onUpdate: () => void }) {
  const { t } = useTranslation("list");
  return (
    <div className="sticky top-(--bar-height) z-11 flex h-0 justify-center">
      <button
        type="button"
        onClick={onUpdate}
        className="mt-6 flex h-6 items-center gap-1.5 rounded-full border border-line-strong bg-raised px-2.5 text-xs whitespace-nowrap text-ink-muted shadow-card hover:text-ink"
      >
        <ArrowDownUp aria-hidden className="size-3" />
        {t("changed")}
      </button>
    </div>
  );
}

/** Handlers by which a list knows whether the reader is working in it: the pointer is over it, or a row has the focus. */
function useAttention(setAtWork: (isAtWork: boolean) => void) {
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  useEffect(() => {
    setAtWork(isOver || hasFocus);
    return () => setAtWork(false);
  }, [setAtWork, isOver, hasFocus]);
  return useMemo(
    () => ({
      onPointerEnter: () => setOver(true),
      onPointerLeave: () => {
        setOver(false);
        // A row that had the focus may be gone without a word.
        setFocus(isInRow(document.activeElement));
      },
      onFocus: ({ target }: FocusEvent) => setFocus(isInRow(target)),
      onBlur: ({ relatedTarget }: FocusEvent) => setFocus(isInRow(relatedTarget)),
    }),
    [],
  );
}

/** A row's menu is rendered elsewhere. */
const isInRow = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[data-index], [role=menu]") !== null;

interface ListToolsProps<Item extends Listed> {
  list: ListDescriptor<Item>;
  sort: string;
  total: number;
  chosen: number;
  /** Whether rows have boxes now. */
  isSelecting: boolean;
  onSort: (sort: string) => void;
  /** Undefined: nothing can be chosen. */
  onSelecting: ((on: boolean) => void) | undefined;
  onChooseAll: (on: boolean) => void;
}

const look =
  "flex h-9 items-center gap-2 rounded-md px-2.5 text-sm text-ink-muted hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-pressed:bg-hover aria-pressed:text-ink";

/** What the heads of columns do, where there is only one column: sort, and choose all. */
function ListTools<Item extends Listed>(props: ListToolsProps<Item>) {
  const { list, sort, total, chosen, isSelecting, onSort, onSelecting, onChooseAll } = props;
  const { t } = useTranslation("list");
  const all = chosen > 0 && chosen >= total;
  const columns = [list.name, ...list.columns].flatMap(({ head, sort: value }) =>
    value === undefined ? [] : [{ value, text: head }],
  );
  if (columns.length === 0 && !onSelecting) return null;
  const column = sort.replace(/^-/, "");
  const direction = sort.startsWith("-") ? "descending" : "ascending";
  return (
    <div className="flex h-11 items-center gap-1 border-line pr-1.5 pl-4">
      {isSelecting && (
        <span className="mr-2 flex items-center gap-3 text-sm text-ink-muted">
          <Checkbox
            label={t("select.all", { count: total })}
            checked={all}
            mixed={chosen > 0 && !all}
            onChange={() => onChooseAll(chosen === 0)}
            className="relative"
          />
          <span aria-hidden>{t("select.allShort")}</span>
        </span>
      )}
      <div className="ml-auto flex gap-1">
        {onSelecting && (
          <button
            type="button"
            aria-pressed={isSelecting}
            onClick={() => onSelecting(!isSelecting)}
            className={look}
          >
            <ListChecks aria-hidden className="size-4" />
            {t("select.some")}
          </button>
        )}
        <Menu
          trigger={
            <button type="button" className={look}>
              <ArrowDownUp aria-hidden className="size-4" />
              {t("sort")}
            </button>
          }
        >
          <MenuChoices label={t("sort")} value={column} choices={columns} onChoose={onSort} />
          <MenuChoices
            label={t("order.label")}
            value={direction}
            choices={(["ascending", "descending"] as const).map((value) => ({
              value,
              text: t(`order.${value}`),
            }))}
            onChoose={(next) => onSort(next === "descending" ? `-${column}` : column)}
          />
        </Menu>
      </div>
    </div>
  );
}
