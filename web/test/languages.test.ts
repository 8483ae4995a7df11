import { describe, expect, test } from "vitest";
import { firstLanguage, localeOf } from "../src/i18n/languages.ts";

describe("the language that the page starts in", () => {
  test.each([
    ["the saved choice, whatever the browser prefers", "zh", ["de-DE", "en"], "zh"],
    ["the first of the browser's that exists", null, ["fr-FR", "de-AT", "en-US"], "de"],
    ["English when none of the browser's exists", null, ["fr", "ja-JP"], "en"],
    ["English when the browser prefers nothing", null, [], "en"],
    ["not a saved language that does not exist any more", "xx", ["de"], "de"],
    ["Chinese for readers of simplified characters", null, ["zh-CN", "en"], "zh"],
    ["not Chinese for readers of traditional characters", null, ["zh-TW", "zh-Hant-HK", "en-US"], "en"],
    ["the next one after what is no language tag", null, ["en-US@posix", "de"], "de"],
  ] as const)("is %s", (_case, saved, wanted, language) => {
    expect(firstLanguage(saved, wanted)).toBe(language);
  });
});

describe("dates and numbers follow", () => {
  test.each([
    ["the reader's country", "en", ["de-AT", "en-GB", "en-US"], "en-GB"],
    ["the language alone when the reader named no country for it", "de", ["fr-CH", "de"], "de"],
    ["simplified Chinese, not the traditional that was named", "zh", ["zh-TW"], "zh-Hans"],
    ["the language alone after what Intl would refuse", "en", ["en-US@posix"], "en"],
  ] as const)("%s", (_case, language, wanted, locale) => {
    expect(localeOf(language, wanted)).toBe(locale);
    expect(Intl.NumberFormat.supportedLocalesOf(locale)).toHaveLength(1);
  });
});
