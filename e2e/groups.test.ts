import { expect, onTestFinished, test } from "vitest";
import { status } from "../server/test/harness/behaviours.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

test("a group is put together by searching, shows its members, and follows them while its page is open", async () => {
  const target = await startHttpTarget();
  onTestFinished(() => target.close());
  const page = await app.open();
  await page.goto("/");
  const settings = { url: target.url, checkInterval: 10, timeout: 5, confirmations: 1, recoveries: 1 };
  for (const name of ["Shop", "Ledger"]) await callApi(page, "POST", "/api/domains", { ...settings, name });

  await page.goto("/services/new");
  await page.getByLabel("Protocol").selectOption({ label: "Group" });
  await page.getByLabel("Name", { exact: true }).fill("Everything");
  const members = page.getByRole("combobox", { name: "Members" });
  await members.fill("nowhere");
  await page.getByText("Nothing matches “nowhere”.").waitFor();
  for (const name of ["Shop", "Ledger"]) {
    await members.fill(name.toLowerCase());
    await page.getByRole("option", { name }).waitFor();
    await members.press("Enter");
    await page.getByRole("button", { name: `Remove ${name}` }).waitFor();
  }
  await members.press("Backspace");
  expect(await page.getByRole("button", { name: "Remove Ledger" }).count()).toBe(0);
  await members.fill("ledg");
  await page.getByRole("option", { name: "Ledger" }).click();
  expect(await faultsInEveryLook(page, "new-group", true)).toEqual([]);
  // A group gets its first status in a moment: the event may arrive before the answer that made the group.
  await page.route("**/api/services", async (route) => {
    const answer = await route.fetch();
    await page.waitForTimeout(500);
    await route.fulfill({ response: answer });
  });
  await page.getByRole("button", { name: "Start watching" }).click();

  await page.locator("header [data-status=up]").waitFor({ timeout: 20_000 });
  await page.getByText("Group · all must be up").waitFor();
  const list = card(page, "Members");
  await list.getByText("2 of 2 up").waitFor();
  await list.getByRole("link", { name: "Shop" }).waitFor();
  target.set(status(503));
  await page.locator("header [data-status=down]").waitFor({ timeout: 40_000 });
  await page
    .getByText(/^[12] of 2 down: /)
    .first()
    .waitFor();
  await list.getByText(/^Down/).first().waitFor();
  await list.getByText("The server answered 503").first().waitFor();
  expect(await faultsInEveryLook(page, "group")).toEqual([]);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Remove Ledger" }).waitFor();
  // It is found by its name, and not offered: it cannot be a member of itself.
  await members.fill("everything");
  await page.getByText("Nothing matches “everything”.").waitFor();
}, 240_000);
