import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { startMailing } from "./harness/mailing.ts";

const app = shareInstallation();

const card = (page: Page) => page.getByRole("region", { name: "Error budget", exact: true });

async function openDomain(name: string): Promise<{ page: Page; id: number }> {
  const target = await startHttpTarget();
  onTestFinished(target.close);
  const page = await app.open();
  await page.goto("/domains");
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", { url: target.url, name });
  onTestFinished(async () => void (await page.request.delete(`${app.url}/api/domains/${id}`)));
  return { page, id };
}

describe("an objective", () => {
  test("is chosen in the monitor's form, and its page then shows the error budget", async () => {
    const { page, id } = await openDomain("Shop");
    await page.goto(`/domains/${id}`);
    await page.getByRole("heading", { name: "Shop" }).waitFor();
    expect(await card(page).count()).toBe(0);

    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("button", { name: /^Objective/ }).click();
    await page.getByLabel("Objective", { exact: true }).fill("100");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").first().waitFor();
    await page.getByRole("button", { name: "99.9%", exact: true }).click();
    await page.getByRole("button", { name: "90", exact: true }).click();
    expect(await faultsInEveryLook(page, "objective-form", true)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();

    await card(page).getByText("Objective: 99.9% in 90 days").waitFor();
    await card(page).getByText("2 hrs 9 mins left (100%)").waitFor();
    expect(await callApi(page, "GET", `/api/domains/${id}`)).toMatchObject({
      ...{ objective: 99.9, objectiveDays: 90 },
    });
    expect(await card(page).getByRole("row").count()).toBe(4);
    expect(await faultsInEveryLook(page, "objective-whole", true)).toEqual([]);
  });

  test("that is missed says so, and that notifications were sent", async () => {
    const { page, id } = await openDomain("Till");
    await callApi(page, "PUT", `/api/domains/${id}`, { objective: 99.9 });
    const data = {
      ...{ objective: 99.9, objectiveDays: 30 },
      budget: {
        ...{ allowedSeconds: 2592, usedSeconds: 3600, leftSeconds: -1008, leftPercentage: -38.89 },
        ...{ knownSeconds: 2_592_000, uptimePercentage: 99.861 },
      },
      burnRates: [
        { seconds: 3600, rate: 833.33, limit: 14.4, level: "fast" },
        { seconds: 21_600, rate: 166.67, limit: 6, level: "fast" },
        { seconds: 259_200, rate: 13.89, limit: 1, level: "slow" },
      ],
      alert: { level: "fast", since: new Date(Date.now() - 3_600_000).toISOString() },
    };
    await page.route(`**/api/domains/${id}/monitoring/objective`, (route) =>
      route.fulfill({ json: { success: true, data } }),
    );
    await page.goto(`/domains/${id}`);
    await card(page).getByText("Overspent by 16 mins 48 secs").waitFor();
    await card(page)
      .getByText(/It has been going down fast for 1 hour/)
      .waitFor();
    await card(page).getByText("833.33×").waitFor();
    expect(await faultsInEveryLook(page, "objective-missed", true)).toEqual([]);
  });
});

test("the settings say when the next report comes by mail, and so does the page of reports", async () => {
  const { page } = await startMailing();
  await page.goto("/reports");
  await page.getByRole("link", { name: "Get this by mail" }).click();
  await page.getByRole("checkbox", { name: "Weekly report by mail", exact: true }).click();
  await page.getByRole("checkbox", { name: "Monthly report by mail", exact: true }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/^Next weekly report: .*8:00/).waitFor();
  // On the first of a month, before eight, that is today, and no date is shown.
  await page.getByText(/^Next monthly report: (1 .*)?0?8:00/).waitFor();
  expect(await faultsInEveryLook(page, "report-mails", true)).toEqual([]);
  await page.goto("/reports");
  await page.getByRole("link", { name: /^Next by mail: .*8:00/ }).waitFor();
});
