import { Search, Wrench, X } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/Skeleton.tsx";
import { StatusDot } from "../../../components/StatusDot.tsx";
import { type Shortcut, useShortcuts } from "../../../components/shortcuts.ts";
import { formatCount } from "../../../format.ts";
import { useKindTexts } from "../../../kinds/use-kind.ts";
import { type Filter, filters } from "../monitor-view.ts";
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
      <div className="flex h-10 flex-1 items-center gap-4">
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
  const { t, i18n } = useTranslation("monitor");
  const shown = filters.filter(
    (name) => name === "all" || name === "up" || counts[name] > 0 || name === filter,
  );
  return (
    <div className={frame}>
      <div
        role="group"
        aria-label={t("filter.label")}
        className="fading -mx-1 flex max-w-full min-w-0 flex-1 gap-0.5 overflow-x-auto px-1 py-1 [scrollbar-width:none]"
      >
        {shown.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === filter}
            onClick={() => onFilter(name)}
            className="flex h-8 shrink-0 items-center gap-2 rounded-md px-2.5 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
          >
            {name === "maintenance" && <Wrench aria-hidden className="size-3.5 text-ink-faint" />}
            {name !== "all" && name !== "maintenance" && <StatusDot status={name} plain />}
            {t(`filter.${name}`)}
            <span className="font-normal text-ink-faint tabular-nums">
              {formatCount(counts[name], i18n.language)}
            </span>
          </button>
        ))}
      </div>
      <ShownTag />
      <SearchBox search={search} onSearch={onSearch} />
    </div>
  );
}

/** `/` puts the cursor here from anywhere on the page; Escape empties it. */
function SearchBox({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const { t } = useTranslation("monitor");
  const k = useKindTexts();
  const box = useRef<HTMLInputElement>(null);
  /** While somebody types: the address follows a moment later, and must not take letters back until then. */
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string) => {
    setTyped(text);
    onSearch(text);
  };
  const shortcuts = useMemo(
    (): Shortcut[] => [{ keys: "/", text: k("search"), group: "page", run: () => box.current?.focus() }],
    [k],
  );
  useShortcuts(shortcuts);
  return (
    <div className="relative w-full sm:w-80">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input
        ref={box}
        type="search"
        aria-label={k("search")}
        placeholder={k("search")}
        aria-keyshortcuts="/"
        value={typed ?? search}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && type("")}
        onBlur={() => setTyped(null)}
        className="control appearance-none pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden"
      />
      {(typed ?? search) === "" ? (
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-2 right-2 hidden size-5 place-items-center rounded-sm border border-line font-sans text-xs text-ink-faint sm:grid"
        >
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label={t("filter.clear")}
          onClick={() => onSearch("")}
          className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-md text-ink-faint hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
