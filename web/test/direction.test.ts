import { describe, expect, onTestFinished, test, vi } from "vitest";
import { directionOf, isolated } from "../src/i18n/direction.ts";
import { sayFact } from "../src/i18n/facts.ts";
import { i18n, startTranslations } from "../src/i18n/i18n.ts";

const shop = "متجر الكتب";

describe("a name that is written from right to left", () => {
  test("is kept apart in a sentence, so that the words around it stay in their order", () => {
    const texts = { "incident.outage": "{name} is down" };
    const fact = { code: "incident.outage", params: { name: shop } };
    const said = sayFact(texts, { sentence: "", fact }, "en");
    expect(said).toBe(`\u2068${shop}\u2069 is down`);
    expect([directionOf(said), directionOf(shop), directionOf("Shop")]).toEqual(["ltr", "rtl", "ltr"]);
  });

  test("leaves other names as they are", () => {
    expect(isolated("Shop & <b>Café</b> 商店")).toBe("Shop & <b>Café</b> 商店");
  });

  test("is kept apart by the app's own texts as well", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    onTestFinished(() => void vi.unstubAllGlobals());
    await startTranslations();
    expect(i18n.t("notice.down", { name: shop })).toBe(`\u2068${shop}\u2069 went down.`);
    expect(i18n.t("notice.down", { name: "<b>" })).toBe("<b> went down.");
  });
});
