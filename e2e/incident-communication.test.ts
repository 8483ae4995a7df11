import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

interface Made {
  id: number;
  uuid: string;
}

/** A monitor on two status pages, and an incident about it that is on neither yet. */
async function makeScene(page: Page): Promise<{ incident: Made; pages: Record<"one" | "two", Made> }> {
  await page.goto("/status-pages");
  const domain = { name: "canary", url: "http://127.0.0.1:9/", enabled: false };
  const { id: domainId } = await callApi<Made>(page, "POST", "/api/domains", domain);
  const makePage = async (name: string, slug: string, displayName: string) => {
    const look = { languages: ["en", "de"] };
    const made = await callApi<Made>(page, "POST", "/api/status-pages", { name, slug, appearance: look });
    await callApi(page, "POST", `/api/status-pages/${made.id}/domains`, { domainId, displayName });
    return made;
  };
  const pages = {
    one: await makePage("Customers", "one", "Shop"),
    two: await makePage("Staff", "two", "Shop"),
  };
  const report = { title: "Orders are late", monitorIds: [domainId], pages: [] };
  return { incident: await callApi<Made>(page, "POST", "/api/incidents", report), pages };
}

const box = (page: Page) => page.getByRole("textbox", { name: "Update" });
const lookAtComment = async (page: Page) => {
  const saying = page.getByRole("group", { name: "What to say" });
  await saying.getByRole("button", { name: "Comment" }).click();
  await page.getByRole("textbox", { name: "Comment" }).waitFor();
  await saying.getByRole("button", { name: "Update" }).click();
};
const entry = (page: Page, text: string) =>
  card(page, "Timeline").getByRole("listitem").filter({ hasText: text });

/** What a page shows visitors of its incidents. */
async function shownOn(page: Page, slug: string): Promise<string[]> {
  const path = `/api/status-pages/${slug}/public`;
  const { incidents } = await callApi<{ incidents: { updates: { message: string }[] }[] }>(page, "GET", path);
  return incidents.flatMap(({ updates }) => updates.map(({ message }) => message));
}

