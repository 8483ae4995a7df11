import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { card } from "./harness/domain-scenes.ts";
import { callApi } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { startMailing } from "./harness/mailing.ts";

interface Made {
  id: number;
  uuid: string;
}

/** A page of the signed-in owner, and a monitor on two status pages, of which one shows outages only with updates by people. */
async function start(slug: string) {
  const { page } = await startMailing();
  await page.goto("/status-pages");
  const target = await startHttpTarget();
  onTestFinished(target.close);
  const shop = { name: `${slug} canary`, url: target.url, checkInterval: 10 };
  const { id: domainId } = await callApi<Made>(page, "POST", "/api/domains", shop);
  const makePage = async (name: string, more: object) => {
    const made = await callApi<Made>(page, "POST", "/api/status-pages", { name, ...more });
    const link = { domainId, displayName: "Shop" };
    await callApi(page, "POST", `/api/status-pages/${made.id}/domains`, link);
    return made;
  };
  const pages = [
    await makePage("Customers", { slug }),
    await makePage("Staff", { slug: `${slug}-quiet`, showAutomatic: false }),
  ] as const;
  return { page, target, pages };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("an incident says what visitors read of it, how many an update reaches, and when nothing is new", async () => {
  const { page, target, pages } = await start("reported");
  const body = { kind: "email", address: "ada@example.com", agreed: true };
  const hook = { kind: "webhook", address: `${target.url}/hook` };
  await callApi(page, "POST", `/api/status-pages/${pages[0].id}/subscribers`, body);
  await callApi(page, "POST", `/api/status-pages/${pages[0].id}/subscribers`, { ...hook, agreed: true });
  await target.refuse();
  await page.goto("/incidents");
  await page.getByRole("link", { name: "reported canary is down" }).click({ timeout: 45_000 });
  const timeline = card(page, "Timeline");
  await timeline.getByText("On Customers: “Shop is not available.”").waitFor();
  await page.getByText("Reaches 2 subscribers", { exact: true }).waitFor();
  await page.getByRole("checkbox", { name: "Customers" }).uncheck();
  await page.getByText("Reaches no subscribers").waitFor();
  await page.getByRole("checkbox", { name: "Customers" }).check();
  expect(await faultsInEveryLook(page, "incident-on-pages", true)).toEqual([]);

  await page.getByRole("textbox", { name: "Update" }).fill("We are on it.");
  await page.getByRole("link", { name: "Overview" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
  expect(await page.getByRole("textbox", { name: "Update" }).inputValue()).toBe("We are on it.");
  expect(await page.getByText(/^Nothing has changed since the update of/).count()).toBe(0);
  await button(page, "Post update").click();
  await page.getByText(/^Nothing has changed since the update of/).waitFor();
  expect(await faultsInEveryLook(page, "incident-nothing-new", true)).toEqual([]);
  await target.listen();
  await timeline.getByText("On Customers: “Shop is available again.”").waitFor({ timeout: 45_000 });
  await page.getByRole("link", { name: "Overview" }).first().click();
  await timeline.waitFor({ state: "detached" });
}, 180_000);

test("a reported incident is on the ticked pages alone, with the chosen impact", async () => {
  const { page, pages } = await start("report");
  const body = { kind: "email", address: "ada@example.com", agreed: true };
  await callApi(page, "POST", `/api/status-pages/${pages[0].id}/subscribers`, body);
  const shown = () =>
    callApi<{ incidents: { title: string; impact: string }[] }>(
      page,
      "GET",
      "/api/status-pages/report/public",
    );
  const report = async (title: string) => {
    await page.goto("/incidents");
    await button(page, "Report incident").click();
    await page.getByLabel("Title", { exact: true }).fill(title);
    const box = page.getByRole("combobox", { name: "Affected monitors" });
    // Before anything is typed, the first are offered, and none is chosen by accident.
    await box.press("ArrowDown");
    await page.getByRole("option", { name: /report canary/ }).waitFor();
    expect(await box.getAttribute("aria-activedescendant")).toBeNull();
    await box.press("ArrowDown");
    await box.press("Enter");
    await page.getByText("On no page: visitors see nothing of it").waitFor();
  };
  await report("Data centre on fire, says Bob");
  await button(page, "Report").click();
  await page.getByRole("heading", { name: "Data centre on fire, says Bob" }).waitFor();
  expect((await shown()).incidents).toEqual([]);
  await report("Checkout is slow");
  await page.getByRole("checkbox", { name: "Customers" }).check();
  await page.getByText("Visitors of these pages read the title as soon as you report.").waitFor();
  await page.getByText("Reaches 1 subscriber", { exact: true }).waitFor();
  const impact = page.getByLabel("Impact shown to visitors");
  await page.getByRole("dialog").getByLabel("Severity").selectOption("critical");
  expect(await impact.inputValue()).toBe("critical");
  await impact.selectOption({ label: "Partial outage" });
  expect(await faultsInEveryLook(page, "incident-report-pages", true)).toEqual([]);
  await button(page, "Report").click();
  await page.getByRole("heading", { name: "Checkout is slow" }).waitFor();
  await expect
    .poll(async () => (await shown()).incidents)
    .toMatchObject([{ title: "Checkout is slow", impact: "major" }]);
}, 180_000);

test("an update goes where the incident is shown, and pages that come with more monitors are named before", async () => {
  const { page, target, pages } = await start("reach");
  const second = { name: "reach second", url: target.url, checkInterval: 300 };
  const other = await callApi<Made>(page, "POST", "/api/domains", second);
  const partners = await callApi<Made>(page, "POST", "/api/status-pages", {
    ...{ name: "Partners", slug: "reach-partners" },
  });
  const link = { domainId: other.id, displayName: "Warehouse" };
  await callApi(page, "POST", `/api/status-pages/${partners.id}/domains`, link);
  const body = { kind: "email", address: "ada@example.com", agreed: true };
  await callApi(page, "POST", `/api/status-pages/${partners.id}/subscribers`, body);
  const all = await callApi<Made[]>(page, "GET", "/api/domains");
  const first = all.find(({ id }) => id !== other.id) as Made;
  const report = (title: string, reported: string[] | null) =>
    callApi<Made>(page, "POST", "/api/incidents", { title, monitorIds: [first.id], pages: reported });

  const inside = await report("Heard a noise", []);
  await page.goto(`/incidents/${inside.id}`);
  await page.getByText("On no page: visitors see nothing of it").waitFor();
  const tick = (name: string) => page.getByRole("checkbox", { name });
  expect([await tick("Customers").isChecked(), await tick("Staff").isChecked()]).toEqual([false, false]);
  const reported = await report("Checkout is slow", [pages[0].uuid]);
  await page.goto(`/incidents/${reported.id}`);
  await page.getByText("Reaches no subscribers").waitFor();
  expect([await tick("Customers").isChecked(), await tick("Staff").isChecked()]).toEqual([true, false]);

  const everywhere = await report("Everything is slow", null);
  const addSecond = async (id: number) => {
    await page.goto(`/incidents/${id}`);
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const box = page.getByRole("dialog").getByRole("combobox", { name: "Affected monitors" });
    await box.fill("reach second");
    await page.getByRole("option", { name: /reach second/ }).click();
  };
  await addSecond(everywhere.id);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("visitors of these status pages read of it, too: Partners.").waitFor();
  await dialog.getByText("Reaches 1 subscriber", { exact: true }).waitFor();
  expect(await faultsInEveryLook(page, "incident-pages-to-come", true)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await addSecond(reported.id);
  await dialog.getByRole("button", { name: /reach second/ }).waitFor();
  expect(await dialog.getByText("read of it, too").count()).toBe(0);
}, 180_000);

test("the preview of a page follows what happens, and stays where it was scrolled to", async () => {
  const { page, target, pages } = await start("live");
  await page.goto(`/status-pages/${pages[0].id}`);
  const shown = page.frameLocator("iframe:not([aria-hidden=true])");
  const overall = shown.locator(".overall");
  await overall.getByText("operational").waitFor({ timeout: 45_000 });
  const scrolled = () =>
    page.evaluate<number>("document.querySelector('iframe:not([aria-hidden=true])').contentWindow.scrollY");
  await page.setViewportSize({ width: 1280, height: 420 });
  const scroll = async () => {
    await page.evaluate(
      "document.querySelector('iframe:not([aria-hidden=true])').contentWindow.scrollTo(0, 60)",
    );
    return scrolled();
  };
  // A preview that comes at that very moment is not as high yet.
  await expect.poll(scroll).toBe(60);
  await target.refuse();
  await overall.getByText(/outage/i).waitFor({ timeout: 60_000 });
  await expect.poll(scrolled).toBe(60);
}, 180_000);
