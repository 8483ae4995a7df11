import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { giveHistory, multiplyDomain } from "./harness/many-domains.ts";
import { saveScreenshot } from "./harness/screenshots.ts";

const many = 10_000;

const app = shareInstallation();

beforeAll(async () => {
  const headers = { "content-type": "application/json", origin: app.url, cookie: app.cookie };
  const body = JSON.stringify({ url: "http://127.0.0.1:9/", name: "Site 00001", checkInterval: 3600 });
  await fetch(`${app.url}/api/domains`, { method: "POST", headers, body });
  multiplyDomain(app.dataFolder, many);
  giveHistory(app.dataFolder);
});

async function openAt(path: string): Promise<Page> {
  const page = await app.open();
  await page.goto(path);
  return page;
}

const row = (page: Page, name: string) => page.locator("[role=row]").filter({ hasText: name });
const box = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });

describe("a list of ten thousand domains", () => {
  test("renders only what is in sight, and requests little more", async () => {
    const page = await app.open();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto("/domains?sort=name");
    await row(page, "Site 00002").waitFor();
    await page.locator("[role=row]:has([data-hour=up]):has(polyline)").first().waitFor();
    expect(await page.locator("[role=row]").count()).toBeLessThan(60);
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("10001");
    await page.getByText("10,000", { exact: true }).waitFor();

    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight / 2)");
    await row(page, "Site 05000").waitFor();
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    await row(page, "Site 10000").waitFor();
    const pages = requests.filter((url) => url.includes("/api/domains?"));
    expect(pages.length).toBeLessThan(12);
    expect(pages.every((url) => new URL(url).searchParams.get("limit") === "50")).toBe(true);
    await saveScreenshot(page, "many-end");
  });

  test("is searched, narrowed and sorted by the server while every key is shown at once", async () => {
    const page = await openAt("/domains?sort=name");
    await row(page, "Site 00002").waitFor();
    const search = page.getByLabel("Search by name, URL or tag");
    await search.pressSequentially("site-09", { delay: 40 });
    await row(page, "Site 09000").waitFor();
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("1001");
    expect(new URL(page.url()).searchParams.get("q")).toBe("site-09");

    await search.press("Escape");
    await page.getByRole("button", { name: "Response" }).click();
    await row(page, "Site 00400").first().waitFor();
    await page.getByRole("button", { name: "Response" }).click();
    await row(page, "Site 00399").first().waitFor();
    const sorted = page.getByRole("columnheader", { name: "Response" });
    expect(await sorted.getAttribute("aria-sort")).toBe("descending");
  });

  test("shows a change of a domain in sight without a reload", async () => {
    const page = await openAt("/domains?sort=name");
    await row(page, "Site 00005").waitFor();
    const [fifth] = await callApi<{ id: number }[]>(page, "GET", "/api/domains?search=site%2000005");
    const change = (body: object) => callApi(page, "PUT", `/api/domains/${fifth?.id}`, body);
    await change({ name: "Site 00005, renamed", enabled: false });
    await page.locator("[role=row][data-status=paused]").filter({ hasText: "renamed" }).waitFor();
    await change({ enabled: true });
    await page.locator("[role=row]:not([data-status=paused])").filter({ hasText: "renamed" }).waitFor();
  });
});

