import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startDnsTarget } from "../server/test/harness/dns-target.ts";
import { needWholeBrowser, openPage } from "./harness/browser.ts";
import { card } from "./harness/domain-scenes.ts";
import { callApi } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { nextLink, startMailing } from "./harness/mailing.ts";

const HOST = "status.northwind.test";

interface Made {
  id: number;
  uuid: string;
}

/** An installation that queries a name server of ours, and a page of its owner's. */
async function start() {
  const dns = await startDnsTarget();
  onTestFinished(dns.close);
  const mailing = await startMailing({ VEDETTE_RESOLVERS: dns.server }, "localhost");
  const { page, url } = mailing;
  const atHost = (host: string) => `http://${host}:${new URL(url).port}`;
  const make = (more: object) => callApi<Made>(page, "POST", "/api/status-pages", more);
  /** Has the DNS lead a host here and name the page. */
  const lead = (host: string, { uuid }: Made) => {
    dns.set(host, { cname: "localhost" });
    dns.set(`_vedette.${host}`, { txt: [`vedette-page=${uuid}`] });
  };
  /** The same, and has the installation look. */
  const serveAt = async (host: string, made: Made) => {
    const address = `/api/status-pages/${made.id}`;
    await callApi(page, "PUT", address, { customDomain: host });
    lead(host, made);
    await callApi(page, "POST", `${address}/custom-domain/check`);
  };
  return { ...mailing, dns, atHost, make, lead, serveAt };
}

test("the editor says step by step what a domain of the page's own needs, until the DNS leads visitors there", async () => {
  const { page, dns, atHost, make, lead } = await start();
  const made = await make({ name: "Northwind", slug: "northwind" });
  await page.goto(`/status-pages/${made.id}?part=address`);
  const part = card(page, "Your own domain");
  await part.getByRole("textbox", { name: "Domain" }).fill(HOST);
  await part.getByRole("button", { name: "Set domain" }).click();
  const step = (type: string) => part.getByRole("listitem").filter({ hasText: `${type} record` });
  await step("CNAME").waitFor();
  expect(await step("CNAME").locator("code").allInnerTexts()).toEqual([HOST, "localhost"]);
  expect(await step("TXT").locator("code").allInnerTexts()).toEqual([
    `_vedette.${HOST}`,
    `vedette-page=${made.uuid}`,
  ]);
  const check = () => part.getByRole("button", { name: "Check again" }).click();
  await check();
  await step("CNAME").getByText(`${HOST} has no address in the DNS yet.`).waitFor();
  await step("TXT").getByText(`There is no TXT record _vedette.${HOST} yet.`).waitFor();
  await part.getByRole("status").getByText("The DNS records are not there yet.").waitFor();
  expect(await faultsInEveryLook(page, "status-page-domain-missing", true)).toEqual([]);

  dns.set(HOST, { a: ["192.0.2.9"] });
  dns.set(`_vedette.${HOST}`, { txt: ["vedette-page=another"] });
  await check();
  await step("CNAME").getByText("leads to 192.0.2.9, which is not where localhost is.").waitFor();
  await step("TXT").getByText("Found instead: vedette-page=another").waitFor();
  await part.getByRole("status").getByText("The DNS records do not match.").waitFor();
  expect(await faultsInEveryLook(page, "status-page-domain-wrong", true)).toEqual([]);
  const visitor = await openPage(atHost(HOST));
  await visitor.goto("/");
  await visitor.getByRole("heading", { name: "Sign in" }).waitFor();

  lead(HOST, made);
  await check();
  await step("CNAME").getByText("The CNAME record is right").waitFor();
  await step("TXT").getByText("The TXT record is right").waitFor();
  await part.getByRole("status").getByText("Visitors find the page there.").waitFor();
  expect(await faultsInEveryLook(page, "status-page-domain-served", true)).toEqual([]);
  expect(await page.getByRole("link", { name: "Open page" }).getAttribute("href")).toBe(atHost(HOST));
  await visitor.goto("/");
  await visitor.getByRole("heading", { level: 1, name: "Northwind" }).waitFor();

  dns.set(HOST, { a: ["192.0.2.9"] });
  await check();
  await part.getByRole("status").getByText("Visitors still find the page there").waitFor();
  await part.getByRole("button", { name: "Remove domain" }).click();
  // One press alone takes nothing from visitors.
  const dialog = page.getByRole("dialog", { name: `Remove ${HOST}?` });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await part.getByRole("button", { name: "Remove domain" }).click();
  await dialog.getByRole("button", { name: "Remove domain" }).click();
  await step("CNAME").waitFor({ state: "detached" });
  await visitor.reload();
  await visitor.getByRole("heading", { name: "Sign in" }).waitFor();
}, 180_000);

