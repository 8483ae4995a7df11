import { expect, test } from "vitest";
import { formatsOf } from "../../../src/platform/i18n/render.ts";
import { wordsFor } from "../../../src/status-pages/render/view.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

test.each([
  [400, "1 sec"],
  [59_900, "59 sec"],
  [6.9 * MINUTE_MS, "6 min"],
  [65.9 * MINUTE_MS, "1 hr 5 min"],
  [29.7 * HOUR_MS, "1 day 5 hr"],
  [12.9 * DAY_MS, "12 days"],
])("%d ms are %s on a page, and as many in mails", (ms, short) => {
  const said = wordsFor("en", "UTC").duration(ms);
  expect(said).toBe(short);
  const counts = (text: string) => text.match(/\d+/g);
  expect(counts(formatsOf("en", "UTC").duration(ms))).toEqual(counts(short));
});

test("the words of a zone are cached while it is in use, of however many zones", () => {
  const zones = Intl.supportedValuesOf("timeZone").slice(0, 210);
  const first = wordsFor("en", "Europe/Berlin");
  for (const zone of zones) {
    wordsFor("en", zone);
    wordsFor("en", "Europe/Berlin");
  }
  expect(wordsFor("en", "Europe/Berlin")).toBe(first);
  for (const zone of zones) wordsFor("de", zone);
  expect(wordsFor("en", "Europe/Berlin")).not.toBe(first);
});
