import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();
const phone = { width: 390, height: 800 };

const sites = [
  { name: "Alpha", tags: ["production", "eu"] },
  { name: "Beta", tags: ["production"] },
  { name: "Gamma", tags: [] },
];

beforeAll(async () => {
  const headers = { "content-type": "application/json", origin: app.url, cookie: app.cookie };
  for (const { name, tags } of sites) {
    const body = { name, tags, url: `http://127.0.0.1:9/${name}`, checkInterval: 3600 };
    await fetch(`${app.url}/api/domains`, { method: "POST", headers, body: JSON.stringify(body) });
  }
});

async function openList(look?: { width: number; height: number }, query = "?sort=name"): Promise<Page> {
  const page = await app.open(look);
  await page.goto(`/domains${query}`);
  await row(page, "Alpha").waitFor();
  return page;
}

const row = (page: Page, name: string) => page.locator("[role=row]").filter({ hasText: name });
const names = (page: Page) => page.locator("[data-row-link]").allTextContents();
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const isFocused = (page: Page, name: string) =>
  eventually(() => link(page, name).evaluate((one) => one === one.ownerDocument.activeElement), Boolean);

describe("a list by keyboard", () => {
  test("j and k go from row to row, x chooses, Escape lets go, Enter opens and e edits", async () => {
    const page = await openList();
    const { keyboard } = page;
    await keyboard.press("j");
    await isFocused(page, "Alpha");
    await keyboard.press("j");
    await keyboard.press("j");
    await isFocused(page, "Gamma");
    await keyboard.press("j");
    await isFocused(page, "Gamma");
    await keyboard.press("k");
    await isFocused(page, "Beta");
    await keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    expect(await page.getByRole("checkbox", { name: "Select Beta" }).isChecked()).toBe(true);
    await keyboard.press("x");
    await page.getByText("1 selected").waitFor({ state: "detached" });
    await keyboard.press("e");
    await page.waitForURL("**/domains/*/edit");
    await page.getByRole("button", { name: "Save" }).waitFor();
    await page.goBack();
    await row(page, "Alpha").waitFor();
    await keyboard.press("j");
    await isFocused(page, "Alpha");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Alpha" }).waitFor();
  });

  test("a letter that is typed into the search stays a letter", async () => {
    const page = await openList();
    await page.keyboard.press("/");
    await page.keyboard.type("ex");
    expect(await page.getByLabel("Search by name, URL or tag").inputValue()).toBe("ex");
    await page.waitForURL("**/domains?*q=ex*");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/domains");
  });
});

describe("a list where it is narrow", () => {
  test("shows whatever has the focus, and has no tab stop that cannot be seen", async () => {
    const page = await openList(phone);
    await page.locator("#content").focus();
    const stops: string[] = [];
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate<{ name: string; isSeen: boolean } | null>(`(() => {
        const { activeElement } = document;
        if (!activeElement || activeElement === document.body) return null;
        const { width, height } = activeElement.getBoundingClientRect();
        const name = activeElement.getAttribute("aria-label") ?? activeElement.textContent;
        return { name, isSeen: width > 4 && height > 4 };
      })()`);
      if (!stop) break;
      expect(stop, stop.name).toMatchObject({ isSeen: true });
      stops.push(stop.name);
    }
    expect(stops).toContain("Alpha");
    expect(stops).toContain("Sort");
    expect(stops).not.toContain("Select all 3");
  });

  test("is sorted by a button, and chosen from by another", async () => {
    const page = await openList(phone);
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.getByRole("button", { name: "Sort" }).click();
    await page.getByRole("menuitemradio", { name: "Descending" }).click();
    await eventually(
      () => names(page),
      (shown) => shown.join() === "Gamma,Beta,Alpha",
    );
    expect(new URL(page.url()).searchParams.get("sort")).toBe("-name");
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select all 3" }).click();
    await page.getByText("3 selected").waitFor();
    expect(await faultsInEveryLook(page, "list-selecting")).toEqual([]);
    await page.setViewportSize(phone);
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByText("3 selected").waitFor({ state: "detached" });
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });
});

describe("tags in a list", () => {
  test("narrow it when pressed, are in its address, and are found by the search", async () => {
    const page = await openList();
    await row(page, "Alpha").getByRole("button", { name: "production" }).click();
    await row(page, "Gamma").waitFor({ state: "detached" });
    expect(await names(page)).toEqual(["Alpha", "Beta"]);
    expect(new URL(page.url()).searchParams.get("tag")).toBe("production");
    await page.reload();
    await row(page, "Beta").waitFor();
    expect(await names(page)).toEqual(["Alpha", "Beta"]);
    expect(await faultsInEveryLook(page, "list-tag")).toEqual([]);
    await page.getByRole("button", { name: "Tag: production. Show all." }).click();
    await row(page, "Gamma").waitFor();
    await page.getByLabel("Search by name, URL or tag").fill("EU");
    await row(page, "Gamma").waitFor({ state: "detached" });
    expect(await names(page)).toEqual(["Alpha"]);
  });
});

