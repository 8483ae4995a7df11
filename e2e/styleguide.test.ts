import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { openPage } from "./harness/browser.ts";
import { isDrawn } from "./harness/domain-scenes.ts";
import { startInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { saveScreenshot } from "./harness/screenshots.ts";

const folders = ["components", "forms"].map((name) => join(import.meta.dirname, "../web/src", name));
/** Components not in pictures: the frame of whole pages, what is only seen on leaving one, what sends requests. */
const frames = ["PageBar", "LeaveGuard", "MonitorChooser", "LongTable"];

/** What `data-…` says, of each element that has it. */
const namesOf = (page: Page, name: string) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll("[data-${name}]")].map((one) => one.dataset["${name}"])`,
  );

describe("the styleguide", () => {
  test("shows every component and legible colours without a session, is accessible in both themes and fits a phone", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await page.goto("/styleguide");
    await page.getByRole("heading", { name: "Styleguide" }).waitFor();
    const shown = (await namesOf(page, "exhibit")).flatMap((of) => of.split(" "));
    const files = folders
      .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
      .filter((file) => file.endsWith(".tsx"));
    const names = files.map((file) => basename(file, ".tsx")).filter((name) => !frames.includes(name));
    expect(shown).toEqual(expect.arrayContaining(names));
    const code = files.map((file) => readFileSync(file, "utf8")).join("\n");
    expect(
      shown.filter((name) => !new RegExp(`^(?:export )?(?:function|const) ${name}\\b`, "m").test(code)),
    ).toEqual([]);

    await page.getByRole("button", { name: "Add header" }).waitFor();
    expect(await page.getByRole("combobox", { name: "Fail above: kind" }).textContent()).toContain("Number");

    const contrasts = await namesOf(page, "contrast");
    expect(contrasts.length).toBeGreaterThan(100);
    expect(contrasts.filter((contrast) => contrast !== "enough")).toEqual([]);

    await eventually(() => isDrawn(page), Boolean);
    expect(await faultsInEveryLook(page, "styleguide", true)).toEqual([]);

    await page.getByRole("button", { name: "Open a menu" }).click();
    await page.getByRole("menu").waitFor();
    await saveScreenshot(page, "styleguide-menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Show a toast" }).click();
    await page.getByText("Checkout API was saved.").waitFor();
    await page.getByRole("button", { name: "Open a dialog" }).click();
    await page.getByRole("dialog", { name: "Edit Checkout API" }).waitFor();
    expect(await faultsInEveryLook(page, "styleguide-dialog")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "As a table" }).click();
    await page.getByRole("columnheader", { name: "Connect" }).waitFor();
  });
});
