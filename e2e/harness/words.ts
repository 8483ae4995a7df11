import type { Page } from "playwright-core";
import type { Language } from "../../web/src/i18n/languages.ts";
import { flatten, textNames, textsOf } from "../../web/test/texts.ts";
import { sidewaysOverflow } from "./screenshots.ts";

const textsIn = (language: Language) => textNames.map((name) => flatten(textsOf(name, language)));
const wordsOf = (language: Language): string[] => textsIn(language).flatMap((texts) => [...texts.values()]);

/** Everything that is displayed or announced on the page, a text for each place. */
const shownTexts = `(() => {
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) texts.push(walk.currentNode.data.trim());
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"]) texts.push(element.getAttribute(name));
  return texts;
})()`;

/** Texts that end in dots, or are cut, for want of room. */
const cutTexts = `[...document.querySelectorAll("h1, h2, h3, th, label, button, a, button span, a span, p, dt, dd")]
  .filter((it) => it.checkVisibility() && getComputedStyle(it).clipPath === "none" && it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).overflowX !== "visible")
  .map((it) => it.textContent.trim())`;

/** Sentences of texts with something to fill in: enough words of their own to be known by. */
function patternsOf(texts: readonly string[]): RegExp[] {
  return texts
    .filter((text) => text.includes("{{") && text.replaceAll(/\{\{.*?\}\}/g, "").trim().length > 8)
    .map((text) => {
      const parts = text.split(/\{\{.*?\}\}/).map((part) => part.replaceAll(/[.*+?^$()|[\]\\{}]/g, "\\$&"));
      return new RegExp(`^${parts.join(".+")}$`, "s");
    });
}

/** What the page says in English words though its language has others. */
export async function leftInEnglish(page: Page, language: Language): Promise<string[]> {
  const own = new Set(wordsOf(language));
  const english = [...new Set(wordsOf("en"))].filter((text) => !own.has(text));
  const plain = new Set(english);
  const patterns = patternsOf(english);
  const shown = (await page.evaluate<(string | null)[]>(shownTexts)).filter((text) => text !== null);
  return shown.filter((text) => plain.has(text) || patterns.some((pattern) => pattern.test(text)));
}

/** Faults in the page's words: English ones, keys instead of texts, cut ones, and too wide a page. */
export async function wordFaults(page: Page, language: Language): Promise<string[]> {
  const faults = (await leftInEnglish(page, language)).map((text) => `is English: ${text}`);
  const spoken = await page.evaluate<string>("document.documentElement.lang");
  if (!spoken.startsWith(language)) faults.push(`calls itself ${spoken}`);
  const keys = new Set(
    textsIn(language)
      .flatMap((texts) => [...texts.keys()])
      .filter((key) => key.includes(".")),
  );
  const shown = (await page.evaluate<(string | null)[]>(shownTexts)).filter((text) => text !== null);
  faults.push(
    ...shown.filter((text) => keys.has(text.replace(/^.*:/, ""))).map((key) => `shows the key ${key}`),
  );
  const own = new Set(wordsOf(language));
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 800 });
    // The phone's bar replaces the rail a frame later.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const cut = (await page.evaluate<string[]>(cutTexts)).filter((text) => own.has(text));
    faults.push(...cut.map((text) => `cuts “${text}” at ${width} px`));
    const wider = await sidewaysOverflow(page);
    if (wider > 0) faults.push(`scrolls sideways by ${wider} px at ${width} px`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return faults;
}
