import type { Severity } from "../../incident/states.ts";
import { NOTICE_EVENTS, type NoticeEvent } from "../../status/state.ts";

/** What a channel can be told of. */
export const CHANNEL_EVENTS = NOTICE_EVENTS;
export type ChannelEvent = NoticeEvent;

/** The days of a week, as people choose them. */
export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When messages are sent. `from` and `to`: `HH:MM`; a span over midnight belongs to the day on which it begins. */
export interface Hours {
  days?: Weekday[];
  from?: string;
  to?: string;
}

/** Which events a channel is told of. Empty lists narrow nothing; `hours` null: always. */
export interface ChannelFilter {
  events: ChannelEvent[];
  severities: Severity[];
  tags: string[];
  hours: Hours | null;
}

/** What a filter asks of an event. */
export interface Filtered {
  event: ChannelEvent;
  severity: Severity;
  tags: readonly string[];
}

/**
 * Whether a channel is told. `isTold`: it has been told of the trouble, and not yet of its end. Who was told hears of the
 * end whatever the hour, and nobody else does.
 */
export function wants(
  filter: ChannelFilter & { timeZone: string },
  { event, severity, tags }: Filtered,
  isTold: boolean,
  now: number,
): boolean {
  if (!fits(filter.events, event)) return false;
  if (event === "monitor.up") return isTold;
  if (!fits(filter.severities, severity)) return false;
  if (filter.tags.length > 0 && !filter.tags.some((tag) => tags.includes(tag))) return false;
  return filter.hours === null || isWithin(filter.hours, now, filter.timeZone);
}

const fits = <T>(wanted: readonly T[], one: T): boolean => wanted.length === 0 || wanted.includes(one);

/** Whether a moment lies within the hours, on the clocks of that zone. */
function isWithin({ days = [], from = "00:00", to = "24:00" }: Hours, at: number, zone: string): boolean {
  const { day, time } = clockIn(zone, at);
  const previous = WEEKDAYS[(WEEKDAYS.indexOf(day) + 6) % 7] as Weekday;
  if (from < to) return fits(days, day) && time >= from && time < to;
  return (fits(days, day) && time >= from) || (fits(days, previous) && time < to);
}

/** Making a format is slow, and there are few zones. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockIn(timeZone: string, at: number): { day: Weekday; time: string } {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const how = { weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
    clocks.set(timeZone, (clock = new Intl.DateTimeFormat("en", how)));
  }
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: (parts["weekday"] ?? "").toLowerCase() as Weekday,
    time: `${parts["hour"]}:${parts["minute"]}`,
  };
}
