import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { PublicPage } from "../server/src/status-pages/document/public-page.ts";
import { pageThatSays, SCENES } from "../server/test/status-pages/render/public-pages.ts";
import { visitorPages } from "../server/test/status-pages/render/visitor-pages.ts";
import { allViolations } from "./harness/accessibility.ts";
import { openPage } from "./harness/browser.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";
import { shareStatusScenes } from "./harness/status-scenes.ts";

const names = Object.keys(SCENES) as (keyof typeof SCENES)[];
const scenes = shareStatusScenes(Object.fromEntries(names.map((name) => [name, SCENES[name]()])));

const pathOf = (name: string) => `${scenes.url}/status/${name}`;
/** Everything that a page consists of, for people: itself, its history, its form and its first incident. */
function pathsOf(name: keyof typeof SCENES): string[] {
  const [first] = scenes.pages.get(name)?.incidents ?? [];
  return ["", "/history", "/subscribe", ...(first ? [`/incidents/${first.uuid}`] : [])].map(
    (path) => pathOf(name) + path,
  );
}

describe("a status page", () => {
  test.each(names)("%s: reads well for everybody, in both themes and on every screen", async (name) => {
    for (const theme of ["light", "dark"] as const) {
      const page = await openPage(scenes.url, { theme });
      for (const path of pathsOf(name)) {
        await page.goto(path);
        expect(await allViolations(page), `${path} ${theme}`).toEqual([]);
      }
      for (const width of [320, 390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${pathOf(name)}?lang=${theme === "dark" ? "de" : "zh"}`);
        expect(await sidewaysOverflow(page), `${width} px`).toBe(0);
        if (width === 390 || width === 1440)
          await saveScreenshot(page, `status-${name}-${theme}-${width}`, true);
      }
    }
  });

  test("is there with one request, and complete without script: language, days, groups and links", async () => {
    const page = await openPage(scenes.url, { script: false });
    scenes.requests.length = 0;
    await page.goto(pathOf("outage"));
    expect(scenes.requests).toEqual(["/status/outage"]);
    expect(await page.locator("strong").first().textContent()).toBe("Partial outage");

    const day = page.locator(".days button", { hasText: "Nov 21" });
    expect(await day.textContent()).toBe("Nov 21Outage 10:12 to 10:43");
    expect(await isShown(day)).toBe(false);
    await day.hover();
    expect(await isShown(day)).toBe(true);
    await page.mouse.move(0, 0);
    expect(await isShown(day)).toBe(false);
    await day.focus();
    expect(await isShown(day)).toBe(true);

    const search = page.getByText("Search", { exact: true });
    await page.locator("summary", { hasText: "Shop" }).click();
    expect(await search.isVisible()).toBe(false);

    await page.getByRole("link", { name: "Deutsch", exact: true }).click();
    expect(await page.locator("strong").first().textContent()).toBe("Teilausfall");
    await page.getByRole("link", { name: "Payments fail", exact: true }).click();
    expect(new URL(page.url()).search).toBe("?lang=de");
    await page.getByRole("link", { name: "Zurück zum aktuellen Status", exact: true }).click();
    await page.getByRole("link", { name: "Alle Vorfälle", exact: true }).click();
    await page.getByRole("link", { name: /^Ältere: Oktober/ }).click();
    expect(await page.getByRole("heading", { level: 2 }).first().textContent()).toContain("Oktober 2026");
    expect(await page.getByText("Delayed e-mail").count()).toBe(1);
  });

  test("says what is new in an open window, and leaves its reader where they were", async () => {
    scenes.pages.set("live", SCENES.green());
    const page = await openPage(scenes.url);
    await page.goto(pathOf("live"));
    await page.locator("summary", { hasText: "Developers" }).click();
    const link = page.getByRole("link", { name: "Slow searches", exact: true });
    await link.focus();
    const { groups: _, ...outage } = SCENES.outage();
    const same = scenes.pages.get("live") as PublicPage;
    scenes.pages.set("live", { ...outage, groups: same.groups });
    await comeBack(page);
    await page.getByRole("heading", { name: "Payments fail" }).waitFor();
    expect(await page.locator("[role=status]").textContent()).toBe("Partial outage");
    expect(await page.title()).toBe("Northwind – Partial outage");
    expect(await page.getByText("Webhooks", { exact: true }).isVisible()).toBe(false);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Slow searches");
  });

  test("has on a phone the last 30 days, which a finger can hit, and what one says hides no name", async () => {
    const page = await openPage(scenes.url);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(pathOf("outage"));
    const strip = page.locator("li", { hasText: "Checkout" }).last();
    expect(await strip.getByText("30 days ago", { exact: true }).isVisible()).toBe(true);
    expect(await strip.getByText("90 days ago", { exact: true }).isVisible()).toBe(false);
    const shown = await strip.locator(".days button:visible").all();
    expect(shown.length).toBeGreaterThan(0);
    for (const day of shown) {
      const target = await day.boundingBox();
      expect(target).toMatchObject({ width: expect.closeTo(8, 0) });
      expect(target?.height).toBeGreaterThanOrEqual(24);
      await day.click();
      expect(await isShown(day)).toBe(true);
      const [name, text] = [
        await strip.locator(".row").boundingBox(),
        await day.locator("span").boundingBox(),
      ];
      expect(text?.y).toBeGreaterThan((name?.y ?? 0) + (name?.height ?? 0));
      expect(text?.x).toBeGreaterThanOrEqual(0);
      expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    await saveScreenshot(page, "status-day-390");
  });

  test("does not change while a day's text is read, which Escape puts away", async () => {
    scenes.pages.set("live", SCENES.outage());
    const page = await openPage(scenes.url);
    await page.goto(pathOf("live"));
    const day = page.locator(".days button").first();
    await day.focus();
    scenes.pages.set("live", SCENES.empty());
    scenes.requests.length = 0;
    await comeBack(page);
    expect(await isShown(day)).toBe(true);
    expect(scenes.requests).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await isShown(day)).toBe(false);
    await comeBack(page);
    await page.getByText("Nothing is shown on this page yet").waitFor();
  });

  test("changes after a minute, though the focus stays on a day, and on the same one", async () => {
    const outage = SCENES.outage();
    scenes.pages.set("live", outage);
    const page = await openPage(scenes.url);
    await page.goto(pathOf("live"));
    const day = page.locator(".days button").first();
    const said = await day.textContent();
    await day.focus();
    scenes.pages.set("live", { ...outage, description: "We are at work on it." });
    await comeBack(page);
    await page.evaluate("{ const now = Date.now; Date.now = () => now() + 61_000; }");
    await comeBack(page);
    await page.getByText("We are at work on it.").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe(said);
    expect(await isShown(day)).toBe(true);
  });

  test("says that it is old once it has got no answer three times, and no longer when there is one", async () => {
    for (const [path, where] of [
      ["", ".overall + .old"],
      ["/history", "main > .old:first-child"],
    ] as const) {
      scenes.pages.set("live", SCENES.green());
      const page = await openPage(scenes.url);
      await page.goto(pathOf("live") + path);
      scenes.pages.delete("live");
      await comeBack(page, 2);
      expect(await page.locator(".old").count()).toBe(0);
      await comeBack(page);
      const note = page.locator(where);
      await note.getByText("Newer information is not available right now.").waitFor();
      expect(await allViolations(page)).toEqual([]);
      scenes.pages.set("live", SCENES.green());
      await comeBack(page);
      await note.waitFor({ state: "detached" });
    }
  });

  test("can be used with the keyboard alone: each link, group and day in order, and where one is can be seen", async () => {
    const page = await openPage(scenes.url);
    await page.goto(pathOf("outage"));
    const reached: string[] = [];
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate<{ text: string; outline: string } | null>(
        "document.activeElement === document.body ? null : { text: document.activeElement.textContent.trim(), outline: getComputedStyle(document.activeElement).outlineStyle }",
      );
      if (!focused) break;
      expect(focused.outline, focused.text).toBe("solid");
      reached.push(focused.text);
    }
    const order = [
      "Northwind",
      "Get updates",
      "Deutsch",
      "Payments fail",
      "Shop",
      "Nov 21",
      "Developers",
      "Slow searches",
    ];
    const places = order.map((text) => reached.findIndex((one) => one.startsWith(text)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
});

describe("what is for one visitor alone", () => {
  test.each(Object.keys(visitorPages("en")))(
    "%s: reads well for everybody, in both themes and on every screen",
    async (name) => {
      for (const [theme, language] of [
        ["light", "zh"],
        ["dark", "de"],
      ] as const) {
        const page = await openPage(scenes.url, { theme });
        await page.goto(`/visitor/${name}?lang=${language}`);
        for (const width of [1280, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await allViolations(page), `${theme}, ${width} px`).toEqual([]);
          expect(await sidewaysOverflow(page), `${width} px`).toBe(0);
          await saveScreenshot(page, `visitor-${name}-${theme}-${width}`, true);
        }
      }
    },
  );
});

/** Whether a day's text is visible; screen readers can always read it. */
async function isShown(day: Locator): Promise<boolean> {
  const find = `[...document.querySelectorAll(".days button")].find((one) => one.textContent === ${JSON.stringify(await day.textContent())})`;
  return (await day.page().evaluate(`getComputedStyle(${find}.firstChild).opacity`)) === "1";
}

/** What a window does when its reader comes back to it. */
async function comeBack(page: Page, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  }
}

describe("what people wrote", () => {
  const run = "window.canary = (window.canary ?? 0) + 1";
  const script = `"'><script>${run}</script><img src=x onerror="${run}"><svg onload="${run}"></style></title></textarea><a href="javascript:${run}">x</a>`;
  const hostile = pageThatSays(script, {
    update: `${script}\njavascript:${run} https://x.test/"onclick="${run}`,
    appearance: {
      logo: `x"onerror="${run}`,
      footer: `<p>ours</p><script>${run}</script><img src="https://elsewhere.test/pixel" onerror="${run}"><form action="https://elsewhere.test"><button>Send</button></form><base href="https://elsewhere.test/">`,
      css: `</style><script>${run}</script> body { background: url(https://elsewhere.test/css) } @import "https://elsewhere.test/import"; @font-face { font-family: x; src: url(https://elsewhere.test/font) } h1 { font-family: x }`,
    },
  });

  /** Where the form would have led, had the page's policy not prevented it. */
  const submitHostileForm = `new Promise((done) => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective === "form-action") done(new URL(blockedURI).origin);
    });
    document.querySelector("form[action^='https://elsewhere.test']").requestSubmit();
  })`;

  test("never runs and never gets out, even where what should have made it safe has failed", async () => {
    scenes.pages.set("hostile", hostile);
    const [first] = hostile.incidents;
    const page = await openPage(scenes.url, { hostile: true });
    const reached: string[] = [];
    // Answered here, so that what gets out is seen and goes nowhere.
    await page.route(
      (url) => url.origin !== scenes.url && url.protocol.startsWith("http"),
      (route) => {
        reached.push(route.request().url());
        return route.abort();
      },
    );
    for (const path of ["", "/history", `/incidents/${first?.uuid}`]) {
      await page.goto(pathOf("hostile") + path);
      await page.getByText("ours", { exact: true }).waitFor();
      for (const link of await page.locator("main a").all()) await link.focus();
      expect(await page.evaluate("window.canary")).toBeUndefined();
      expect(await page.locator("a[href^='javascript']").count()).toBe(0);
    }
    expect(await page.evaluate(submitHostileForm)).toBe("https://elsewhere.test");
    expect(new URL(page.url()).origin).toBe(scenes.url);
    expect(reached).toEqual([]);
  });
});
