import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNow } from "../components/use-now.ts";
import { formatSpan } from "../i18n/format.ts";
import { clockWords, hoursInWords } from "./clock-words.ts";
import type { MonthEntry } from "./month.ts";
import { useTitleOf } from "./window-words.ts";

/** What a day has room for. */
const mostShown = 3;

const focusLink = (item: HTMLElement | null): void => item?.querySelector("a")?.focus();

/** What is planned on a day, of much the first; the rest unfolds in its place, and takes the focus. */
export function DayEntries({ entries, tabIndex }: { entries: readonly MonthEntry[]; tabIndex: number }) {
  const { t } = useTranslation("maintenance");
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, mostShown);
  return (
    <>
      <ul className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {shown.map((entry, at) => (
          <li key={entry.key} ref={isWhole && at === mostShown ? focusLink : undefined}>
            <EntryLink entry={entry} tabIndex={tabIndex} className="rounded-sm px-1 py-px text-xs" />
          </li>
        ))}
      </ul>
      {entries.length > shown.length && (
        <button
          type="button"
          tabIndex={tabIndex}
          onClick={() => setWhole(true)}
          className="rounded-sm px-1 text-xs text-ink-muted underline-offset-2 hover:text-ink hover:underline"
        >
          {t("calendar.more", { count: entries.length - shown.length })}
        </button>
      )}
    </>
  );
}

interface EntryLinkProps {
  entry: MonthEntry;
  tabIndex?: number;
  className: string;
}

/** A window on a day, with the hours that it is open then. */
export function EntryLink({ entry, tabIndex, className }: EntryLinkProps) {
  const { i18n } = useTranslation("maintenance");
  const { window, startsMs, endsMs } = entry;
  const times = useTimesOnDay()(entry);
  const title = useTitleOf()(window);
  return (
    <Link
      to="/maintenance/$id"
      params={{ id: String(window.id) }}
      title={`${formatSpan(startsMs, endsMs, useNow(), i18n.language)} ${title}`}
      tabIndex={tabIndex}
      className={`flex flex-wrap gap-x-1.5 bg-hover text-ink hover:bg-line ${className}`}
    >
      {times && <span className="text-ink-muted tabular-nums">{times}</span>}
      <span dir="auto" className="min-w-0 wrap-anywhere in-[td]:truncate">
        {title}
      </span>
    </Link>
  );
}

/** When a window is open on a day: from when until when, as far as it begins or ends on it. */
function useTimesOnDay(): (entry: MonthEntry) => string | null {
  const { t, i18n } = useTranslation("maintenance");
  const { language } = i18n;
  return ({ startsMs, endsMs, isFirstDay, isLastDay }) => {
    if (isFirstDay && isLastDay) return hoursInWords(startsMs, endsMs, language);
    if (isFirstDay) return t("calendar.from", { time: clockWords(startsMs, language) });
    return isLastDay ? t("calendar.until", { time: clockWords(endsMs, language) }) : null;
  };
}
