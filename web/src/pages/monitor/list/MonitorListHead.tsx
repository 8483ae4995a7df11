import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type MonitorSort, type SortColumn } from "../../../api/monitor-list.ts";
import { Checkbox } from "../../../components/Checkbox.tsx";
import type { ListOfKind } from "../../../kinds/descriptor.ts";
import { useKindTexts } from "../../../kinds/use-kind.ts";

interface MonitorListHeadProps {
  list: ListOfKind;
  sort: MonitorSort;
  total: number;
  /** How many are chosen. */
  chosen: number;
  onSort: (sort: MonitorSort) => void;
  onChooseAll: (on: boolean) => void;
}

/** The columns' names; pressing one sorts by it, pressing it again turns the order round. It stays in sight. */
export function MonitorListHead({ list, sort, total, chosen, onSort, onChooseAll }: MonitorListHeadProps) {
  const { t } = useTranslation(["monitor", "shared"]);
  const k = useKindTexts();
  const all = chosen > 0 && chosen >= total;
  return (
    <div
      role="rowgroup"
      className="sticky top-14 z-10 rounded-t-lg border-line bg-surface text-xs text-ink-faint max-md:sr-only"
    >
      <div role="row" aria-rowindex={1} className="monitor-columns h-9 pr-2 pl-4">
        <div
          role="columnheader"
          aria-sort={directionOf("name", sort)}
          className={`flex items-center gap-8 ${list.bulk ? "" : "pl-5"}`}
        >
          {list.bulk && (
            <Checkbox
              label={t("select.all", { count: total })}
              checked={all}
              mixed={chosen > 0 && !all}
              onChange={() => onChooseAll(chosen === 0)}
              className="relative"
            />
          )}
          <SortButton column="name" name={k("column.name")} sort={sort} onSort={onSort} />
        </div>
        <div role="columnheader" aria-sort={directionOf("status", sort)}>
          <SortButton column="status" name={t("column.status")} sort={sort} onSort={onSort} />
        </div>
        {list.columns.map(({ sort: column, head, hint, wide }) => (
          <div
            key={column}
            role="columnheader"
            aria-sort={directionOf(column, sort)}
            title={hint && t(hint)}
            className={`flex justify-end ${wide ? "max-lg:hidden" : ""}`}
          >
            <SortButton end column={column} name={t(head)} sort={sort} onSort={onSort} />
          </div>
        ))}
        <div role="columnheader">
          <span className="sr-only">{t("shared:table.actions")}</span>
        </div>
      </div>
    </div>
  );
}

function directionOf(column: SortColumn, sort: MonitorSort): "ascending" | "descending" | undefined {
  if (sort === column) return "ascending";
  return sort === `-${column}` ? "descending" : undefined;
}

interface SortButtonProps {
  name: string;
  /** Flush right: the arrow stands before the words, so that their edge stays put. */
  end?: boolean;
  column: SortColumn;
  sort: MonitorSort;
  onSort: (sort: MonitorSort) => void;
}

function SortButton({ column, name, end = false, sort, onSort }: SortButtonProps) {
  const { t } = useTranslation("monitor");
  const direction = directionOf(column, sort);
  const Icon = direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      title={t("column.sort", { column: name })}
      onClick={() => onSort(direction === "ascending" ? `-${column}` : column)}
      className={`group flex h-6 items-center gap-1 rounded-sm whitespace-nowrap hover:text-ink ${end ? "flex-row-reverse" : ""} ${direction ? "font-medium text-ink" : ""}`}
    >
      {name}
      <Icon
        aria-hidden
        className={`size-3 ${direction ? "" : "opacity-0 group-hover:opacity-60"} ${end && !direction ? "-ml-4" : ""}`}
      />
    </button>
  );
}
