import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Language } from "../web/src/i18n/languages.ts";
import { flatten, textsOf } from "../web/test/texts.ts";
import { barePages } from "./harness/bare-pages.ts";
import { openPage } from "./harness/browser.ts";
import { shareCompany } from "./harness/company.ts";
import { goOn } from "./harness/controls.ts";
import { addressOf, appPages } from "./harness/pages.ts";
import { wordFaults } from "./harness/words.ts";

const company = shareCompany();

/** Dates as these languages write them. */
const dates: Record<string, RegExp> = {
  de: /\d{1,2}\.(\d{1,2}\.| [A-Z][a-zä]+\.? )\d{4}/,
  zh: /\d{4}年\d{1,2}月\d{1,2}日/,
};

/** Waits until the page is there, whatever it says. */
async function waitForWords(page: Page, language: Language): Promise<void> {
  await page.locator("h1, main h2").first().waitFor();
  const loading = flatten(textsOf("shared", language)).get("loading") ?? "";
  await page.getByText(loading, { exact: true }).first().waitFor({ state: "detached" });
}

describe.each(["de", "zh"] as const)("in %s", (language) => {
  test("no page shows English, the name of a text or a cut one, nor scrolls sideways", async () => {
    const page = await company.open("owner");
    await page.addInitScript(`localStorage.setItem("vedette.language", "${language}")`);
    const faults: string[] = [];
    for (const row of appPages) {
      await goOn(page, addressOf(row, company.ids));
      await waitForWords(page, language);
      faults.push(...(await wordFaults(page, language)).map((fault) => `${row.path} ${fault}`));
    }
    await goOn(page, "/settings/profile");
    await page
      .getByText(dates[language] as RegExp)
      .first()
      .waitFor();
    const visitor = await openPage(company.url);
    await visitor.addInitScript(`localStorage.setItem("vedette.language", "${language}")`);
    for (const row of barePages) {
      await visitor.goto(addressOf(row, company.ids));
      await waitForWords(visitor, language);
      faults.push(...(await wordFaults(visitor, language)).map((fault) => `${row.path} ${fault}`));
    }
    expect(faults).toEqual([]);
  }, 240_000);
});
