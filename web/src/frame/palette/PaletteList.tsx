import { type MouseEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PaletteGroup, PaletteItem } from "./items.ts";

interface PaletteListProps {
  id: string;
  groups: readonly PaletteGroup[];
  active: PaletteItem | undefined;
  typed: string;
  /** Whether these are what fits `typed`. */
  isUpToDate: boolean;
  error: string;
  onPoint: (id: string) => void;
  onPress: (item: PaletteItem, event: MouseEvent) => void;
}

/** What fits, in groups; what is said where nothing does, or something went wrong. */
export function PaletteList({
  id,
  groups,
  active,
  typed,
  isUpToDate,
  error,
  onPoint,
  onPress,
}: PaletteListProps) {
  const { t } = useTranslation("frame/palette");
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const isEmpty = count === 0 && error === "";
  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label={t("label")}
        className={`min-h-0 overflow-y-auto overscroll-contain p-1.5 ${count === 0 ? "hidden" : ""}`}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is none of a listbox
          <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`} className="pb-1.5 last:pb-0">
            <div id={`${id}-${group.id}`} className="px-2.5 pt-1.5 pb-1 text-xs text-ink-faint">
              {t(`group.${group.id}`)}
            </div>
            {group.items.map((item) => (
              <PaletteOption
                key={item.id}
                id={`${id}-${item.id}`}
                item={item}
                isActive={item === active}
                onPoint={() => onPoint(item.id)}
                onPress={(event) => onPress(item, event)}
              />
            ))}
          </div>
        ))}
      </div>
      {isEmpty && (
        <p className="px-4 py-7 text-center text-ink-muted wrap-anywhere">
          {typed === "" ? t("step.start") : isUpToDate ? t("nothing", { typed }) : t("searching")}
        </p>
      )}
      {error !== "" && (
        <p
          role="alert"
          className="border-t border-line px-4 py-2.5 text-sm text-pretty text-down-ink wrap-anywhere"
        >
          {error}
        </p>
      )}
      <p role="status" className="sr-only">
        {typed !== "" && isUpToDate && (count > 0 ? t("count", { count }) : t("nothing", { typed }))}
      </p>
    </>
  );
}

interface PaletteOptionProps {
  id: string;
  item: PaletteItem;
  isActive: boolean;
  onPoint: () => void;
  onPress: (event: MouseEvent) => void;
}

function PaletteOption({ id, item, isActive, onPoint, onPress }: PaletteOptionProps) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <button
      ref={row}
      type="button"
      tabIndex={-1}
      id={id}
      role="option"
      aria-selected={isActive}
      // A list that moves under a pointer at rest chooses nothing.
      onMouseMove={isActive ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className="group flex min-h-9 w-full scroll-my-8 text-left items-center gap-3 rounded-sm px-2.5 py-1.5 aria-selected:bg-hover max-sm:min-h-11"
    >
      <span className="grid size-4 shrink-0 place-items-center text-ink-faint [&>svg]:size-4">
        {item.icon}
      </span>
      <span className="flex min-w-0 flex-1 items-baseline gap-2.5 max-sm:flex-col max-sm:gap-0">
        <span lang={item.lang} className="max-w-full shrink-0 truncate">
          {item.text}
        </span>
        {item.detail && (
          <span className="max-w-full min-w-0 truncate text-xs text-ink-faint group-aria-selected:text-ink-muted">
            {item.detail}
          </span>
        )}
      </span>
      {item.end}
    </button>
  );
}
