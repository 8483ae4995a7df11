import { expect, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import { callApi, signInAsOwner, startInstallation } from "./harness/installation.ts";

const RUN = "window.stolen = 1";
const FOOTER = `**Ours** <script>${RUN}</script> <img src=x onerror="${RUN}"> [away](javascript:${RUN}) ![pixel](https://elsewhere.test/pixel)`;
const CSS = `h1::after { content: "</style><script>${RUN}</script>" } .overall { border: 3px solid rgb(1 2 3) }`;
const logoFilledFrom = (address: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><linearGradient id="fill"><stop stop-color="#0b6e4f"/></linearGradient><style>rect { fill: url(${address}) }</style><rect width="120" height="40"/></svg>`;
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a page's own logo, colors, footer and style sheet are seen, and nothing in them runs or reaches anything", async () => {
  const server = await startInstallation();
  const page = await openPage(server.url, { hostile: true });
  await signInAsOwner(page, server);
  const made = { name: "Northwind", slug: "northwind" };
  await callApi(page, "POST", "/api/status-pages", made);
  const set = "/api/status-pages/1";
  await callApi(page, "PUT", set, { appearance: { accent: "#ffe14d", footer: FOOTER, css: CSS } });
  const putLogo = (address: string) =>
    callApi(page, "PUT", `${set}/logo`, { content: base64(logoFilledFrom(address)) });
  await expect(putLogo("https://elsewhere.test/logo")).rejects.toThrow("422");
  await putLogo("#fill");

  const reached: string[] = [];
  await page.route(
    (url) => url.origin !== server.url && url.protocol.startsWith("http"),
    (route) => {
      reached.push(route.request().url());
      return route.abort();
    },
  );
  await page.goto(`${server.url}/status/northwind`);
  const logo = page.getByRole("img", { name: "Northwind", exact: true });
  await logo.waitFor();
  expect(await page.evaluate("document.images[0].decode().then(() => document.images[0].naturalWidth)")).toBe(
    120,
  );
  const shown = await page.evaluate<string[]>(
    "[getComputedStyle(document.querySelector('.overall')).borderTopColor, getComputedStyle(document.body).borderTopColor, getComputedStyle(document.querySelector('h1'), '::after').content]",
  );
  expect(shown[0]).toBe("rgb(1, 2, 3)");
  expect(shown[1]).toBe("rgb(255, 225, 77)");
  expect(shown[2]).toContain("</style><script>");
  await page.getByText("Ours", { exact: true }).waitFor();
  expect(await page.locator("footer a[href^='javascript']").count()).toBe(0);
  expect(await page.evaluate("'stolen' in window")).toBe(false);

  const address = await logo.getAttribute("src");
  await page.goto(server.url + address);
  expect(await page.evaluate("document.documentElement.localName")).toBe("svg");
  expect(await page.evaluate("'stolen' in window")).toBe(false);
  expect(reached).toEqual([]);
});
