import { expect, test } from "vitest";
import { wordsFor } from "../../src/page/render/words.ts";

test("the words of a zone are kept while it is in use, of however many zones", () => {
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
