import { expect, test } from "vitest";
import { de } from "../../server/src/texts/de.ts";
import { fact } from "../../server/src/texts/fact.ts";
import { zh } from "../../server/src/texts/zh.ts";
import { sayFact } from "../src/i18n/facts.ts";

const sentence = "As the server says it.";

test("a fact is said in the reader's language, with days and durations as it writes them", () => {
  const expired = fact("certificate.expired", { day: "2026-11-21" });
  expect(sayFact(de, { sentence, fact: expired }, "de")).toBe("Das Zertifikat ist am 21.11.2026 abgelaufen.");
  const over = fact("incident.recovered", { name: "Shop", lasted: 7_200_000 });
  expect(sayFact(zh, { sentence, fact: over }, "zh")).toBe("Shop 已恢复正常。故障持续了 2小时。");
});

test("where there is no fact, no text for it, or the page is English, the server's sentence stays", () => {
  const refused = fact("refused", { where: "shop.example" });
  expect(sayFact(null, { sentence, fact: refused }, "en")).toBe(sentence);
  expect(sayFact(de, { sentence, fact: null }, "de")).toBe(sentence);
  expect(sayFact(de, { sentence, fact: { code: "refused.later" } }, "de")).toBe(sentence);
  expect(sayFact(de, { sentence, fact: { code: "refused.text", params: { text: "No." } } }, "de")).toBe(
    sentence,
  );
});
