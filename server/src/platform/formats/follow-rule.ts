/** RFC 5545 §3.3.10. */
export interface Rule {
  every: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  interval: number;
  /** Infinite: as often as it comes. */
  count: number;
  /** The last time that may be given, on the wall; infinite: there is no end. */
  untilMs: number;
  /** BYDAY, Sunday is 0; `nth` of the month or year, from its end where negative, 0: each. */
  weekdays: readonly { weekday: number; nth: number }[];
  monthDays: ReadonlySet<number>;
  /** 1 to 12. */
  months: ReadonlySet<number>;
  hours: readonly number[];
  positions: readonly number[];
  weekStart: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A leap day on a Monday comes round within this, over 2100 too; what does not is as good as never. */
const SEARCHED_DAYS = 41 * 366;
const SEARCHED_MONTHS = 41 * 12;

/**
 * In order from `fromMs`, until the rule ends or gives nothing for 41 years. All are milliseconds on the wall
 * clock, as if that were UTC. Lazy; at most 15,000 days between two times, a few nanoseconds each.
 */
export function* followRule(written: Rule, startMs: number, fromMs: number): Generator<number> {
  const rule = withDefaults(written, startMs);
  // How often it has come true already is known from its start only.
  const beginMs = rule.count < Number.POSITIVE_INFINITY ? startMs : Math.max(startMs, fromMs);
  let count = 0;
  let lastDay = dayOf(beginMs);
  for (const days of periodsOf(rule, dayOf(startMs), lastDay)) {
    if ((days[0] as number) > lastDay + SEARCHED_DAYS) return;
    for (const time of timesOf(rule, days, startMs)) {
      if (time < beginMs) continue;
      if (time > rule.untilMs || count >= rule.count) return;
      count += 1;
      lastDay = dayOf(time);
      if (time >= fromMs) yield time;
    }
  }
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;
const monthOf = (day: number): number => {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};
/** A month counts from the year 0. */
const firstOfMonth = (month: number): number =>
  Date.UTC(Math.floor(month / 12), ((month % 12) + 12) % 12, 1) / DAY_MS;
const firstOfWeek = (day: number, weekStart: number): number => day - ((weekdayOf(day) - weekStart + 7) % 7);

/** What a rule does not say, its start does. */
function withDefaults(rule: Rule, startMs: number): Rule {
  const start = new Date(startMs);
  const hours = rule.hours.length > 0 ? rule.hours : [start.getUTCHours()];
  const whole = { ...rule, hours };
  if (rule.weekdays.length > 0 || rule.monthDays.size > 0 || rule.every === "DAILY") return whole;
  if (rule.every === "WEEKLY") return { ...whole, weekdays: [{ weekday: start.getUTCDay(), nth: 0 }] };
  const monthDays = new Set([start.getUTCDate()]);
  if (rule.every === "MONTHLY" || rule.months.size > 0) return { ...whole, monthDays };
  return { ...whole, monthDays, months: new Set([start.getUTCMonth() + 1]) };
}

/** Days on which the rule comes true: a period's together where positions are counted, else each by itself. */
function* periodsOf(rule: Rule, startDay: number, fromDay: number): Generator<number[]> {
  if (rule.positions.length === 0) {
    for (const day of daysOf(rule, startDay, fromDay)) yield [day];
    return;
  }
  let days: number[] = [];
  let period: number | undefined;
  for (const day of daysOf(rule, startDay, periodStart(rule, fromDay))) {
    const own = periodStart(rule, day);
    if (own !== period && days.length > 0) {
      yield days;
      days = [];
    }
    period = own;
    days.push(day);
  }
  if (days.length > 0) yield days;
}

function periodStart({ every, weekStart }: Rule, day: number): number {
  if (every === "DAILY") return day;
  if (every === "WEEKLY") return firstOfWeek(day, weekStart);
  const month = monthOf(day);
  return firstOfMonth(every === "MONTHLY" ? month : month - (month % 12));
}

function* daysOf(rule: Rule, startDay: number, fromDay: number): Generator<number> {
  const isDue = turnsOf(rule, startDay);
  const fits = fitsBy(rule);
  let lastMonth = monthOf(fromDay);
  for (let month = lastMonth; month <= lastMonth + SEARCHED_MONTHS; month += 1) {
    if (rule.months.size > 0 && !rule.months.has((month % 12) + 1)) continue;
    const [first, end] = [firstOfMonth(month), firstOfMonth(month + 1)];
    for (let day = Math.max(first, fromDay); day < end; day += 1) {
      if (!isDue(day, month) || !fits(day, { month, first, end })) continue;
      lastMonth = month;
      yield day;
    }
  }
}

/** Whether it is a day's turn, as the interval counts from the start. */
function turnsOf({ every, interval, weekStart }: Rule, startDay: number) {
  const startMonth = monthOf(startDay);
  const startWeek = firstOfWeek(startDay, weekStart);
  const turn = {
    DAILY: (day: number) => day - startDay,
    WEEKLY: (day: number) => Math.floor((day - startWeek) / 7),
    MONTHLY: (_: number, month: number) => month - startMonth,
    YEARLY: (_: number, month: number) => Math.floor(month / 12) - Math.floor(startMonth / 12),
  }[every];
  return (day: number, month: number): boolean => turn(day, month) % interval === 0;
}

interface Month {
  month: number;
  first: number;
  /** The first day after it. */
  end: number;
}

function fitsBy({ weekdays, monthDays, every, months }: Rule) {
  const each = new Set(weekdays.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday));
  const numbered = weekdays.filter(({ nth }) => nth !== 0);
  const isOfYear = every === "YEARLY" && months.size === 0;
  const isNth = (day: number, { month, first, end }: Month): boolean => {
    const january = month - (month % 12);
    const [from, to] = isOfYear ? [firstOfMonth(january), firstOfMonth(january + 12)] : [first, end];
    const nth = Math.floor((day - from) / 7) + 1;
    const fromEnd = -Math.floor((to - 1 - day) / 7) - 1;
    return numbered.some((one) => one.weekday === weekdayOf(day) && (one.nth === nth || one.nth === fromEnd));
  };
  return (day: number, whole: Month): boolean =>
    (monthDays.size === 0 || monthDays.has(day - whole.first + 1) || monthDays.has(day - whole.end)) &&
    (weekdays.length === 0 || each.has(weekdayOf(day)) || (numbered.length > 0 && isNth(day, whole)));
}

/** In order; where positions are counted, those alone. */
function timesOf({ hours, positions }: Rule, days: readonly number[], startMs: number): number[] {
  const restMs = startMs - Math.floor(startMs / HOUR_MS) * HOUR_MS;
  const at = (day: number, hour: number) => day * DAY_MS + hour * HOUR_MS + restMs;
  if (positions.length === 0) return days.flatMap((day) => hours.map((hour) => at(day, hour)));
  const total = days.length * hours.length;
  const indexes = positions.map((one) => (one > 0 ? one - 1 : total + one));
  return [...new Set(indexes)]
    .filter((index) => index >= 0 && index < total)
    .toSorted((one, other) => one - other)
    .map((index) =>
      at(days[Math.floor(index / hours.length)] as number, hours[index % hours.length] as number),
    );
}
