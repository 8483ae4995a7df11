import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { hang, slow } from "../server/test/harness/behaviours.ts";
import { startHttpTarget, type Target } from "../server/test/harness/targets.ts";
import { type Look, openPage } from "./harness/browser.ts";
import { card, panel, results } from "./harness/domain-scenes.ts";
import { callApi, owner, signInAsOwner, startInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { picturesAreWanted, saveScreenshot } from "./harness/screenshots.ts";
import { startTroubledCompany } from "./harness/troubled-company.ts";

/** The README's picture; written anew only on demand. */
const picture = join(import.meta.dirname, "../docs/images/overview.png");
/** Checks come every ten seconds, the least there is; a confirmation takes one or two of them. */
const confirmedWithinMs = 45_000;
/** Whatever the overview shows is read here. */
const statsRoutes = /\/api\/(domains|dashboard)\b/;

async function startTarget(): Promise<Target> {
  const target = await startHttpTarget();
  onTestFinished(() => target.close());
  return target;
}

const headline = (page: Page, words: string | RegExp): Locator =>
  page.getByRole("heading", { level: 1, name: words });
const count = (page: Page, name: string): Locator => page.locator(`[data-count=${name}]`);
const problemRow = (page: Page, state: string): Locator => page.locator(`[data-problem=${state}]`);
const activity = (page: Page, word: string): Locator => page.locator(`[data-activity=${word}]`);

/** Each line of the list also has a form for narrow screens, which is hidden on wide ones. */
const shown = (row: Locator, text: RegExp) => row.getByText(text).filter({ visible: true });
const rowWith = (page: Page, status: string) => page.locator(`[role=row][data-status=${status}]`);

async function setUpByForm(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("heading", { name: "Set up Vedette" }).waitFor();
  await page.getByLabel("Your name").fill(owner.name);
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByLabel("Organization").fill(owner.organization);
  await page.getByRole("button", { name: "Create account and start" }).click();
}

/** The same session on a page of its own. */
async function openBeside(page: Page, look: Look, path: string): Promise<Page> {
  const next = await openPage(new URL(page.url()).origin, look);
  await next.context().addCookies(await page.context().cookies());
  await next.goto(path);
  return next;
}

const neverReloaded = (page: Page) => page.evaluate("window.neverReloaded");

describe("from the first visit to an outage", () => {
  test("the owner sets Vedette up, adds a URL, and sees it go down and come back, on the overview, in the list and on its own page, without reloading", async () => {
    const target = await startTarget();
    const server = await startInstallation();
    const page = await openPage(server.url);
    await setUpByForm(page);

    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    await page.getByLabel("URL to watch").fill(target.url);
    await page.getByLabel("URL to watch").press("Enter");
    await headline(page, "Everything is up").waitFor({ timeout: 15_000 });
    await page.getByText("No problems so far.").waitFor();
    await page.keyboard.type("127.0.0.1");
    expect(await page.getByLabel("URL to watch").inputValue()).toBe("127.0.0.1");
    await activity(page, "up").waitFor();
    await card(page, "Last 24 hours").getByText("100%").waitFor();

    const list = await openBeside(page, {}, "/domains");
    await shown(rowWith(list, "up"), /^[\d.,]+ ms$/).waitFor();
    await list.getByText("Your domain is up.").waitFor();
    const [domain] = await callApi<{ id: number }[]>(page, "GET", "/api/domains");
    await callApi(page, "PUT", `/api/domains/${domain?.id}`, { name: "Shop", checkInterval: 10, timeout: 5 });
    const own = await openBeside(page, {}, `/domains/${domain?.id}`);
    await results(own, "up").first().waitFor();
    // The only day with checks; more than one would be refused.
    await own.locator("[data-tone=up]").waitFor();
    for (const each of [page, list, own]) await each.evaluate("window.neverReloaded = true");

    await target.refuse();
    await headline(page, "1 domain is down").waitFor({ timeout: confirmedWithinMs });
    await problemRow(page, "down").getByRole("link", { name: "Shop" }).waitFor();
    await problemRow(page, "down")
      .getByText(/refused/)
      .waitFor();
    await activity(page, "down").getByText("Shop went down").waitFor();
    expect(
      await problemRow(page, "down")
        .getByText(/^Down for /)
        .count(),
    ).toBe(1);
    expect(await count(page, "down").textContent()).toBe("Down 1");
    expect(await count(page, "up").textContent()).toBe("Up 0");
    expect(await page.title()).toBe("1 down · Overview · Vedette");
    await list.getByText("1 domain is down.").waitFor();
    expect(await shown(rowWith(list, "down"), /^Down for /).count()).toBe(1);
    expect(await shown(rowWith(list, "down"), /refused/).count()).toBe(1);
    expect(await list.title()).toBe("1 down · Domains · Vedette");
    await panel(own, "down")
      .getByText(/refused/)
      .waitFor();
    await results(own, "down")
      .first()
      .getByText(/refused/)
      .filter({ visible: true })
      .waitFor();
    await own.locator("[data-tone=down], [data-tone=dented]").waitFor();
    await saveScreenshot(page, "overview-outage");
    await saveScreenshot(own, "domain-outage");

    await target.listen();
    await headline(page, "Everything is up").waitFor({ timeout: confirmedWithinMs });
    await activity(page, "recovered").getByText("Shop is up again").waitFor();
    await page.getByText(/^Last problem: Shop was down for \d+ seconds, until .+\.$/).waitFor();
    expect(await problemRow(page, "down").count()).toBe(0);
    expect(await page.title()).toBe("Overview · Vedette");
    await rowWith(list, "up").waitFor();
    await list.getByText("Your domain is up.").waitFor();
    expect(await list.title()).toBe("Domains · Vedette");
    await panel(own, "up").waitFor();
    expect(await Promise.all([page, list, own].map(neverReloaded))).toEqual([true, true, true]);
    await saveScreenshot(page, "overview-recovered");

    for (const width of [1280, 375]) await expectNothingMoves(page, width);
  }, 240_000);
});

describe("the overview of a newcomer", () => {
  test("says that the first domain is being checked, until there is a result", async () => {
    const target = await startHttpTarget({ handler: hang });
    onTestFinished(() => target.close());
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server, "/");
    await page.getByLabel("URL to watch").fill(target.url);
    await page.getByLabel("URL to watch").press("Enter");
    await headline(page, `Checking 127.0.0.1:${target.port}…`).waitFor();
    await page.getByText("The first result takes a few seconds.").waitFor();
  });

  test("goes from there to the result, without doubting in between whether anything is reported", async () => {
    const target = await startHttpTarget({ handler: slow(3000) });
    onTestFinished(() => target.close());
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server, "/");
    // The counts that know of the result come half a second after the list that does.
    await page.route("**/api/domains/stats*", async (route) => {
      const answer = await route.fetch();
      const { data } = (await answer.json()) as { data: { up: number } };
      await page.waitForTimeout(data.up > 0 ? 500 : 0);
      await route.fulfill({ response: answer });
    });
    await page.evaluate(`window.headlines = new Set();
      new MutationObserver(() => window.headlines.add(document.querySelector("h1")?.innerText))
        .observe(document, { subtree: true, childList: true, characterData: true })`);
    await page.getByLabel("URL to watch").fill(target.url);
    await page.getByLabel("URL to watch").press("Enter");
    await headline(page, "Everything is up").waitFor();
    const headlines = await page.evaluate<string[]>("[...window.headlines]");
    expect(headlines).toContain(`Checking 127.0.0.1:${target.port}…`);
    expect(headlines).not.toContain("1 domain has no status");
  });

  test("is offered the next step until it is done, or hidden", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server, "/");
    const domain = { url: "http://127.0.0.1:9/", name: "Shop", checkInterval: 3600 };
    await callApi(page, "POST", "/api/domains", domain);
    const steps = card(page, "First steps");
    await steps.getByText("Add a domain or service done").waitFor();
    expect(await faultsInEveryLook(page, "overview-first-steps")).toEqual([]);

    await steps.getByRole("button", { name: "Hide the first steps" }).press("Enter");
    await steps.waitFor({ state: "detached" });
    await page.locator("#content:focus").waitFor();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.reload();
    await headline(page, "1 domain is down").waitFor({ timeout: confirmedWithinMs });
    expect(requests.filter((url) => url.endsWith("/usage"))).toEqual([]);
    expect(await steps.count()).toBe(0);

    await page.evaluate("localStorage.clear()");
    await page.reload();
    await steps.getByRole("link", { name: "Invite a colleague" }).press("Enter");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByRole("dialog").getByLabel("E-mail").fill("ada@northwind.test");
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: "Overview" }).click();
    await steps.getByText("Invite a colleague done").waitFor();
    await steps.getByRole("link", { name: "Add a channel", exact: true }).waitFor();
    const channel = { name: "On call", type: "webhook", config: { url: "http://127.0.0.1:9/" } };
    await callApi(page, "POST", "/api/notifications/channels", channel);
    await page.reload();
    await card(page, "Certificates expiring next").waitFor();
    await steps.waitFor({ state: "detached" });
  });
});

