import type { MaintenanceInput, MaintenanceWindow } from "../api/maintenance.ts";

export const repeats = ["never", "daily", "weekly", "monthDay", "monthWeekday", "custom"] as const;
export type Repeat = (typeof repeats)[number];

export const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
export type Weekday = (typeof weekdays)[number];

export const durationUnits = { minutes: 60, hours: 3_600, days: 86_400 } as const;
export type DurationUnit = keyof typeof durationUnits;

export interface WindowDraft {
  title: string;
  description: string;
  /** As the zone's clock shows it: `2026-11-29T02:00`. */
  start: string;
  amount: string;
  unit: DurationUnit;
  timeZone: string;
  repeat: Repeat;
  /** Of a weekly one. */
  days: readonly Weekday[];
  /** Of a custom one. */
  rule: string;
  /** The last day, or nothing: `2026-12-31`. */
  lastDay: string;
  everything: boolean;
  tags: string;
  /** The monitors, by their uuids. */
  monitors: readonly string[];
}

export interface WindowFieldsProps {
  draft: WindowDraft;
  errors: Readonly<Record<string, string[] | undefined>>;
  onChange: (change: Partial<WindowDraft>) => void;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A new window: an hour, from the next full hour on. */
export const newDraft = (now: number, timeZone: string): WindowDraft => ({
  ...{ title: "", description: "", amount: "1", unit: "hours", timeZone },
  start: wallTime(Math.ceil(now / hourMs) * hourMs, timeZone),
  ...{ repeat: "never", days: [], rule: "", lastDay: "", everything: false, tags: "", monitors: [] },
});

export function draftOf(window: MaintenanceWindow): WindowDraft {
  const { timeZone, duration, until } = window;
  const start = wallTime(Date.parse(window.startsAt), timeZone);
  const unit = duration % 86_400 === 0 ? "days" : duration % 3_600 === 0 ? "hours" : "minutes";
  return {
    title: window.title ?? "",
    description: window.description,
    start,
    amount: String(duration / durationUnits[unit]),
    unit,
    timeZone,
    ...repeatOf(window.recurrence, start),
    lastDay: until === null ? "" : wallTime(Date.parse(until) - 1, timeZone).slice(0, 10),
    everything: window.everything,
    tags: window.tags.join(", "),
    monitors: window.monitors.map(({ uuid }) => uuid),
  };
}

function repeatOf(rule: string | null, start: string): Pick<WindowDraft, "repeat" | "days" | "rule"> {
  if (rule === null) return { repeat: "never", days: [], rule: "" };
  const weekly = /^FREQ=WEEKLY;BYDAY=((?:[A-Z]{2},?)+)$/.exec(rule)?.[1]?.split(",");
  const days = weekdays.filter((day) => weekly?.includes(day));
  if (weekly && days.length === weekly.length) return { repeat: "weekly", days, rule };
  const same = (["daily", "monthDay", "monthWeekday"] as const).find(
    (one) => ruleOf(one, start, []) === rule,
  );
  return { repeat: same ?? "custom", days: [], rule };
}

/** The day of the week of a wall time, and which of its month it is: 5 for the last. */
export function placeInMonth(start: string): { weekday: Weekday; nth: number; day: number } {
  const date = new Date(`${start.slice(0, 10)}T00:00:00Z`);
  const day = date.getUTCDate();
  return { weekday: weekdays[(date.getUTCDay() + 6) % 7] ?? "MO", nth: Math.ceil(day / 7), day };
}

function ruleOf(repeat: Repeat, start: string, days: readonly Weekday[]): string | null {
  const { weekday, nth, day } = placeInMonth(start);
  if (repeat === "daily") return "FREQ=DAILY";
  if (repeat === "weekly") return `FREQ=WEEKLY;BYDAY=${days.length > 0 ? days.join(",") : weekday}`;
  if (repeat === "monthDay") return `FREQ=MONTHLY;BYMONTHDAY=${day}`;
  if (repeat === "monthWeekday") return `FREQ=MONTHLY;BYDAY=${nth > 4 ? -1 : nth}${weekday}`;
  return null;
}

/** When it would be open, as the API takes it; null while something is not a time or a number. */
export function scheduleOf(draft: WindowDraft) {
  const { start, timeZone, amount, unit, repeat, lastDay } = draft;
  const startsAt = timeOfWall(start, timeZone);
  const duration = Math.round(Number(amount.replace(",", ".")) * durationUnits[unit]);
  if (Number.isNaN(startsAt) || !(duration > 0)) return null;
  const recurrence = repeat === "custom" ? draft.rule.trim() : ruleOf(repeat, start, draft.days);
  const endsAt = lastDay === "" || repeat === "never" ? Number.NaN : timeOfWall(`${lastDay}T00:00`, timeZone);
  return {
    startsAt: new Date(startsAt).toISOString(),
    duration,
    timeZone,
    recurrence,
    until: Number.isNaN(endsAt) ? null : new Date(endsAt + dayMs).toISOString(),
  };
}

export const isSameSchedule = (a: WindowDraft, b: WindowDraft): boolean =>
  JSON.stringify(scheduleOf(a)) === JSON.stringify(scheduleOf(b));

/** The whole of it, as the API takes it. `idOf`: the number of a chosen monitor. */
export function bodyOf(
  draft: WindowDraft,
  idOf: (uuid: string) => number | undefined,
): MaintenanceInput | null {
  const schedule = scheduleOf(draft);
  if (!schedule) return null;
  const { title, description, everything } = draft;
  const tags = draft.tags.split(",").map((tag) => tag.trim());
  return {
    title: title.trim() === "" ? null : title,
    description,
    ...schedule,
    everything,
    tags: everything ? [] : tags.filter((tag) => tag !== ""),
    monitorIds: everything ? [] : draft.monitors.flatMap((uuid) => idOf(uuid) ?? []),
  };
}

/** The changes of a body; times that were not edited stay exact to the second. */
export const changesOf = (body: MaintenanceInput, before: MaintenanceInput | null): MaintenanceInput =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown> | null)?.[name]),
    ),
  );

/* Times as the clock of a zone shows them: `2026-11-29T02:00`, as the browser's own box for times has them. */

const minuteMs = 60_000;

/** How far the zone's clocks are ahead of UTC then, milliseconds. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" },
  }).formatToParts(atMs);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return shown - Math.floor(atMs / minuteMs) * minuteMs;
}

/** What the zone's clock shows at a time, to the minute. */
export const wallTime = (atMs: number, timeZone: string): string =>
  new Date(atMs + offsetMs(atMs, timeZone)).toISOString().slice(0, 16);

/** When the zone's clock shows this, milliseconds; NaN for what is no time. In a skipped hour: after it. */
export function timeOfWall(wall: string, timeZone: string): number {
  const utcMs = Date.parse(`${wall}Z`);
  if (Number.isNaN(utcMs)) return Number.NaN;
  const guessMs = utcMs - offsetMs(utcMs, timeZone);
  // The clocks may be changed between the two: what holds at the time itself counts.
  const atMs = utcMs - offsetMs(guessMs, timeZone);
  return wallTime(atMs, timeZone) === wall ? atMs : Math.max(atMs, guessMs);
}
