import { expect, onTestFinished, test } from "vitest";
import { status } from "../server/test/harness/behaviours.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();
const names = ["Shop", "Checkout", "Search", "Accounts", "Images", "Prices", "Returns", "Newsletter"];

test("the page of eight that are down together fits on three screens of a phone, and unfolds by keyboard", async () => {
  const target = await startHttpTarget();
  onTestFinished(() => target.close());
  target.set(status(503));
  const page = await app.open();
  await page.goto("/incidents");
  const { port } = new URL(target.url);
  const settings = { checkInterval: 10, timeout: 5, confirmations: 1, recoveries: 1 };
  for (const [index, name] of names.entries()) {
    const url = `http://shop.localhost:${port}/${index}`;
    await callApi(page, "POST", "/api/domains", { ...settings, name, url });
  }
  await page.getByRole("link", { name: /and 7 others are down$/ }).click({ timeout: 60_000 });
  const why = card(page, "Why this alert");
  const evidence = card(page, "What the check saw");
  await evidence.getByText("8 monitors").waitFor();
  await why.getByText("7 more monitors").waitFor();
  await card(page, "Affected").getByText("6 more monitors").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThan(3 * 844);
  expect(await faultsInEveryLook(page, "incident-members", true)).toEqual([]);

  const more = why.getByText("7 more monitors");
  expect(await why.getByRole("heading", { name: "Newsletter" }).isVisible()).toBe(false);
  await more.focus();
  await page.keyboard.press("Enter");
  await why.getByRole("heading", { name: "Newsletter" }).waitFor();
  // What is the same for all is said once.
  await why.getByText("What if the settings had been different?").click();
  await why.getByLabel("Failures in a row until down").selectOption("3");
  await why.getByRole("status").getByRole("listitem").first().waitFor();
  expect(await faultsInEveryLook(page, "incident-members-unfolded")).toEqual([]);

  target.set(status(200));
  const timeline = card(page, "Timeline");
  await page.getByRole("heading", { name: /and 7 others were down$/, level: 1 }).waitFor({ timeout: 60_000 });
  await timeline.getByText("7 more like this").waitFor();
  expect(await timeline.getByText(/works again/).count()).toBe(names.length);
  expect(await faultsInEveryLook(page, "incident-members-over")).toEqual([]);
}, 180_000);

test("what joins an acknowledged incident is named wherever that is said to be acknowledged, until it is too", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  const settings = { checkInterval: 60, timeout: 5, confirmations: 1, recoveries: 1 };
  const add = (name: string) =>
    callApi(page, "POST", "/api/domains", {
      ...settings,
      name,
      url: `http://press.localhost:1/${name.length}`,
    });
  await add("Archive");
  await page.getByRole("link", { name: "Archive is down", exact: true }).click();
  await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
  const header = page.locator("header dl");
  await header.getByText(/^Mira Holm, \S+$/).waitFor();
  for (const [index, name] of ["Blog", "Press photos of the last ten years", "Wiki"].entries()) {
    await add(name);
    await page.getByRole("heading", { level: 1, name: `and ${index + 1} other` }).waitFor();
  }
  await header
    .getByText(/^Mira Holm, .+; not yet: Blog, Press photos of the last ten years and 1 more$/)
    .waitFor();
  const affected = card(page, "Affected").getByRole("listitem");
  await card(page, "Affected").getByText("2 more monitors").click();
  expect(await affected.getByText("Not yet acknowledged").count()).toBe(3);
  expect(await affected.filter({ hasText: "Archive" }).getByText("Not yet acknowledged").count()).toBe(0);
  for (const language of ["de", "zh", "en"]) {
    await callApi(page, "PATCH", "/api/auth/me", { language });
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByText("Press photos of the last ten years").first().waitFor();
    expect(await faultsInEveryLook(page, `incident-joined-${language}`, true)).toEqual([]);
  }

  await page.goto("/incidents?which=waiting");
  const row = page.getByText("Not yet acknowledged: Blog, Press photos of the last ten years and 1 more");
  await row.first().waitFor();
  expect(await page.getByText("Acknowledged by Mira Holm").count()).toBe(0);
  expect(await faultsInEveryLook(page, "incidents-joined")).toEqual([]);
  await page.getByRole("link", { name: /^Archive and 3 others are down$/ }).click();
  await page.getByRole("button", { name: "Acknowledge again" }).click();
  await header.getByText(/^Mira Holm, \S+$/).waitFor();
  await page.getByText("Not yet acknowledged").first().waitFor({ state: "detached" });
}, 120_000);
