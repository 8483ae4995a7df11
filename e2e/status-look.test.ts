import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import { callApi, signInAsOwner, startInstallation } from "./harness/installation.ts";

const RUN = "window.stolen = 1";
const HOSTILE = `North"wind</title><script>${RUN}</script><img src=x onerror="${RUN}">`;
const FOOTER = `**Ours** <script>${RUN}</script> <img src=x onerror="${RUN}"> [away](javascript:${RUN}) ![pixel](https://elsewhere.test/pixel)`;
const CSS = `h1::after { content: "</style><script>${RUN}</script>" } .overall { border: 3px solid rgb(1 2 3) }`;
const logoFilledFrom = (address: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><linearGradient id="fill"><stop stop-color="#0b6e4f"/></linearGradient><style>rect { fill: url(${address}) }</style><rect width="120" height="40"/></svg>`;
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A page whose owners and the people who report incidents mean ill. */
async function makeHostilePage(page: Page): Promise<void> {
  const set = "/api/status-pages/1";
  await callApi(page, "POST", "/api/status-pages", {
    name: HOSTILE,
    slug: "northwind",
    description: HOSTILE,
  });
  await callApi(page, "PUT", set, { appearance: { accent: "#ffe14d", footer: FOOTER, css: CSS } });
  const putLogo = (address: string) =>
    callApi(page, "PUT", `${set}/logo`, { content: base64(logoFilledFrom(address)) });
  await expect(putLogo("https://elsewhere.test/logo")).rejects.toThrow("422");
  await putLogo("#fill");
  const domain = { name: "Shop", url: "http://127.0.0.1:9/", checkInterval: 3600 };
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", domain);
  await callApi(page, "POST", `${set}/domains`, { domainId: id, displayName: HOSTILE });
  const reported = { title: HOSTILE, monitorIds: [id], impact: "minor" };
  const incident = await callApi<{ id: number }>(page, "POST", "/api/incidents", reported);
  const update = { message: `${HOSTILE}\n\n${FOOTER}`, status: "identified" };
  await callApi(page, "POST", `/api/incidents/${incident.id}/updates`, update);
}

/** Requests to anything but the installation are answered here, so that what gets out is seen and goes nowhere. */
async function watchForeignRequests(page: Page, own: string): Promise<string[]> {
  const reached: string[] = [];
  await page.route(
    (url) => url.origin !== own && url.protocol.startsWith("http"),
    (route) => {
      reached.push(route.request().url());
      return route.abort();
    },
  );
  return reached;
}

const isStolen = (page: Page) =>
  Promise.all(page.frames().map((frame) => frame.evaluate("'stolen' in window")));

/** What its style sheet makes of the page: whether it is seen. */
const STYLED =
  "[getComputedStyle(document.querySelector('.overall')).borderTopColor, getComputedStyle(document.body).borderTopColor, getComputedStyle(document.querySelector('h1'), '::after').content]";
const styled = ["rgb(1, 2, 3)", "rgb(255, 225, 77)", expect.stringContaining("</style><script>")];

test("a page's own logo, colors, footer and style sheet are seen by visitors and in the preview, and nothing in them runs or reaches anything", async () => {
  const server = await startInstallation();
  const page = await openPage(server.url, { hostile: true });
  await signInAsOwner(page, server);
  await makeHostilePage(page);
  const reached = await watchForeignRequests(page, server.url);

  await page.goto(`${server.url}/status/northwind`);
  const logo = page.getByRole("img", { name: HOSTILE, exact: true });
  await logo.waitFor();
  expect(await page.evaluate("document.images[0].decode().then(() => document.images[0].naturalWidth)")).toBe(
    120,
  );
  expect(await page.evaluate(STYLED)).toEqual(styled);
  await page.locator("footer").getByText("Ours", { exact: true }).waitFor();
  expect(await page.locator("a[href^='javascript']").count()).toBe(0);
  expect(await isStolen(page)).toEqual([false]);
  const address = await logo.getAttribute("src");

  await page.goto(`${server.url}/status-pages/1`);
  const preview = page.frameLocator("iframe:not([aria-hidden=true])");
  await preview.locator("footer").getByText("Ours", { exact: true }).waitFor();
  const inside = page.frames().find((frame) => frame.url() === "about:srcdoc");
  await expect.poll(() => inside?.evaluate("document.images[0]?.naturalWidth")).toBe(120);
  expect(await inside?.evaluate("document.images[0].alt")).toBe(HOSTILE);
  expect(await inside?.evaluate(STYLED)).toEqual(styled);
  expect(await isStolen(page)).toEqual(page.frames().map(() => false));

  await page.goto(server.url + address);
  expect(await page.evaluate("document.documentElement.localName")).toBe("svg");
  expect(await isStolen(page)).toEqual([false]);
  expect(reached).toEqual([]);
});
