import { ArrowDown, ArrowUp, Check, Columns3 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/Button.tsx";
import { Checkbox } from "../components/Field.tsx";
import { Menu } from "../components/Menu.tsx";
import type { ListColumn, ListDescriptor, Listed } from "./descriptor.ts";
import type { Fitting } from "./fitting.ts";

interface ListHeadProps<Item extends Listed> {
  list: ListDescriptor<Item>;
  fitting: Fitting<ListColumn<Item>>;
  hidden: ReadonlySet<string>;
  onHide: (id: string, isHidden: boolean) => void;
  sort: string;
  total: number;
  /** How many are chosen; undefined: nothing can be. */
  chosen: number | undefined;
  onSort: (sort: string) => void;
  onChooseAll: (on: boolean) => void;
}

/**
 * Sorts by the pressed column, or turns the order round. Compact, it is for screen readers only and takes no
 * focus.
 */
export function ListHead<Item extends Listed>(props: ListHeadProps<Item>) {
  const { list, fitting, hidden, sort, total, chosen, onHide, onSort, onChooseAll } = props;
  const { t } = useTranslation("list");
  const actions = <span className="sr-only">{t("actions")}</span>;
  if (fitting.isCompact)
    return (
      <div role="rowgroup" className="sr-only">
        <div role="row" aria-rowindex={1}>
          <div role="columnheader">{list.name.head}</div>
          <div role="columnheader">{actions}</div>
        </div>
      </div>
    );
  const all = chosen !== undefined && chosen > 0 && chosen >= total;
  return (
    <div
      role="rowgroup"
      className="sticky top-(--bar-height) z-10 rounded-t-lg bg-surface text-xs text-ink-faint"
    >
      <div role="row" aria-rowindex={1} className="list-columns h-9 pr-2 pl-4">
        <div
          role="columnheader"
          aria-sort={directionOf(list.name.sort, sort)}
          className={`flex items-center gap-8 ${chosen === undefined ? "pl-5" : ""}`}
        >
          {chosen !== undefined && (
            <Checkbox
              label={t("select.all", { count: total })}
              checked={all}
              mixed={chosen > 0 && !all}
              onChange={() => onChooseAll(chosen === 0)}
              className="relative"
            />
          )}
          <Head head={list.name.head} column={list.name.sort} sort={sort} onSort={onSort} />
        </div>
        {fitting.columns.map(({ id, head, hint, sort: column, align }) => (
          <div
            key={id}
            role="columnheader"
            aria-sort={directionOf(column, sort)}
            title={hint}
            className={`flex min-w-0 ${align === "end" ? "justify-end" : ""}`}
          >
            <Head head={head} column={column} end={align === "end"} sort={sort} onSort={onSort} />
          </div>
        ))}
        <div role="columnheader" className="justify-self-end">
          {actions}
          <ColumnsMenu columns={list.columns} hidden={hidden} onHide={onHide} />
        </div>
      </div>
    </div>
  );
}

interface HeadProps {
  head: string;
  /** Undefined: nothing is sorted by it. */
  column: string | undefined;
  /** Flush right: the arrow comes before the words, so that their edge stays put. */
  end?: boolean;
  sort: string;
  onSort: (sort: string) => void;
}

function Head({ column, head, end = false, sort, onSort }: HeadProps) {
  const { t } = useTranslation("list");
  if (column === undefined) return <span className="leading-6 whitespace-nowrap">{head}</span>;
  const direction = directionOf(column, sort);
  const Icon = direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      title={t("sortBy", { column: head })}
      onClick={() => onSort(direction === "ascending" ? `-${column}` : column)}
      className={`group flex h-6 items-center gap-1 rounded-sm whitespace-nowrap hover:text-ink ${end ? "flex-row-reverse" : ""} ${direction ? "font-medium text-ink" : ""}`}
    >
      {head}
      <Icon
        aria-hidden
        className={`size-3 ${direction ? "" : "opacity-0 group-hover:opacity-60"} ${end && !direction ? "-ml-4" : ""}`}
      />
    </button>
  );
}

/** Which way a list is sorted by a column; undefined: by another one. `sort` as the API says it, `-name`. */
export function directionOf(
  column: string | undefined,
  sort: string,
): "ascending" | "descending" | undefined {
  if (column === undefined) return undefined;
  if (sort === column) return "ascending";
  return sort === `-${column}` ? "descending" : undefined;
}

interface ColumnsMenuProps<Item> {
  columns: readonly ListColumn<Item>[];
  hidden: ReadonlySet<string>;
  onHide: (id: string, isHidden: boolean) => void;
}

/** Which columns the list has. It stays open, so that several can be turned over. */
function ColumnsMenu<Item>({ columns, hidden, onHide }: ColumnsMenuProps<Item>) {
  const { t } = useTranslation("list");
  const trigger = (
    <IconButton label={t("columns")} className="size-7">
      <Columns3 aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      <DropdownMenu.Label className="px-2 pt-1 pb-0.5 text-xs text-ink-faint">
        {t("columns")}
      </DropdownMenu.Label>
      {columns
        .filter(({ stays }) => !stays)
        .map(({ id, head }) => (
          <DropdownMenu.CheckboxItem
            key={id}
            checked={!hidden.has(id)}
            onCheckedChange={(on) => onHide(id, !on)}
            onSelect={(event) => event.preventDefault()}
            className="flex h-8 items-center gap-2.5 rounded-sm px-2 outline-none select-none data-highlighted:bg-hover"
          >
            <span className="size-4 shrink-0 text-ink-faint">
              <DropdownMenu.ItemIndicator>
                <Check aria-hidden className="size-4" />
              </DropdownMenu.ItemIndicator>
            </span>
            {head}
          </DropdownMenu.CheckboxItem>
        ))}
    </Menu>
  );
}
