import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

/** The editor of a new page that shows a monitor under each of the names. */
async function openEditorOf(slug: string, names: readonly string[]): Promise<Page> {
  const page = await app.open();
  await page.goto("/");
  const components: object[] = [];
  for (const displayName of names) {
    const body = { name: displayName, url: `http://127.0.0.1:9/${slug}/${components.length}` };
    const { uuid } = await callApi<{ uuid: string }>(page, "POST", "/api/domains", body);
    components.push({ monitorUuid: uuid, displayName });
  }
  const made = await callApi<{ id: number }>(page, "POST", "/api/status-pages", { name: slug, slug });
  const contents = { components, groups: [] };
  await callApi(page, "PUT", `/api/status-pages/${made.id}`, { contents });
  await page.goto(`/status-pages/${made.id}`);
  return page;
}

describe("the form of a status page", () => {
  test("fits its window however long the names of components are", async () => {
    const words = "Payments with cards, by invoice and from a wallet, for all of our shops";
    const page = await openEditorOf("long", [words, "n".repeat(100)]);
    await page.getByRole("button", { name: `Move ${words}` }).waitFor();
    expect(await faultsInEveryLook(page, "status-page-long-names")).toEqual([]);
    const tools = page.getByRole("button", { name: `Actions for ${words}` });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const box = await tools.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width);
    }
  }, 240_000);

  test("leads from another part to what a refused save found wrong", async () => {
    const page = await openEditorOf("refused", ["Shop"]);
    await page.getByRole("button", { name: "Appearance" }).click();
    await page.getByLabel("Style sheet").fill("@import 'x.css';");
    await page.getByRole("button", { name: "Components" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator("textarea[aria-invalid=true]:focus").waitFor();
    expect(new URL(page.url()).searchParams.get("part")).toBe("look");
    await page.getByLabel("Style sheet").fill("");
    await page.getByRole("button", { name: "Text and address" }).click();
    await page.getByLabel("Name", { exact: true }).fill(" ");
    await page.getByRole("button", { name: "Links", exact: true }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator("input[aria-invalid=true]:focus").waitFor();
  }, 240_000);

  test("marks the part with a fault, and opens the row whose name a save found wrong", async () => {
    const page = await openEditorOf("row", ["Shop", "Search"]);
    const rows = page.locator("[data-component]");
    await rows.nth(1).getByText("uptime, 90 days").waitFor();
    await rows.nth(1).getByRole("button", { expanded: false }).first().click();
    await page.getByLabel("Name for visitors").fill(" ");
    await page.getByText(/^This is the preview from before.*Look at Components\.$/).waitFor();
    const preview = page.frameLocator("iframe:not([aria-hidden=true])");
    await preview.getByText("Search", { exact: true }).first().waitFor();
    const marked = page.getByRole("button", { name: "Components (has to be corrected)" });
    await marked.waitFor();
    await rows.nth(1).getByRole("button", { expanded: true }).click();
    expect(await faultsInEveryLook(page, "status-page-wrong-row", true)).toEqual([]);
    await marked.waitFor();
    await page.getByRole("button", { name: "Links", exact: true }).click();
    await marked.waitFor();
    await page.getByRole("button", { name: "Appearance" }).click();
    await preview.getByText("Search", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await rows.nth(1).locator("input[aria-invalid=true]:focus").waitFor();
    await page.keyboard.type("Search");
    await page.getByRole("button", { name: "Components", exact: true }).waitFor();
  }, 240_000);

  test("begins in the time zone of the browser", async () => {
    const page = await app.open({ timeZone: "Europe/Berlin" });
    await page.goto("/status-pages");
    await page.getByRole("button", { name: "Create status page" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("Berlin");
    await eventually(
      () => page.getByLabel("Address", { exact: true }).inputValue(),
      (slug) => slug === "berlin",
    );
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("heading", { name: "Choose what visitors see" }).waitFor();
    const pages = await callApi<{ name: string; timeZone: string }[]>(page, "GET", "/api/status-pages");
    expect(pages.find(({ name }) => name === "Berlin")).toMatchObject({ timeZone: "Europe/Berlin" });
  });

  test("says what has to be set before subscribers can be notified, and promises nothing until then", async () => {
    const page = await openEditorOf("unnotified", ["Shop"]);
    await page.getByRole("button", { name: "Subscribers" }).click();
    await page.getByText(/^Subscribers cannot be notified yet.*VEDETTE_PUBLIC_URL, and SMTP_URL/).waitFor();
    await page.getByRole("heading", { name: "No subscribers yet" }).waitFor();
    expect(await page.getByText("Visitors subscribe on the page itself").count()).toBe(0);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/VEDETTE_PUBLIC_URL, and SMTP_URL/).waitFor();
    expect(await faultsInEveryLook(page, "status-page-add-unnotified", true)).toEqual([]);
    await dialog.getByLabel("E-mail", { exact: true }).fill("ada@example.com");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page
      .getByText("A confirmation request is sent once this installation can send messages.")
      .waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByText(/VEDETTE_PUBLIC_URL, and SMTP_URL/).waitFor();
  });
});