describe("telling visitors of an incident", () => {
  test("an update goes to the pages that are chosen, says so, and can be put elsewhere or taken back", async () => {
    const page = await app.open();
    const { incident } = await makeScene(page);
    await page.goto(`/incidents/${incident.id}`);
    const [customers, staff] = ["Customers", "Staff"].map((name) => page.getByRole("checkbox", { name }));
    // It was reported on none.
    await page.getByText("On no page: visitors see nothing of it").waitFor();
    expect(await customers?.isChecked()).toBe(false);
    await staff?.check();
    await staff?.uncheck();
    await box(page).fill("We look into it ourselves.");
    await page.getByRole("combobox", { name: "Status" }).selectOption("Identified");
    await lookAtComment(page);
    expect(await customers?.isChecked()).toBe(false);
    expect(await staff?.isChecked()).toBe(false);
    expect(await page.getByRole("combobox", { name: "Status" }).inputValue()).toBe("identified");
    await page.getByRole("combobox", { name: "Status" }).selectOption("");
    expect(await faultsInEveryLook(page, "incident-update-form", true)).toEqual([]);
    await page.getByRole("button", { name: "Post update" }).click();
    await entry(page, "We look into it ourselves.").getByText("Internal: on no page").waitFor();
    expect(await shownOn(page, "one")).toEqual([]);

    // So is the next one, until another is chosen.
    expect(await customers?.isChecked()).toBe(false);
    await customers?.check();
    const written = "**Orders** are late.\nSorry. <img src=x onerror=alert(1)>";
    await box(page).fill(written);
    await page.getByRole("button", { name: "Post update" }).click();
    const posted = entry(page, "are late.");
    await posted.getByText("Published on Customers").waitFor();
    expect(await posted.getByRole("strong").innerText()).toBe("Orders");
    expect(await posted.locator("br").count()).toBe(1);
    await posted.getByText("<img src=x onerror=alert(1)>").waitFor();
    expect(await posted.locator("img").count()).toBe(0);
    await expect.poll(() => shownOn(page, "one")).toEqual([written]);
    const visitor = await app.open();
    await visitor.goto(
      `${app.url}${await posted.getByRole("link", { name: "Customers" }).getAttribute("href")}`,
    );
    await visitor.getByText("Sorry.").waitFor();
    expect(await visitor.getByRole("strong").filter({ hasText: "Orders" }).count()).toBe(1);
    expect(await shownOn(page, "two")).toEqual([]);

    await posted.getByRole("button", { name: "Edit or delete this entry" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const timeline = card(page, "Timeline");
    await timeline.getByRole("checkbox", { name: "Customers" }).uncheck();
    await timeline.getByRole("checkbox", { name: "Staff" }).check();
    expect(await timeline.getByRole("textbox").inputValue()).toBe(written);
    expect(await faultsInEveryLook(page, "incident-entry-form", true)).toEqual([]);
    await timeline.getByRole("button", { name: "Save" }).click();
    await posted.getByText("Published on Staff").waitFor();
    await expect.poll(() => shownOn(page, "one")).toEqual([]);
    await expect.poll(() => shownOn(page, "two")).toEqual([written]);
    expect(await faultsInEveryLook(page, "incident-communication", true)).toEqual([]);
    // What the service says of the report goes to pages as well, without anybody's words.
    const opening = entry(page, "The incident is now open.");
    await opening.getByRole("button", { name: "Change its pages" }).click();
    expect(await timeline.getByRole("textbox").count()).toBe(0);
    await timeline.getByRole("checkbox", { name: "Customers" }).check();
    await timeline.getByRole("button", { name: "Save" }).click();
    await opening.getByText("Published on Customers").waitFor();
    await expect.poll(() => shownOn(page, "one")).toEqual([""]);
    await visitor.context().close();
  }, 240_000);

  test("a template is made, corrected, used in a draft that can be undone, changed and deleted", async () => {
    const page = await app.open();
    await page.goto("/status-pages");
    await page.getByRole("link", { name: "Templates" }).click();
    await page.getByRole("heading", { name: "No templates of your own yet" }).waitFor();
    expect(await faultsInEveryLook(page, "templates-none", true)).toEqual([]);
    await page.getByRole("link", { name: "Create template" }).click();
    await page.getByLabel("Name").fill("Provider is down");
    await page.getByRole("checkbox", { name: "Deutsch" }).check();
    const [english, german] = [card(page, "English"), card(page, "Deutsch")];
    await english.getByLabel("Text").fill("We wait for {host}.");
    await german.getByLabel("Text").fill("Wir warten auf einen Anbieter. Betroffen: {components}.");
    await german.getByText("Wir warten auf einen Anbieter. Betroffen: Web shop.").waitFor();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await english
      .getByRole("alert")
      .getByText(/\{host\}/)
      .waitFor();
    expect(await faultsInEveryLook(page, "template-form", true)).toEqual([]);
    await english.getByLabel("Text").fill("We wait for a provider. {components}, on {page}.");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("link", { name: "Provider is down" }).waitFor();
    expect(await faultsInEveryLook(page, "templates", true)).toEqual([]);

    const [incident] = await callApi<Made[]>(page, "GET", "/api/incidents");
    await page.goto(`/incidents/${incident?.id}`);
    await box(page).fill("What I typed.");
    await page.getByRole("button", { name: "Write a draft" }).click();
    await expect.poll(() => box(page).inputValue()).toMatch(/^There has been a problem with Shop since/);
    await page.getByText("The draft is in English.").waitFor();
    await lookAtComment(page);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await box(page).inputValue()).toBe("What I typed.");
    expect(await page.evaluate("document.activeElement.name")).toBe("message");

    await page.getByRole("combobox", { name: "Template of the draft" }).selectOption("Provider is down");
    await page.getByRole("button", { name: "Write a draft" }).click();
    await expect.poll(() => box(page).inputValue()).toBe("We wait for a provider. Shop, on our status page.");
    await page.getByRole("checkbox", { name: "Deutsch" }).check();
    expect(await box(page).inputValue()).toBe(
      "We wait for a provider. Shop, on our status page.\n\nWir warten auf einen Anbieter. Betroffen: Shop.",
    );
    await page.getByRole("checkbox", { name: "Staff" }).uncheck();
    await page.getByText("The draft was written for another status or for other pages.").waitFor();
    expect(await faultsInEveryLook(page, "incident-draft", true)).toEqual([]);
    await page.getByRole("button", { name: "Write it again" }).click();
    await expect.poll(() => box(page).inputValue()).toBe("We wait for a provider. Shop, on Customers.");
    await page.getByRole("button", { name: "Post update" }).click();
    await entry(page, "on Customers.").getByText("Published on Customers").waitFor();
    await expect.poll(() => box(page).inputValue()).toBe("");
    await expect
      .poll(async () => (await shownOn(page, "one"))[0])
      .toBe("We wait for a provider. Shop, on Customers.");

    await page.goto("/status-pages/templates");
    await page.getByRole("link", { name: "Provider is down" }).click();
    await page.getByLabel("Name").fill("Provider");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("“Provider” was saved.").waitFor();
    await page.getByRole("button", { name: "Delete Provider" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No templates of your own yet" }).waitFor();
    // Or from what is there already.
    await page.getByRole("link", { name: "Begin a template with “Maintenance”" }).click();
    await expect.poll(() => card(page, "English").getByLabel("Text").inputValue()).toMatch(/\{components\}/);
    expect(await page.getByLabel("Name").inputValue()).toBe("Maintenance");
  }, 240_000);
});
