import { describe, expect, onTestFinished, test } from "vitest";
import {
  browserTimeZone,
  currentTimeZone,
  formatAgo,
  formatAxisTime,
  formatClock,
  formatCount,
  formatDate,
  formatDateTime,
  formatDays,
  formatDuration,
  formatInterval,
  formatMoment,
  formatNames,
  formatPercentage,
  formatResponseTime,
  formatResponseTimes,
  formatSpan,
  formatTick,
  formatUtcDay,
  formatWait,
  hasJustBegun,
  setTimeZone,
} from "../src/i18n/format.ts";
import { hoursInWords } from "../src/maintenance/MonthCalendar.tsx";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe("durations", () => {
  test.each([
    [0, "1 second"],
    [59_999, "59 seconds"],
    [minuteMs, "1 minute"],
    [6.9 * minuteMs, "6 minutes"],
    [119 * minuteMs, "1 hr 59 min"],
    [120 * minuteMs, "2 hours"],
    [28.5 * 60 * minuteMs, "1 day 4 hr"],
    [3 * dayMs + 1, "3 days"],
    [12.5 * dayMs, "12 days"],
  ])("%d ms read as %s", (durationMs, text) => {
    expect(formatDuration(durationMs, "en")).toBe(text);
  });

  test("that go on have just begun until a minute has passed, and then have a figure", () => {
    expect([0, minuteMs - 1, minuteMs].map(hasJustBegun)).toEqual([true, true, false]);
  });

  test.each([
    [49.2, "50 seconds"],
    [60, "1 minute"],
    [3_421, "58 minutes"],
    [3_600, "1 hour"],
  ])("to wait, %d s are shown as %s, never too short", (seconds, text) => {
    expect(formatWait(seconds, "en")).toBe(text);
  });

  test("follow the language", () => {
    expect(formatDuration(2 * minuteMs, "de")).toBe("2 Minuten");
  });
});

test("a certificate's days never go below zero", () => {
  expect(formatDays(-5 * dayMs, "en")).toBe("0 days");
  expect(formatDays(14.9 * dayMs, "en")).toBe("14 days");
  expect(formatDays(15 * dayMs - 1_800_000, "en")).toBe("15 days");
});

test.each([
  [0.84, "0.8 ms"],
  [87.4, "87 ms"],
  [1840, "1,840 ms"],
  [12_340, "12,340 ms"],
])("a response time of %d ms reads %s", (responseTimeMs, text) => {
  expect(formatResponseTime(responseTimeMs, "en")).toBe(text);
});

test.each([
  [0, 0, "< 0.1 ms"],
  [0.3, 1.24, "0.3–1.2 ms"],
  [0.3, 0.3, "0.3 ms"],
  [12, 180, "12–180 ms"],
  [2, 2400, "2–2,400 ms"],
])("answers within %d and %d milliseconds took %s", (fastest, slowest, text) => {
  expect(formatResponseTimes(fastest, slowest, "en")).toBe(text);
});

test("a point on an axis may be nothing, unlike an answer", () => {
  expect([0, 0.25, 2.5, 30].map((ms) => formatAxisTime(ms, "en"))).toEqual([
    "0 ms",
    "0.25 ms",
    "2.5 ms",
    "30 ms",
  ]);
  expect(formatResponseTime(0, "de")).toBe("< 0,1 ms");
});

test("an uptime is never rounded up to what it is not", () => {
  expect(formatPercentage(99.999, "en")).toBe("99.99%");
  expect(formatPercentage(100, "en")).toBe("100%");
  expect(formatPercentage(0, "en")).toBe("0.00%");
});

test("a date is written as the language writes it", () => {
  expect(formatDate("2027-02-14T12:00:00.000Z", "en-GB")).toBe("14 Feb 2027");
});

