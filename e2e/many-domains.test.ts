import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { startServerProcess, temporaryFolder } from "../server/test/harness/process.ts";
import { seriousViolations } from "./harness/accessibility.ts";
import { type Look, openPage } from "./harness/browser.ts";
import { callApi, signInAsOwner } from "./harness/installation.ts";
import { multiplyDomain } from "./harness/many-domains.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

const many = 10_000;

/** An installation with that many domains, and its owner's page. */
async function startWith(count: number): Promise<{ page: Page; open: (look: Look) => Promise<Page> }> {
  const data = temporaryFolder();
  const server = await startServerProcess(data.folder, { VEDETTE_RATE_LIMITS: "off" });
  onTestFinished(async () => {
    await server.stop();
    data.remove();
  });
  const page = await openPage(server.url);
  await signInAsOwner(page, server);
  const first = { url: "http://127.0.0.1:9/", name: "Site 00001", checkInterval: 3600 };
  await callApi(page, "POST", "/api/domains", first);
  multiplyDomain(data.folder, count);
  const cookies = await page.context().cookies();
  const open = async (look: Look) => {
    const next = await openPage(server.url, look);
    await next.context().addCookies(cookies);
    return next;
  };
  return { page, open };
}

const row = (page: Page, name: string) => page.locator("[role=row]").filter({ hasText: name });
const box = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });

describe("a list of ten thousand domains", () => {
  test("renders only what is in sight, and asks for little more", async () => {
    const { page } = await startWith(many);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto("/domains?sort=name");
    await row(page, "Site 00002").waitFor();
    expect(await page.locator("[role=row]").count()).toBeLessThan(60);
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("10001");
    await page.getByText("10,000", { exact: true }).waitFor();

    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight / 2)");
    await row(page, "Site 05000").waitFor();
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    await row(page, "Site 10000").waitFor();
    const pages = asked.filter((url) => url.includes("/api/domains?"));
    expect(pages.length).toBeLessThan(12);
    expect(pages.every((url) => new URL(url).searchParams.get("limit") === "50")).toBe(true);
    await saveScreenshot(page, "many-end");
  });

  test("is searched, narrowed and sorted by the server while every key is shown at once", async () => {
    const { page } = await startWith(many);
    await page.goto("/domains?sort=name");
    await row(page, "Site 00002").waitFor();
    const search = page.getByLabel("Search by name or URL");
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
    const { page } = await startWith(200);
    await page.goto("/domains?sort=name");
    await row(page, "Site 00002").waitFor();
    const [second] = await callApi<{ id: number }[]>(page, "GET", "/api/domains?search=site%2000002");
    await callApi(page, "PUT", `/api/domains/${second?.id}`, { name: "Renamed elsewhere", enabled: false });
    await page.locator("[role=row][data-status=paused]").filter({ hasText: "Renamed elsewhere" }).waitFor();
  });
});

describe("many domains at once", () => {
  test("a stretch is chosen with Shift, paused, and the pause undone for those that were running", async () => {
    const { page } = await startWith(300);
    await page.goto("/domains?sort=name");
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

  test("with the keyboard: space chooses, arrows move, Shift and space choose a stretch, Escape lets go", async () => {
    const { page } = await startWith(20);
    await page.goto("/domains?sort=name");
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

  test("deleting asks first and says how many went", async () => {
    const { page } = await startWith(20);
    await page.goto("/domains?q=site-0001");
    await page.getByRole("checkbox", { name: "Select all 10" }).click();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("heading", { name: "Delete 10 domains?" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await callApi<object[]>(page, "GET", "/api/domains")).length).toBe(20);
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("10 domains were deleted.").waitFor();
    expect((await callApi<object[]>(page, "GET", "/api/domains")).length).toBe(10);
  });

  test("the bar, its progress and its dialog are accessible in both themes and fit a phone", async () => {
    const { open } = await startWith(60);
    for (const look of [{}, { theme: "dark" }, { width: 375, height: 740 }] as const) {
      const page = await open(look);
      await page.goto("/domains?sort=name");
      await box(page, "Site 00002").click();
      await box(page, "Site 00004").click();
      await page.getByText("2 selected").waitFor();
      const name = `bulk-${"theme" in look ? "dark" : "light"}${"width" in look ? "-phone" : ""}`;
      await saveScreenshot(page, name);
      expect(await seriousViolations(page), name).toEqual([]);
      expect(await sidewaysOverflow(page), name).toBe(0);
    }
  });
});