test("what is chosen in a list is in its address: it outlives a reload, and can be gone back on", async () => {
  const page = await openList();
  await page.locator("[role=row][data-status=down]").nth(2).waitFor({ timeout: 20_000 });
  const shows = (query: string, order: string) =>
    eventually(
      async () => [new URL(page.url()).search, (await names(page)).join()],
      (shown) => shown.join("|") === `${query}|${order}`,
    );
  await page.getByRole("button", { name: "Domain", exact: true }).click();
  await shows("?sort=-name", "Gamma,Beta,Alpha");
  await row(page, "Alpha").getByRole("button", { name: "production" }).click();
  await shows("?sort=-name&tag=production", "Beta,Alpha");
  await page.getByRole("button", { name: /^Down/ }).click();
  await shows("?sort=-name&tag=production&show=down", "Beta,Alpha");
  await page.getByLabel("Search by name, URL or tag").pressSequentially("eu");
  await shows("?sort=-name&tag=production&show=down&q=eu", "Alpha");
  await page.reload();
  await shows("?sort=-name&tag=production&show=down&q=eu", "Alpha");
  await page.goBack();
  await shows("?sort=-name&tag=production", "Beta,Alpha");
  await page.goBack();
  await shows("?sort=-name", "Gamma,Beta,Alpha");
});

describe("a list whose order changes", () => {
  const sortedByStatus = async (look?: { width: number; height: number }) => {
    const page = await openList(look, "");
    await page.locator("[role=row][data-status=down]").nth(2).waitFor({ timeout: 20_000 });
    const alpha = (await callApi<{ id: number; name: string }[]>(page, "GET", "/api/domains")).find(
      ({ name }) => name === "Alpha",
    );
    const setEnabled = (enabled: boolean) => callApi(page, "PUT", `/api/domains/${alpha?.id}`, { enabled });
    return { page, setEnabled, update: page.getByRole("button", { name: "The list has changed" }) };
  };
  const inOrder = (page: Page, order: string) =>
    eventually(
      () => names(page),
      (shown) => shown.join() === order,
    );
  const usual = "Alpha,Beta,Gamma";
  const pausedLast = "Beta,Gamma,Alpha";

  test("keeps its rows under the pointer, says so, and sorts them when it leaves", async () => {
    const { page, setEnabled, update } = await sortedByStatus();
    await row(page, "Beta").hover();
    const top = await row(page, "Beta").boundingBox();
    await setEnabled(false);
    await update.waitFor();
    expect(await names(page)).toEqual(usual.split(","));
    expect(await row(page, "Alpha").getAttribute("data-status")).toBe("paused");
    expect(await row(page, "Beta").boundingBox()).toEqual(top);
    expect(await faultsInEveryLook(page, "list-changed")).toEqual([]);
    await page.mouse.move(0, 0);
    await inOrder(page, pausedLast);
    expect(await update.count()).toBe(0);
    await setEnabled(true);
    await inOrder(page, usual);
  });

  test("keeps them where a row has the focus, or one is chosen, until the new order is requested", async () => {
    const { page, setEnabled, update } = await sortedByStatus();
    await page.keyboard.press("j");
    await isFocused(page, "Alpha");
    await setEnabled(false);
    await update.waitFor();
    expect(await names(page)).toEqual(usual.split(","));
    await update.press("Enter");
    await inOrder(page, pausedLast);
    await page.getByRole("checkbox", { name: "Select Beta" }).press("Space");
    await page.locator("#content").focus();
    await setEnabled(true);
    await update.waitFor();
    expect(await names(page)).toEqual(pausedLast.split(","));
    await page.keyboard.press("Escape");
    await inOrder(page, usual);
  });

  test("has its rows one under the other where they are of different heights", async () => {
    const { page, setEnabled } = await sortedByStatus(phone);
    await setEnabled(false);
    await inOrder(page, pausedLast);
    const overlaps = () =>
      page.evaluate<number>(`(() => {
        const rows = [...document.querySelectorAll("[data-index]")].map((row) => row.getBoundingClientRect());
        return rows.filter(({ top }, at) => at > 0 && Math.abs(top - rows[at - 1].bottom) > 1).length;
      })()`);
    await eventually(overlaps, (count) => count === 0, 2_000);
    await setEnabled(true);
    await inOrder(page, usual);
  });

  test("shows an order that was just requested", async () => {
    const { page, setEnabled, update } = await sortedByStatus();
    await page.goto("/domains?sort=-name");
    await inOrder(page, "Gamma,Beta,Alpha");
    const status = page.getByRole("button", { name: "Status", exact: true });
    await status.click();
    await inOrder(page, usual);
    await page.getByRole("button", { name: "Domain", exact: true }).click();
    await setEnabled(false);
    await row(page, "Alpha").and(page.locator("[data-status=paused]")).waitFor();
    await status.click();
    await inOrder(page, pausedLast);
    expect(await update.count()).toBe(0);
    await setEnabled(true);
    await page.mouse.move(0, 0);
    await inOrder(page, usual);
  });
});