describe.each([
  ["de", ["1.840 ms", "99,98 %", "43.180", "vor 3 Tagen", "90 Sekunden", "14. Feb.", "14.02.2027, 09:31:07"]],
  [
    "de-CH",
    ["1’840 ms", "99.98%", "43’180", "vor 3 Tagen", "90 Sekunden", "14. Feb.", "14.02.2027, 09:31:07"],
  ],
  ["zh-Hans", ["1,840 毫秒", "99.98%", "43,180", "3 天前", "90 秒钟", "2月14日", "2027年2月14日 09:31:07"]],
])("in %s", (language, words) => {
  test("numbers, dates and lengths of time are all written as people there write them", () => {
    const time = new Date(2027, 1, 14, 9, 31, 7);
    const written = [
      formatResponseTime(1840, language),
      formatPercentage(99.984, language),
      formatCount(43_180, language),
      formatAgo(3 * dayMs, language),
      formatInterval(90, language),
      formatTick(time.getTime(), dayMs, language),
      formatDateTime(time.toISOString(), language),
    ];
    // Which blanks, and which apostrophe in Switzerland, changes with the years.
    expect(written.map((text) => text.replaceAll(/\s/g, " ").replace("'", "’"))).toEqual(words);
  });
});

test("dates, times, ticks and what is today follow the person's zone, and days in UTC stay what they are", () => {
  onTestFinished(() => setTimeZone(null));
  const evening = "2027-02-14T20:00:00.000Z";
  const written = () => [
    formatDate(evening, "en-GB"),
    formatDateTime(evening, "en-GB"),
    formatTick(Date.parse(evening), minuteMs, "en-GB"),
    formatMoment(evening, Date.parse("2027-02-14T22:00:00.000Z"), "en-GB"),
    formatMoment(evening, Date.parse("2027-02-14T10:00:00.000Z"), "en-GB"),
    formatUtcDay("2027-02-14", "en-GB"),
  ];
  setTimeZone("Asia/Kolkata");
  expect(written()).toEqual([
    "15 Feb 2027",
    "15 Feb 2027, 01:30:00",
    "01:30",
    "01:30:00",
    "15 Feb, 01:30:00",
    "14 Feb 2027",
  ]);
  setTimeZone("America/New_York");
  expect(written().slice(0, 4)).toEqual(["14 Feb 2027", "14 Feb 2027, 15:00:00", "15:00", "15:00:00"]);
});

describe("dates of another year", () => {
  const now = Date.parse("2026-12-31T12:00:00.000Z");
  const evening = "2026-12-31T22:00:00.000Z";
  const next = "2031-01-06T09:31:07.000Z";

  test.each([
    ["a moment", formatMoment(next, now, "en-GB"), "6 Jan 2031, 09:31:07"],
    ["a clock", formatClock(Date.parse(next), now, "en-GB"), "6 Jan 2031, 09:31"],
    ["a clock of this year", formatClock(Date.parse("2026-01-06T09:31:00Z"), now, "en-GB"), "6 Jan, 09:31"],
    ["a clock of today", formatClock(Date.parse(evening), now, "en-GB"), "22:00"],
    [
      "a span into it",
      formatSpan(Date.parse(evening), Date.parse("2027-01-01T02:00:00.000Z"), now, "en-GB"),
      "31 Dec 2026, 22:00 – 1 Jan 2027, 02:00",
    ],
  ])("%s has the year only then", (_, written, words) => {
    expect(written.replaceAll(/\s/g, " ")).toBe(words);
  });

  test("a clock is of the person's day, not of the browser's", () => {
    onTestFinished(() => setTimeZone(null));
    setTimeZone("Asia/Tokyo");
    expect(formatClock(Date.parse(evening), now, "en-GB")).toBe("1 Jan 2027, 07:00");
  });
});

test("the hours of what ends at midnight name no day", () => {
  onTestFinished(() => setTimeZone(null));
  setTimeZone("UTC");
  const midnight = Date.parse("2027-01-01T00:00:00.000Z");
  expect(hoursInWords(midnight - 2 * 60 * minuteMs, midnight, "en-GB")).toBe("22:00–00:00");
});

test("without a zone, or with one that the browser does not know, the browser's own is used", () => {
  onTestFinished(() => setTimeZone(null));
  setTimeZone("Mars/Olympus_Mons");
  expect(currentTimeZone()).toBe(browserTimeZone());
  setTimeZone("Asia/Tokyo");
  expect(currentTimeZone()).toBe("Asia/Tokyo");
  setTimeZone(null);
  expect(currentTimeZone()).toBe(browserTimeZone());
});

test("names are enumerated as the language does", () => {
  expect(formatNames(["Shop", "API", "Mail"], "en")).toBe("Shop, API, Mail");
  expect(formatNames(["Shop", "API", "Mail"], "de")).toBe("Shop, API, Mail");
  expect(formatNames(["Shop", "API", "Mail"], "zh")).toBe("Shop、API、Mail");
});