describe("the overview of services alone", () => {
  test("counts them, says which are down, and does not take their owner for a newcomer", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await setUpByForm(page);
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    const protocolConfig = { host: "127.0.0.1", port: 9 };
    const service = { name: "Gateway", protocol: "tcp", protocolConfig, checkInterval: 10, timeout: 5 };
    await callApi(page, "POST", "/api/services", service);
    await headline(page, "1 service is down").waitFor({ timeout: confirmedWithinMs });
    expect(await page.title()).toBe("1 down · Overview · Vedette");
    expect(await count(page, "down").textContent()).toBe("Down 1");
    await problemRow(page, "down").getByText("TCP · 127.0.0.1:9").waitFor();
    expect(await problemRow(page, "down").getAttribute("data-attended")).toBeNull();
    const [incident] = await callApi<{ id: number }[]>(page, "GET", "/api/incidents");
    await callApi(page, "POST", `/api/incidents/${incident?.id}/acknowledge`, {});
    await problemRow(page, "down")
      .getByText(new RegExp(`^Acknowledged by ${owner.name}, \\d\\d:\\d\\d`))
      .waitFor();
    expect(await problemRow(page, "down").getAttribute("data-attended")).toBe("true");
    expect(await faultsInEveryLook(page, "overview-services")).toEqual([]);
    await count(page, "down").press("Enter");
    await rowWith(page, "down").waitFor();
    await page.goBack();
    await problemRow(page, "down").getByRole("link", { name: "Gateway" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Gateway" }).waitFor();
  }, 240_000);
});

/** On an ordinary day, the cards do not move once they are loaded. */
async function expectNothingMoves(page: Page, width: number): Promise<void> {
  const ready = Promise.withResolvers<void>();
  const next = await openBeside(page, { width, height: 740 }, "/settings/api-keys");
  await next.route(statsRoutes, async (route) => {
    await ready.promise;
    await route.fallback();
  });
  await next.goto("/");
  await next.locator("[data-loading]").waitFor();
  const tops = () =>
    Promise.all(
      // On a phone the others are below the activity, which is as long as it is.
      ["Recent activity", ...(width < 1024 ? [] : ["Last 24 hours", "Certificates expiring next"])].map(
        async (name) => [name, Math.round((await card(next, name).boundingBox())?.y ?? -1)],
      ),
    );
  const loading = await tops();
  ready.resolve();
  await activity(next, "up").waitFor();
  expect([width, await tops()]).toEqual([width, loading]);
  await next.context().close();
}

describe("the overview of a company with problems", () => {
  test("names what is down and why, what is slow and which certificates end; each count leads to its domains", async () => {
    const { page, recover } = await startTroubledCompany();
    await headline(page, "1 domain is down").waitFor({ timeout: confirmedWithinMs });
    await problemRow(page, "degraded")
      .getByText(/more than the limit of 150 ms/)
      .waitFor({ timeout: confirmedWithinMs });
    await activity(page, "down").first().waitFor();
    const certificates = card(page, "Certificates expiring next");
    await certificates.getByRole("listitem").first().getByText("5 days left").waitFor();
    const names = await certificates.getByRole("link").allTextContents();
    expect(names).toEqual(["Documentation", "Customer portal"]);
    expect(await faultsInEveryLook(page, "overview", true)).toEqual([]);

    await count(page, "degraded").focus();
    await page.keyboard.press("Enter");
    await rowWith(page, "degraded").waitFor();
    expect(new URL(page.url()).search).toBe("?show=degraded");
    const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
    expect(await current.textContent()).toMatch(/^Domains/);
    await page.goBack();
    await problemRow(page, "down").getByRole("link").press("Enter");
    await page.getByRole("heading", { level: 1, name: "Checkout API" }).waitFor();
    if (picturesAreWanted) await takeReadmePicture(page, recover);

    await page.route(statsRoutes, (route) => route.fulfill({ status: 404, body: "gone" }));
    await page.goto("/");
    await page.getByRole("heading", { name: "The overview could not be loaded" }).waitFor();
    expect(await faultsInEveryLook(page, "overview-error")).toEqual([]);
    await page.unroute(statsRoutes);
    await page.getByRole("button", { name: "Try again" }).click();
    await problemRow(page, "down").waitFor();

    await page.route(statsRoutes, () => {});
    await page.goto("/");
    await page.locator("[data-loading]").waitFor();
    expect(await faultsInEveryLook(page, "overview-loading")).toEqual([]);
  }, 300_000);
});

/** Once an outage has come and gone and the other lasts for minutes, as a reader of the README may see it. */
async function takeReadmePicture(page: Page, recover: () => Promise<void>): Promise<void> {
  await page.goto("/");
  await recover();
  await page.getByText("Down for 2 minutes").waitFor({ timeout: 150_000 });
  const next = await openBeside(page, { height: 900 }, "/");
  await activity(next, "recovered").waitFor();
  await next.screenshot({ path: picture });
  await next.context().close();
}
