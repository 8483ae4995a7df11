import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/Button.tsx";
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

/**
 * What narrows a list. On a phone the search alone stands above it; the rest is behind a button that says how much of it is
 * in force.
 */
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
