import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { seriousViolations } from "./harness/accessibility.ts";
import { type Look, openPage } from "./harness/browser.ts";
import { callApi, signInAsOwner, startInstallation } from "./harness/installation.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

const themes = ["light", "dark"] as const;
const phone = { width: 375, height: 740 };

/** Each page in a state worth looking at. */
const scenes: Record<string, (page: Page) => Promise<void>> = {
  "set-up": async (page) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Create account and start" }).click();
    await page.getByRole("alert").first().waitFor();
  },
  "sign-in": async (page) => {
    await page.goto("/sign-in?ended=true");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail").fill("nobody@northwind.test");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
  },
  empty: async (page) => {
    await page.goto("/domains");
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
  },
  domains: async (page) => {
    await page.goto("/domains");
    await page.locator("[role=row][data-status=up]").waitFor();
    await page.locator("[role=row][data-status=down]").waitFor();
    await page.locator("[role=row][data-status=paused]").waitFor();
  },
  menu: async (page) => {
    await page.goto("/domains");
    await page
      .getByRole("button", { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole("menu").waitFor();
  },
  dialog: async (page) => {
    await page.goto("/domains");
    await page
      .getByRole("button", { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").waitFor();
  },
  "nothing-fits": async (page) => {
    await page.goto("/domains?q=nowhere");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  },
  loading: async (page) => {
    await page.route("**/api/domains?*", () => {});
    await page.goto("/domains");
    await page.getByText("Loading domains").waitFor({ state: "attached" });
  },
  error: async (page) => {
    await page.route("**/api/domains?*", (route) => route.fulfill({ status: 404, body: "gone" }));
    await page.goto("/domains");
    await page.getByRole("heading", { name: "This could not be loaded" }).waitFor();
  },
  "not-found": async (page) => {
    await page.goto("/nowhere");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  },
};

/** What is wrong with a scene in both themes, on a screen and on a phone; each is saved as a picture. */
async function faultsOf(scene: string, open: (look: Look) => Promise<Page>): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of themes) {
    for (const size of [{}, phone]) {
      const page = await open({ theme, ...size });
      await scenes[scene]?.(page);
      const name = `${scene}-${theme}${size === phone ? "-phone" : ""}`;
      await saveScreenshot(page, name);
      const wider = await sidewaysOverflow(page);
      if (wider > 0) faults.push(`${name} scrolls sideways by ${wider} px`);
      faults.push(...(await seriousViolations(page)).map((violation) => `${name}: ${violation}`));
      await page.context().close();
    }
  }
  return faults;
}

describe("every page, in both themes and on a phone", () => {
  test("set-up with its errors is accessible and fits", async () => {
    const server = await startInstallation();
    expect(await faultsOf("set-up", (look) => openPage(server.url, look))).toEqual([]);
  });

  test("sign-in with its error is accessible and fits", async () => {
    const server = await startInstallation();
    await signInAsOwner(await openPage(server.url), server);
    expect(await faultsOf("sign-in", (look) => openPage(server.url, look))).toEqual([]);
  });

  test("the app without and with domains, its menu, dialog, loading, error and empty states are accessible and fit", async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    const cookies = await page.context().cookies();
    const open = async (look: Look) => {
      const next = await openPage(server.url, look);
      await next.context().addCookies(cookies);
      return next;
    };
    expect(await faultsOf("empty", open)).toEqual([]);

    const add = (url: string, name: string) =>
      callApi<{ id: number }>(page, "POST", "/api/domains", { url, name, checkInterval: 10, timeout: 5 });
    await add(target.url, "Shop");
    await add(
      "http://127.0.0.1:9/a/rather/long/path/that/does/not/fit?into=the&space=of&a=phone",
      "A name that is longer than the line it has to stand in on most screens",
    );
    const paused = await add(`${target.url}staging`, "Staging");
    await callApi(page, "PUT", `/api/domains/${paused.id}`, { enabled: false });
    await page.goto("/domains");
    await page.locator("[role=row][data-status=down]").waitFor({ timeout: 45_000 });
    for (const scene of ["domains", "menu", "dialog", "nothing-fits", "loading", "error", "not-found"]) {
      expect(await faultsOf(scene, open)).toEqual([]);
    }
  }, 180_000);

  test("the chosen theme is there before the first paint and after a reload", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url, { theme: "light" });
    const background = () =>
      page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    await page.goto("/");
    const light = await background();
    await page.getByRole("button", { name: "Theme: system. Switch to light." }).click();
    await page.getByRole("button", { name: "Theme: light. Switch to dark." }).click();
    const dark = await background();
    expect(dark).not.toBe(light);

    // Without the app's own script: what the reader sees until it has arrived.
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload();
    expect(await background()).toBe(dark);
    await page.unroute("**/assets/*.js");
    await page.reload();
    await page.getByRole("button", { name: "Theme: dark. Switch to system." }).waitFor();
    expect(await background()).toBe(dark);
  });
});