describe("many domains at once", () => {
  test("a range is chosen with Shift, paused, and the pause undone for those that were running", async () => {
    const page = await openAt("/domains?sort=name");
    const [third] = await callApi<{ id: number }[]>(page, "GET", "/api/domains?search=site%2000003");
    await callApi(page, "PUT", `/api/domains/${third?.id}`, { enabled: false });
    await page.locator("[role=row][data-status=paused]").waitFor();
    await box(page, "Site 00002").click();
    await page.evaluate("window.scrollTo(0, 110 * 56)");
    await box(page, "Site 00120").click({ modifiers: ["Shift"] });
    await page.getByText("119 selected").waitFor();

    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByText("118 domains were paused.").waitFor();
    const paused = () => callApi<{ paused: number }>(page, "GET", "/api/domains/stats");
    expect((await paused()).paused).toBe(119);
    expect(await page.getByText("119 selected").count()).toBe(0);

    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("118 domains were resumed.").waitFor();
    expect((await paused()).paused).toBe(1);
  });

  test("with the keyboard: space chooses, arrows move, Shift and space choose a range, Escape lets go", async () => {
    const page = await openAt("/domains?sort=name");
    await box(page, "Site 00002").focus();
    const { keyboard } = page;
    await keyboard.press("Space");
    await page.getByText("1 selected").waitFor();
    for (let presses = 0; presses < 3; presses += 1) await keyboard.press("ArrowDown");
    await keyboard.press("Shift+Space");
    await page.getByText("4 selected").waitFor();
    await keyboard.press("Escape");
    await eventually(
      () => page.getByText(/selected$/).count(),
      (count) => count === 0,
    );
  });

  test("deleting needs a confirmation and says how many went", async () => {
    const page = await openAt("/domains?q=site-0001");
    await page.getByRole("checkbox", { name: "Select all 10" }).click();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("heading", { name: "Delete 10 domains?" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator("button:focus").filter({ hasText: "Delete…" }).waitFor();
    const total = async () => (await callApi<{ total: number }>(page, "GET", "/api/domains/stats")).total;
    expect(await total()).toBe(many);
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("10 domains were deleted.").waitFor();
    expect(await total()).toBe(many - 10);
  });

  test("what the API refuses stays chosen, so that it can be tried again; what is gone does not", async () => {
    const page = await openAt("/domains?q=site-0003&sort=name");
    const find = async (name: string) =>
      (await callApi<{ id: number }[]>(page, "GET", `/api/domains?search=${encodeURIComponent(name)}`))[0]
        ?.id;
    const [refused, gone] = [await find("site 00034"), await find("site 00036")];
    await page.getByRole("checkbox", { name: "Select all 10" }).click();
    await page.getByText("10 selected").waitFor();
    const path = "**/api/domains/bulk";
    await page.route(path, async (route) => {
      const { ids } = route.request().postDataJSON() as { ids: number[] };
      const failed = [
        { id: String(refused), status: 422, message: "This one is busy." },
        { id: String(gone), status: 404, message: "Resource not found." },
      ];
      const changed = ids.filter((id) => id !== refused && id !== gone).map((id) => ({ id, uuid: "" }));
      const data = { action: "pause", changed, unchanged: [], failed };
      await route.fulfill({ json: { success: true, message: "OK", data } });
    });
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByText("1 could not be changed and stays selected: This one is busy.").waitFor();
    await page.getByText("8 domains were paused. 1 domain no longer exists.").waitFor();
    expect(await box(page, "Site 00034").isChecked()).toBe(true);
    await page.getByText("1 selected").waitFor();

    await page.unroute(path);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByText("1 domain was paused.").waitFor();
    expect(await page.getByText("1 selected").count()).toBe(0);
  });

  test("the bar, its progress and its dialog are accessible in both themes and fit a phone", async () => {
    const page = await openAt("/domains?sort=name");
    await box(page, "Site 00002").click();
    await box(page, "Site 00004").click();
    await page.getByText("2 selected").waitFor();
    expect(await faultsInEveryLook(page, "bulk")).toEqual([]);
    await page.route("**/api/domains/bulk", () => {});
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("progressbar").waitFor();
    expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    expect(await faultsInEveryLook(page, "bulk-progress")).toEqual([]);
  });

  test("more than go into one request can be stopped: the rest stays as it was, and selected", async () => {
    const page = await openAt("/domains?q=site-08&sort=name");
    const sent: number[] = [];
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/domains/bulk", async (route) => {
      sent.push((route.request().postDataJSON() as { ids: number[] }).ids.length);
      await answer.promise;
      await route.continue();
    });
    await page.getByRole("checkbox", { name: "Select all 1,000" }).click();
    await page.getByText("1,000 selected").waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const stop = page.getByRole("button", { name: "Stop" });
    await stop.click();
    await stop.waitFor({ state: "detached" });
    await page.locator("#content:focus").waitFor();
    answer.resolve();
    await page.getByText("500 domains were paused.").waitFor();
    await page.getByText("500 selected").waitFor();
    expect(sent).toEqual([500]);
  });
});
