import { useTranslation } from "react-i18next";
import type { MaintenanceWindow } from "../api/maintenance.ts";
import { formatDuration, formatNames } from "../i18n/format.ts";
import { draftOf, placeInMonth, type Weekday, type WindowDraft, weekdays } from "./window-draft.ts";

/** Any Monday. */
const mondayMs = Date.UTC(2026, 0, 5);
const dayMs = 86_400_000;

/** The rules of a month that have words: a day of the week, the last for -1, or a day. */
const MONTHLY = /^FREQ=MONTHLY;(?:BYDAY=(-1|[1-4])(MO|TU|WE|TH|FR|SA|SU)|BYMONTHDAY=([12]?\d|3[01]))$/;

/** "Monday", or "Mon". */
export const weekdayName = (day: Weekday, language: string, length: "long" | "short" = "long"): string =>
  new Intl.DateTimeFormat(language, { weekday: length, timeZone: "UTC" }).format(
    mondayMs + weekdays.indexOf(day) * dayMs,
  );

/** A window's title: its own, or a generated one. */
export function useTitleOf(): (window: Pick<MaintenanceWindow, "title">) => string {
  const { t } = useTranslation("maintenance");
  return ({ title }) => title ?? t("untitled");
}

/** What a window is for, and how often it is open, in words. */
export function useWindowWords() {
  const { t, i18n } = useTranslation("maintenance");
  const { language } = i18n;
  const monthly = (nth: number, day: Weekday): string =>
    t("words.monthWeekday", { nth: t(`nth.${Math.min(nth, 5) as 1}`), day: weekdayName(day, language) });
  /** Of a rule that is not about the day on which it starts: in words where there are some for it. */
  const ruleWords = (rule: string): string => {
    const [, nth, weekday, day] = MONTHLY.exec(rule) ?? [];
    if (weekday) return monthly(nth === "-1" ? 5 : Number(nth), weekday as Weekday);
    return day ? t("words.monthDay", { day: Number(day) }) : rule;
  };
  const repeatWords = ({ repeat, start, days, rule }: WindowDraft): string => {
    const { weekday, nth, day } = placeInMonth(start);
    const names = (days.length > 0 ? days : [weekday]).map((one) => weekdayName(one, language));
    if (repeat === "weekly") return t("words.weekly", { days: new Intl.ListFormat(language).format(names) });
    if (repeat === "monthDay") return t("words.monthDay", { day });
    if (repeat === "monthWeekday") return monthly(nth, weekday);
    return repeat === "custom" ? ruleWords(rule) : t(`words.${repeat}`);
  };
  return {
    repeatWords,
    /** "Every week on Sunday, 1 hour". */
    scheduleWords: (window: MaintenanceWindow) =>
      t("words.lasting", {
        repeat: repeatWords(draftOf(window)),
        duration: formatDuration(window.duration * 1000, language),
      }),
    scopeWords: ({ everything, tags, monitors }: MaintenanceWindow) => {
      if (everything) return t("scope.everything");
      const names = [...monitors.map(({ name }) => name), ...tags.map((tag) => `#${tag}`)];
      if (names.length === 0) return t("scope.gone");
      const more = names.length - 3;
      const named = formatNames(more > 0 ? names.slice(0, 3) : names, language);
      return more > 0 ? t("scope.more", { names: named, count: more }) : named;
    },
  };
}
