import { useNavigate, useSearch } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";

const look =
  "relative z-1 max-w-24 min-w-0 truncate rounded-full border border-line px-1.5 text-xs text-ink-muted hover:border-line-strong hover:text-ink";

/** What a monitor is tagged with, so many of it as there is room for; pressing one narrows the list to it. */
export function TagChips({ tags, shown }: { tags: readonly string[]; shown: number }) {
  const { t } = useTranslation("monitor");
  const show = useShowTag();
  const more = tags.slice(shown);
  return (
    <>
      {tags.slice(0, shown).map((tag) => (
        <button
          key={tag}
          type="button"
          title={t("tag.show", { tag })}
          onClick={() => show(tag)}
          className={look}
        >
          {tag}
        </button>
      ))}
      {more.length > 0 && (
        <span title={more.join("\n")} className="relative shrink-0 text-xs text-ink-faint">
          +{more.length}
        </span>
      )}
    </>
  );
}

/** The tag that the list is narrowed to, if it is; pressing it shows all again. */
export function ShownTag() {
  const { t } = useTranslation("monitor");
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
