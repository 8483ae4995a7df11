import { expect, test } from "vitest";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

const long = "Zahlungen über den Kassenserver ".repeat(6).trim();

interface Shown {
  id: number;
  acknowledgedAt: string | null;
}

test("incidents are reported with their monitors, narrowed, sorted and acknowledged together by keys", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  const domain = { name: "Shop", url: "http://127.0.0.1:1/" };
  const { id: shop } = await callApi<{ id: number }>(page, "POST", "/api/domains", domain);
  const rows = page.getByRole("table", { name: "Incidents" }).locator("[data-row-link]");
  const titles = () => rows.allTextContents();
  const list = (query: string) => callApi<Shown[]>(page, "GET", `/api/incidents?${query}`);
  // Why, on the list itself.
  await page.getByRole("link", { name: "Shop is down", exact: true }).waitFor();
  await page
    .getByText(/refused/)
    .first()
    .waitFor();

  await page.getByRole("button", { name: "Report incident" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Prices are wrong");
  await dialog.getByRole("combobox", { name: "Affected monitors" }).fill("Sho");
  await dialog.getByRole("option", { name: /^Shop/ }).click();
  await dialog.getByRole("button", { name: "Remove Shop" }).waitFor();
  await dialog.getByRole("button", { name: "Report", exact: true }).click();
  await card(page, "Affected").getByRole("link", { name: "Shop" }).waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialog.getByRole("button", { name: "Remove Shop" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await card(page, "Affected").getByText("Nothing is named.").waitFor();
  // The closed dialog gives the focus back, which would come after what follows.
  await page.locator("#content:focus").waitFor();
  // What can be done comes before what can be read.
  await page.locator("#content").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.locator("button:focus", { hasText: "Acknowledge" }).waitFor();

  for (const [title, severity] of [
    [long, "critical"],
    ["Mails are late", "low"],
  ])
    await callApi(page, "POST", "/api/incidents", { title, severity });
  await page.goto("/incidents?sort=severity");
  await page.getByRole("link", { name: long }).waitFor();
  expect((await titles())[0]).toBe(long);
  expect(await faultsInEveryLook(page, "incidents-sorted")).toEqual([]);
  await page.getByRole("button", { name: "Severity", exact: true }).click();
  await page.waitForURL("**/incidents?sort=-severity");
  await expect.poll(async () => (await titles())[0]).toBe("Mails are late");
  await page.getByRole("combobox", { name: "Severity" }).selectOption({ label: "Critical" });
  await expect.poll(titles).toEqual([long]);
  await page.getByRole("combobox", { name: "Severity" }).selectOption({ label: "All severities" });
  await page.getByRole("combobox", { name: "Affected monitor" }).fill("Shop");
  await page.getByRole("option", { name: /^Shop/ }).click();
  await expect.poll(titles).toEqual(["Shop is down"]);
  // On a phone they are behind a button that says how many there are.
  const filters = page.getByRole("button", { name: "Filters (1)" });
  await page.setViewportSize({ width: 390, height: 844 });
  await filters.waitFor();
  expect(await page.getByRole("combobox", { name: "Severity" }).count()).toBe(0);
  await filters.press("Enter");
  await page.getByRole("button", { name: "Remove Shop" }).waitFor();
  expect(await faultsInEveryLook(page, "incidents-filters-open")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  // Titles have room.
  const title = page.getByRole("columnheader", { name: "Incident" });
  expect((await title.boundingBox())?.width).toBeGreaterThan(340);
  // The address has all of it.
  await page.reload();
  await page.getByRole("button", { name: "Remove Shop" }).waitFor();
  await expect.poll(titles).toEqual(["Shop is down"]);

  await page.goto("/incidents");
  await page.getByRole("button", { name: "Not acknowledged" }).click();
  await page.waitForURL("**/incidents?which=waiting");
  await expect.poll(async () => (await titles()).length).toBe(4);
  await page.locator("#content").focus();
  for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
  await page.getByRole("region", { name: "Selected incidents" }).getByText("2 selected").waitFor();
  expect(await faultsInEveryLook(page, "incidents-selected")).toEqual([]);
  await page.keyboard.press("a");
  await page.getByText("2 incidents acknowledged.").waitFor();
  await expect.poll(async () => (await titles()).length).toBe(2);
  expect(await list("acknowledged=true")).toHaveLength(2);
  await page.locator("#content").focus();
  for (const key of ["j", "a"]) await page.keyboard.press(key);
  await expect.poll(async () => (await titles()).length).toBe(1);
  // And from anywhere, by what it does.
  await page.goto("/");
  await page.locator("#content").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("ack");
  await page.getByRole("option", { name: /^Acknowledge “/ }).click();
  await expect.poll(async () => (await list("acknowledged=false")).length).toBe(0);
  await page.goto("/incidents?which=waiting");
  await page.getByRole("heading", { name: "Every open incident has been acknowledged" }).waitFor();
  await callApi(page, "DELETE", `/api/domains/${shop}`);
});
