import { useNavigate, useSearch } from "@tanstack/react-router";
import { Tag, X } from "lucide-react";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Menu, MenuItem } from "../../components/Menu.tsx";

const look =
  "h-5 shrink-0 rounded-full border border-line px-1.5 text-xs text-ink-muted hover:border-line-strong hover:text-ink";

/** What a monitor is tagged with: chips as there is room for, and a menu of the others; pressing one narrows the list to it. */
export function TagChips({ tags }: { tags: readonly string[] }) {
  const { t } = useTranslation("monitors");
  const show = useShowTag();
  const frame = useRef<HTMLSpanElement>(null);
  const shown = useChipsShown(frame, tags);
  const more = tags.slice(shown);
  return (
    <span ref={frame} className="relative flex h-5 min-w-7.5 flex-1 items-center gap-1.5">
      {tags.map((tag, at) => (
        <button
          key={tag}
          type="button"
          data-chip
          dir="auto"
          title={t("tag.show", { tag })}
          onClick={() => show(tag)}
          className={`max-w-32 truncate ${look} ${at < shown ? "relative z-1" : "invisible absolute left-0"}`}
        >
          {tag}
        </button>
      ))}
      {more.length > 0 && (
        <Menu
          align="start"
          trigger={
            <button
              type="button"
              aria-label={t("tag.more", { count: more.length, tags: more.join(", ") })}
              title={more.join("\n")}
              className={`relative z-1 tabular-nums ${look}`}
            >
              +{more.length}
            </button>
          }
        >
          {more.map((tag) => (
            <MenuItem key={tag} icon={<Tag aria-hidden />} onSelect={() => show(tag)}>
              {tag}
            </MenuItem>
          ))}
        </Menu>
      )}
    </span>
  );
}

/** The tag that the list is narrowed to, if it is; pressing it shows all again. */
export function ShownTag() {
  const { t } = useTranslation("monitors");
  const { tag } = useSearch({ strict: false });
  const show = useShowTag();
  if (tag === undefined) return null;
  return (
    <button
      type="button"
      aria-label={t("tag.clear", { tag })}
      onClick={() => show(undefined)}
      className="flex h-8 max-w-60 min-w-0 items-center gap-1.5 rounded-md bg-hover px-2.5 text-sm font-medium"
    >
      <span className="truncate">{t("tag.shown", { tag })}</span>
      <X aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
    </button>
  );
}

function useShowTag(): (tag: string | undefined) => void {
  const navigate = useNavigate();
  return (tag) => void navigate({ to: ".", search: (was) => ({ ...was, tag }), resetScroll: false });
}

const gapPx = 6;
/** The width of the "+12" for those without room. */
const restPx = 30;

/** How many chips of these widths (pixels) fit whole in the room, beside "+N" for the others. */
export function chipsShown(widthsPx: readonly number[], roomPx: number): number {
  let shown = 0;
  let takenPx = 0;
  for (const [at, widthPx] of widthsPx.entries()) {
    takenPx += widthPx + (at > 0 ? gapPx : 0);
    const isLast = at === widthsPx.length - 1;
    if (takenPx + (isLast ? 0 : gapPx + restPx) > roomPx) break;
    shown = at + 1;
  }
  return shown;
}

/** How many of the element's first children, a chip for each of these words, it has room for. */
function useChipsShown(element: RefObject<HTMLElement | null>, words: readonly string[]): number {
  const [shown, setShown] = useState(0);
  useLayoutEffect(() => {
    const frame = element.current;
    if (!frame) return;
    const chips = words.map((_, at) => frame.children[at] as HTMLElement);
    const measure = () =>
      setShown(
        chipsShown(
          chips.map(({ offsetWidth }) => offsetWidth),
          frame.clientWidth,
        ),
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    // Another font makes them wider or narrower.
    for (const chip of chips) observer.observe(chip);
    return () => observer.disconnect();
  }, [element, words]);
  return shown;
}
