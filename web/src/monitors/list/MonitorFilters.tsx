import { useSearch } from "@tanstack/react-router";
import { Wrench } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../components/Skeleton.tsx";
import { StatusDot } from "../../components/StatusDot.tsx";
import { formatCount } from "../../i18n/format.ts";
import { FilterButtons } from "../../list/FilterButtons.tsx";
import { ListFilters } from "../../list/ListFilters.tsx";
import { SearchBox } from "../../list/SearchBox.tsx";
import { type Filter, filters } from "../monitor-view.ts";
import { useKindTexts, useMonitorTexts } from "../use-kind.ts";
import { ShownTag } from "./TagChips.tsx";

interface MonitorFiltersProps {
  counts: Record<Filter, number>;
  filter: Filter;
  search: string;
  onFilter: (filter: Filter) => void;
  onSearch: (search: string) => void;
}

const frame = "mb-3 flex flex-wrap items-center gap-x-4 gap-y-2";

/** The filters' shape while the counts are on their way. */
export function MonitorFiltersSkeleton() {
  return (
    <div aria-hidden className={frame}>
      <div className="flex h-10 flex-1 items-center gap-4 max-sm:hidden">
        <Skeleton className="h-3.5 w-12" />
        <Skeleton className="h-3.5 w-16" />
        <Skeleton className="h-3.5 w-14" />
      </div>
      <Skeleton className="h-9 w-full rounded-md sm:w-80" />
    </div>
  );
}

/** Counts by status that narrow the list when pressed, and the search. */
export function MonitorFilters({ counts, filter, search, onFilter, onSearch }: MonitorFiltersProps) {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(undefined);
  const k = useKindTexts();
  const shown = filters.filter(
    (name) => name === "all" || name === "up" || counts[name] > 0 || name === filter,
  );
  const { tag } = useSearch({ strict: false });
  const active = [filter !== "all", tag !== undefined].filter(Boolean).length;
  return (
    <ListFilters
      active={active}
      views={
        <>
          <FilterButtons
            label={t("filter.label")}
            names={shown}
            chosen={filter}
            onChoose={onFilter}
            className="flex-1"
          >
            {(name) => (
              <>
                {name === "maintenance" && <Wrench aria-hidden className="size-3.5 text-ink-faint" />}
                {name !== "all" && name !== "maintenance" && <StatusDot status={name} plain />}
                {t(`filter.${name}`)}
                <span className="font-normal text-ink-faint tabular-nums">
                  {formatCount(counts[name], i18n.language)}
                </span>
              </>
            )}
          </FilterButtons>
          <ShownTag />
        </>
      }
      search={<SearchBox label={k("search")} search={search} onSearch={onSearch} />}
    />
  );
}
