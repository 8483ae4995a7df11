import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barePages } from "./harness/bare-pages.ts";
import { openPage } from "./harness/browser.ts";
import { shareCompany } from "./harness/company.ts";
import { goOn, waitFor, waitForPage } from "./harness/controls.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { addressOf, appPages } from "./harness/pages.ts";

const company = shareCompany();

const faultsOf = (page: Page, path: string, state: string) =>
  faultsInEveryLook(page, `walk${path.replaceAll("/", "-")}-${state}`, true);

/** Whatever a page reads is refused, but for who is reading. */
const answers = (url: URL) =>
  url.pathname.startsWith("/api/") && !/^\/api\/(auth\/me|events)$/.test(url.pathname);

test("every page is accessible in both themes, on a screen and on a phone", async () => {
  const page = await company.open("owner");
  const faults: string[] = [];
  for (const row of appPages) {
    await goOn(page, addressOf(row, company.ids));
    await waitForPage(page, row, "owner");
    faults.push(...(await faultsOf(page, row.path, "filled")));
  }
  const visitor = await openPage(company.url);
  for (const row of barePages) {
    await visitor.goto(addressOf(row, company.ids));
    await waitFor(visitor, row.ready);
    faults.push(...(await faultsOf(visitor, row.path, "filled")));
  }
  expect(faults).toEqual([]);
}, 180_000);

test("every page that may be empty, refused or without an answer is accessible then too", async () => {
  const empty = await company.open("owner", {}, "empty");
  const viewer = await company.open("viewer");
  const cut = await company.open("owner");
  await cut.route(answers, (route) => route.fulfill({ status: 400, body: "no" }));
  const faults: string[] = [];
  for (const row of appPages) {
    const address = addressOf(row, company.ids);
    if (row.empty) {
      await goOn(empty, address);
      await waitFor(empty, row.empty.ready);
      faults.push(...(await faultsOf(empty, row.path, "empty")));
    }
    if (row.least) {
      await viewer.goto(address);
      await waitForPage(viewer, row, "viewer");
      faults.push(...(await faultsOf(viewer, row.path, "refused")));
    }
    if (row.readsNothing) continue;
    await goOn(cut, address);
    await cut.getByRole("main").getByRole("alert").first().waitFor();
    faults.push(...(await faultsOf(cut, row.path, "failed")));
  }
  expect(faults).toEqual([]);
}, 180_000);
