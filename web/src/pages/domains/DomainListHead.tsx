import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type DomainSort, type SortColumn } from "../../api/domain-list.ts";
import { Checkbox } from "../../components/Checkbox.tsx";

interface DomainListHeadProps {
  sort: DomainSort;
  total: number;
  /** How many are chosen. */
  chosen: number;
  onSort: (sort: DomainSort) => void;
  onChooseAll: (on: boolean) => void;
}

const columns = {
  name: "kinds/domain:column.name",
  status: "column.status",
  responseTime: "column.response",
  certificate: "kinds/domain:column.certificate",
  uptime: "column.uptime",
} as const satisfies Record<SortColumn, string>;

/** There is no room for the certificates on a tablet. */
const headLook = {
  status: "",
  responseTime: "flex justify-end",
  uptime: "flex justify-end",
  certificate: "flex justify-end max-lg:hidden",
};

/** The columns' names; pressing one sorts by it, pressing it again turns the order round. It stays in sight. */
export function DomainListHead({ sort, total, chosen, onSort, onChooseAll }: DomainListHeadProps) {
  const { t } = useTranslation(["monitor", "kinds/domain", "shared"]);
  const all = chosen > 0 && chosen >= total;
  return (
    <div
      role="rowgroup"
      className="sticky top-14 z-10 rounded-t-lg border-line bg-surface text-xs text-ink-faint max-md:sr-only"
    >
      <div role="row" aria-rowindex={1} className="domain-columns h-9 pr-2 pl-4">
        <div role="columnheader" aria-sort={directionOf("name", sort)} className="flex items-center gap-8">
          <Checkbox
            label={t("select.all", { count: total })}
            checked={all}
            mixed={chosen > 0 && !all}
            onChange={() => onChooseAll(chosen === 0)}
            className="relative"
          />
          <SortButton column="name" sort={sort} onSort={onSort} />
        </div>
        {(["status", "responseTime", "certificate", "uptime"] as const).map((column) => (
          <div
            key={column}
            role="columnheader"
            aria-sort={directionOf(column, sort)}
            title={column === "uptime" ? t("column.uptimeHint") : undefined}
            className={headLook[column]}
          >
            <SortButton column={column} sort={sort} onSort={onSort} />
          </div>
        ))}
        <div role="columnheader">
          <span className="sr-only">{t("shared:table.actions")}</span>
        </div>
      </div>
    </div>
  );
}

function directionOf(column: SortColumn, sort: DomainSort): "ascending" | "descending" | undefined {
  if (sort === column) return "ascending";
  return sort === `-${column}` ? "descending" : undefined;
}

interface SortButtonProps {
  column: SortColumn;
  sort: DomainSort;
  onSort: (sort: DomainSort) => void;
}

/** The arrow stands before the words of columns that are flush right, so that their edge stays put. */
function SortButton({ column, sort, onSort }: SortButtonProps) {
  const { t } = useTranslation(["monitor", "kinds/domain", "shared"]);
  const direction = directionOf(column, sort);
  const Icon = direction === "descending" ? ArrowDown : ArrowUp;
  const name = t(columns[column]);
  const right = column !== "name" && column !== "status";
  return (
    <button
      type="button"
      title={t("column.sort", { column: name })}
      onClick={() => onSort(direction === "ascending" ? `-${column}` : column)}
      className={`group flex h-6 items-center gap-1 rounded-sm whitespace-nowrap hover:text-ink ${right ? "flex-row-reverse" : ""} ${direction ? "font-medium text-ink" : ""}`}
    >
      {name}
      <Icon
        aria-hidden
        className={`size-3 ${direction ? "" : "opacity-0 group-hover:opacity-60"} ${right && !direction ? "-ml-4" : ""}`}
      />
    </button>
  );
}
