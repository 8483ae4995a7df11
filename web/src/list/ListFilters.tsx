import { Search, SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/Button.tsx";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";
import { useMedia } from "../components/use-media.ts";

interface ListFiltersProps {
  /** How many of the filters narrow the list now. */
  active: number;
  /** The list's views, before the search where there is room. */
  views?: ReactNode;
  search?: ReactNode;
  /** The other filters, under both. */
  children?: ReactNode;
}

/** On a phone only the search is above the list; the rest is behind a button with a count of what is in force. */
export function ListFilters({ active, views, search, children }: ListFiltersProps) {
  const { t } = useTranslation("list");
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useMedia("(width < 40rem)");
  if (!isNarrow) {
    return (
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {views}
        {search}
        {children}
      </div>
    );
  }
  return (
    <div className="mb-3 grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex gap-2">
        {search}
        <Button
          variant="quiet"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
          className="ml-auto"
        >
          <SlidersHorizontal aria-hidden className="-ml-0.5 size-4" />
          {active > 0 ? t("filters.active", { count: active }) : t("filters.label")}
        </Button>
      </div>
      {isOpen && (
        <div id={id} className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {views}
          {children}
        </div>
      )}
    </div>
  );
}

interface SearchBoxProps {
  /** What it finds. */
  label: string;
  search: string;
  onSearch: (search: string) => void;
}

/** Narrows a list by what is typed. `/` puts the cursor here from anywhere on the page; Escape empties it. */
export function SearchBox({ label, search, onSearch }: SearchBoxProps) {
  const { t } = useTranslation("list");
  const box = useRef<HTMLInputElement>(null);
  /** While the reader types: the address follows a moment later, and must not take letters back until then. */
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? search;
  const type = (text: string) => {
    setTyped(text);
    onSearch(text);
  };
  const shortcuts = useMemo(
    (): Shortcut[] => [{ keys: "/", text: label, group: "page", run: () => box.current?.focus() }],
    [label],
  );
  useShortcuts(shortcuts);
  return (
    <div className="relative w-full sm:w-80">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={label}
        aria-keyshortcuts="/"
        value={shown}
        maxLength={255}
        onChange={({ target }) => type(target.value)}
        onKeyDown={({ key }) => key === "Escape" && type("")}
        onBlur={() => setTyped(null)}
        className="control appearance-none pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden"
      />
      {shown === "" ? (
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-2 right-2 hidden size-5 place-items-center rounded-sm border border-line font-sans text-xs text-ink-faint sm:grid"
        >
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label={t("search.clear")}
          onClick={() => {
            type("");
            box.current?.focus();
          }}
          className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-md text-ink-faint hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