describe("the columns of a list", () => {
  const heads = (page: Page) => page.getByRole("columnheader").allTextContents();

  test("are chosen by the reader, who finds them again", async () => {
    const page = await openList({ width: 1440, height: 900 });
    expect(await heads(page)).toContain("Certificate");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Certificate" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Uptime" }).click();
    await page.keyboard.press("Escape");
    expect(await heads(page)).not.toContain("Certificate");
    await page.reload();
    await row(page, "Alpha").waitFor();
    expect(await heads(page)).not.toContain("Uptime");
    expect(await heads(page)).toContain("24 hours");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Uptime" }).click();
    await eventually(
      () => heads(page),
      (shown) => shown.includes("Uptime"),
    );
  });

  test("draw the last 24 hours of all rows with one request", async () => {
    const page = await app.open();
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/sparklines?")) requests.push(request.url());
    });
    await page.goto("/domains?sort=name");
    await row(page, "Gamma").locator("[data-hour]").first().waitFor();
    await eventually(() => Promise.resolve(requests.length), Boolean);
    const ids = (await callApi<{ id: number }[]>(page, "GET", "/api/domains?sort=name")).map(({ id }) => id);
    const first = new URL(requests[0] ?? "").searchParams.get("ids")?.split(",").map(Number);
    expect(first?.toSorted()).toEqual(ids.toSorted());
  });
});

test("a row's menu leads to its settings, and copies its URL", async () => {
  const page = await openList();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Actions for Alpha" }).click();
  await page.getByRole("menuitem", { name: "Copy URL" }).click();
  await page.getByText("URL copied.").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("http://127.0.0.1:9/Alpha");
  await page.getByRole("button", { name: "Actions for Alpha" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.waitForURL("**/domains/*/edit");
});

test("a viewer is offered nothing that changes anything", async () => {
  const page = await app.open();
  await page.route("**/api/auth/me", async (route) => {
    const answer = await (await route.fetch()).json();
    answer.data.organization.role = "viewer";
    await route.fulfill({ json: answer });
  });
  await page.goto("/domains?sort=name");
  await row(page, "Gamma").waitFor();
  expect(await page.getByLabel("URL to watch").count()).toBe(0);
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await page.keyboard.press("j");
  await isFocused(page, "Alpha");
  await page.keyboard.press("e");
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Actions for Alpha" }).click();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Copy URL"]);
  expect(new URL(page.url()).pathname).toBe("/domains");
});

describe("adding domains from the list", () => {
  const box = (page: Page) => page.getByLabel("URL to watch");

  test("says which domain watches an address already, and leads to a new one", async () => {
    const page = await openList();
    await box(page).fill("HTTP://127.0.0.1:9/Beta#top");
    await box(page).press("Enter");
    await page.getByText("This address is watched already:").waitFor();
    expect((await callApi<unknown[]>(page, "GET", "/api/domains")).length).toBe(sites.length);
    await page.getByRole("alert").getByRole("link", { name: "Beta" }).click();
    await page.getByRole("heading", { name: "Beta" }).waitFor();
    await page.goBack();
    await box(page).fill("http://127.0.0.1:9/new");
    await box(page).press("Enter");
    await page.getByRole("link", { name: "127.0.0.1:9 is being watched." }).click();
    await page.getByRole("heading", { name: "127.0.0.1:9" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    await callApi(page, "DELETE", `/api/domains/${id}`);
  });

  test("takes many that are pasted, one per line, to the import", async () => {
    const page = await openList();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const pasted = "http://127.0.0.1:9/Alpha\nhttp://127.0.0.2:9/\ngopher://127.0.0.1\n\nhttp://127.0.0.3:9/";
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`);
    await box(page).focus();
    await page.keyboard.press("Control+V");
    await page.getByRole("heading", { name: "Import", exact: true }).waitFor();
    expect(await page.getByLabel("Addresses, or the content of a file").inputValue()).toBe(pasted);
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    // The first file waits for the thread that reads files.
    await page.getByRole("button", { name: "Import 2 monitors" }).click({ timeout: 40_000 });
    await page.getByText("2 monitors imported.").waitFor();
    await page.goBack();
    await row(page, "127.0.0.2").waitFor();
    await page.getByRole("link", { name: "Add several", exact: true }).click();
    await page.getByRole("heading", { name: "Import", exact: true }).waitFor();
    const all = await callApi<{ id: number; name: string }[]>(page, "GET", "/api/domains");
    for (const { id } of all.filter(({ name }) => name.startsWith("127.")))
      await callApi(page, "DELETE", `/api/domains/${id}`);
  });
});
