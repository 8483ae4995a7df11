import { useRouter } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, type MouseEvent, memo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/Button.tsx";
import { Card } from "../components/Card.tsx";
import { Checkbox } from "../components/Field.tsx";
import { Skeleton } from "../components/Loaded.tsx";
import { Menu, MenuItem } from "../components/Menu.tsx";
import { directionOf } from "../i18n/direction.ts";
import type { ListColumn, ListDescriptor, Listed } from "./descriptor.ts";
import { type Fitting, useFitting } from "./fitting.ts";
import type { Choose } from "./use-selection.ts";

interface ListRowProps<Item extends Listed> {
  list: ListDescriptor<Item>;
  fitting: Fitting<ListColumn<Item>>;
  item: Item;
  /** Place in the list, from 0. */
  index: number;
  /** The row's offset from the first one's top, in pixels. */
  top: number;
  isChosen: boolean;
  /** Undefined: it has no box. */
  onChoose: Choose<Item> | undefined;
  /** Called with the element, to measure it. */
  measure: (row: HTMLElement | null) => void;
}

/** One line of the list. Where it is compact, everything but the menu is in the first cell. */
function Row<Item extends Listed>(props: ListRowProps<Item>) {
  const { list, fitting, item, index, top, isChosen, measure, onChoose } = props;
  const { t } = useTranslation("list");
  return (
    <div
      role="row"
      ref={measure}
      aria-rowindex={index + 2}
      aria-selected={onChoose && isChosen}
      data-index={index}
      data-status={list.statusOf(item)}
      style={{ transform: `translateY(${top}px)` }}
      className="list-columns absolute inset-x-0 top-0 aria-selected:bg-hover min-h-14 border-t border-line py-2 pr-2 pl-4 transition-colors hover:bg-hover data-[status=down]:bg-down-soft/45 data-[status=down]:hover:bg-down-soft"
    >
      <div role="cell" className="flex min-w-0 gap-3">
        {onChoose && (
          <Checkbox
            label={t("select.one", { name: list.nameOf(item) })}
            checked={isChosen}
            onChange={(on, isRange) => onChoose(item, index, on, isRange)}
            onKeyDown={moveToNextBox}
            className="relative z-1 mt-0.5"
          />
        )}
        {list.lead(item)}
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-2">
            <PageLink list={list} item={item} />
            {fitting.isCompact ? (
              <span className="ml-auto shrink-0">{list.figure(item)}</span>
            ) : (
              list.beside(item)
            )}
          </div>
          {list.under(item)}
          {fitting.isCompact && (
            <>
              <div className="mt-1 min-w-0 text-sm">{list.summary(item)}</div>
              <div className="mt-1 flex empty:hidden">{list.beside(item)}</div>
            </>
          )}
        </div>
      </div>
      {fitting.columns.map(({ id, align, cell }) => (
        <div
          key={id}
          role="cell"
          className={`-my-1.5 min-w-0 text-sm ${align === "end" ? "truncate text-right" : ""}`}
        >
          {cell(item)}
        </div>
      ))}
      <div
        role="cell"
        className={`relative z-1 justify-self-end ${fitting.isCompact ? "-mt-1.5 self-start" : ""}`}
      >
        <RowMenu list={list} item={item} />
      </div>
    </div>
  );
}

export const ListRow = memo(Row) as typeof Row;

/** The arrow keys go from box to box, so that a range can be chosen with Shift and the space bar. */
function moveToNextBox(event: KeyboardEvent<HTMLInputElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.currentTarget.closest<HTMLElement>("[data-index]");
  if (step === undefined || !row) return;
  const index = Number(row.dataset.index) + step;
  const next = row.parentElement?.querySelector<HTMLElement>(`[data-index="${index}"] input`);
  event.preventDefault();
  next?.focus();
}

type OfItem<Item extends Listed> = Pick<ListRowProps<Item>, "list" | "item">;

/** A plain link with the router behind it: a Link each would compute the address anew at every key of the search. */
function PageLink<Item extends Listed>({ list, item }: OfItem<Item>) {
  const router = useRouter();
  const path = list.pathOf(item);
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: path });
  };
  return (
    <a
      href={path}
      onClick={follow}
      title={list.detailsOf(item)}
      dir={directionOf(list.nameOf(item))}
      data-row-link
      className={`min-w-0 ${list.name.room ? "line-clamp-2 wrap-anywhere" : "truncate"} rounded-sm leading-5 font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus ${list.statusOf(item) === "paused" ? "text-ink-faint" : ""}`}
    >
      {list.nameOf(item)}
    </a>
  );
}

function RowMenu<Item extends Listed>({ list, item }: OfItem<Item>) {
  const { t } = useTranslation("list");
  const trigger = (
    <IconButton label={t("row.menu", { name: list.nameOf(item) })} data-row-menu={item.id}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      {list.menu(item).map(({ id, label, icon, danger, run }) => (
        <MenuItem key={id} icon={icon} danger={danger} onSelect={run}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

const nameWidths = ["w-28", "w-40", "w-32", "w-24", "w-36", "w-28"];

/** The table's shape while it is on its way: the same heights, so that nothing moves when it comes. */
export function ListSkeleton<Item extends Listed>({ list }: { list: ListDescriptor<Item> }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const { isCompact, columns, template } = useFitting(list.columns, frame, list.name.room);
  return (
    <div ref={frame}>
      <Card className="overflow-clip" style={{ "--columns": template } as CSSProperties}>
        <span role="status" className="sr-only">
          {t("loading")}
        </span>
        <div aria-hidden className={isCompact ? "h-11" : "h-9"} />
        {nameWidths.map((width, index) => (
          <div
            key={`${width}-${index}`}
            aria-hidden
            data-loading
            className={`list-columns border-t border-line py-2 pr-2 pl-4 ${isCompact ? "h-19.25" : "h-14"}`}
          >
            <div className="flex gap-3 pl-7">
              <Skeleton className="mt-1.5 size-2 rounded-full" />
              <div className="grid gap-2">
                <Skeleton className={`h-3 ${width}`} />
                <Skeleton className="h-2.5 w-44" />
              </div>
            </div>
            {columns.map(({ id, align }) => (
              <Skeleton key={id} className={`h-3 w-12 ${align === "end" ? "justify-self-end" : ""}`} />
            ))}
          </div>
        ))}
      </Card>
    </div>
  );
}