/** Where a document leads and what it loads, in full. */
const addressesIn = (page: Page) =>
  page.evaluate<string[]>(
    "[...document.querySelectorAll('[href], [src]')].map((one) => one.href || one.src).filter((one) => one.startsWith('http'))",
  );

test("on a domain of its own a page is whole, with its languages, feeds and form, and there is nothing else", async () => {
  const { page, mail, url, atHost, make, serveAt } = await start();
  const own = atHost(HOST);
  const made = await make({ name: "Northwind", slug: "northwind" });
  const shop = await callApi<{ id: number }>(page, "POST", "/api/domains", {
    ...{ name: "Shop", url: "http://127.0.0.1:9/", enabled: false },
  });
  await callApi(page, "POST", `/api/status-pages/${made.id}/domains`, { domainId: shop.id });
  await serveAt(HOST, made);
  const harbour = await callApi<{ id: number }>(page, "POST", "/api/organizations", { name: "Harbour" });
  await callApi(page, "PUT", "/api/auth/organization", { organization: String(harbour.id) });
  const closed = await make({ name: "Harbour", slug: "harbour", isPublic: false });
  await serveAt("harbour.northwind.test", closed);

  const visitor = await openPage(own);
  await visitor.goto("/");
  const addresses = await addressesIn(visitor);
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter((address) => !address.startsWith(`${own}/`))).toEqual([]);
  const statuses = await visitor.evaluate<number[]>(
    `Promise.all(${JSON.stringify(addresses)}.map((address) => fetch(address).then(({ status }) => status)))`,
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const feed = await visitor.evaluate<string>("fetch('/feed.atom').then((answer) => answer.text())");
  expect(feed).toContain(`href="${own}/`);
  expect(feed).not.toContain(url);

  await visitor.getByRole("link", { name: "Deutsch", exact: true }).click();
  await visitor.waitForURL(`${own}/?lang=de`);
  await visitor.getByRole("link", { name: "Alle Vorfälle", exact: true }).click();
  await visitor.waitForURL(`${own}/history?lang=de`);
  await visitor.getByRole("link", { name: "Abonnieren", exact: true }).click();
  await visitor.getByLabel("E-Mail-Adresse oder die URL").fill("ada@example.com");
  await visitor.getByRole("button", { name: "Abonnieren", exact: true }).click();
  await visitor.getByRole("heading", { name: "Fast geschafft" }).waitFor();
  const link = await nextLink(mail);
  expect(link).toContain(`${url}/status/subscribe/`);
  await visitor.goto(link);
  await visitor.getByRole("button", { name: "Ja, abonnieren" }).click();
  await visitor.getByRole("heading", { name: "Das Abonnement ist bestätigt" }).waitFor();
  await visitor.getByRole("link", { name: "Zur Statusseite" }).click();
  await visitor.waitForURL(`${own}/`);

  for (const path of [
    ...["/nothing", "/unlock", "/incidents/nothing", "/status/northwind", "/status/harbour"],
    ...["/sign-in", "/domains", "/api/health", "/docs", "/assets/nothing.js", new URL(link).pathname],
  ]) {
    const answer = await visitor.goto(own + path);
    expect([path, answer?.status(), await visitor.title()]).toEqual([path, 404, "Page not found"]);
    expect(await visitor.locator("script").count(), path).toBe(0);
  }
  await visitor.getByRole("link", { name: "Back to the current status" }).click();
  await visitor.waitForURL(`${own}/`);
  // Of another organization, for its members only: there can be no session here.
  const hidden = await visitor.goto(`${atHost("harbour.northwind.test")}/`);
  expect([hidden?.status(), await visitor.title()]).toEqual([404, "Page not found"]);
  expect(await visitor.locator("a").count()).toBe(0);
}, 180_000);

test("a browser that had the app at the host forgets it once the host is the page's own", async ({
  skip,
}) => {
  await needWholeBrowser(skip);
  const { atHost, make, serveAt } = await start();
  const made = await make({ name: "Northwind", slug: "northwind" });
  const visitor = await openPage(atHost(HOST), { offline: true, whole: true });
  await visitor.goto("/");
  await visitor.getByRole("heading", { name: "Sign in" }).waitFor();
  await visitor.evaluate("navigator.serviceWorker.ready");
  const stored = () =>
    visitor
      .evaluate<unknown[]>(
        "Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()]).then(([a, b]) => [...a, ...b].map(String))",
      )
      // It is loaded anew.
      .catch(() => ["?"]);
  expect(await stored()).toHaveLength(2);
  await serveAt(HOST, made);
  await visitor.goto("/");
  await expect.poll(stored, { timeout: 15_000 }).toEqual([]);
  await visitor.getByRole("heading", { level: 1, name: "Northwind" }).waitFor();
}, 240_000);
