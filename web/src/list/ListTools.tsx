import { ArrowDownUp, ListChecks } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../components/Checkbox.tsx";
import { Menu, MenuChoices } from "../components/Menu.tsx";
import type { ListDescriptor, Listed } from "./descriptor.ts";

interface ListToolsProps<Item extends Listed> {
  list: ListDescriptor<Item>;
  sort: string;
  total: number;
  /** How many are chosen. */
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
export function ListTools<Item extends Listed>(props: ListToolsProps<Item>) {
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
