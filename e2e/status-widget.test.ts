import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import { callApi, signInAsOwner, startInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const HOSTILE = `North"wind</title><script>window.stolen = 1</script><img src=x onerror="window.stolen = 1">`;

/** A foreign site that embeds the status page and nothing else. */
async function startSite(statusPage: string): Promise<string> {
  const { origin } = new URL(statusPage);
  const policy = `default-src 'none'; script-src ${origin}; frame-src ${origin}; img-src ${origin} data:; connect-src ${origin}`;
  const badges = ["status", "uptime", "response"].map(
    (name) => `<img alt="${name}" src="${statusPage}/badge/${name}.svg">`,
  );
  const html = `<!doctype html><html lang="de-AT"><link rel="icon" href="data:,"><title>Another site</title>
${badges.join("")}<footer><script src="${statusPage}/widget.js" data-theme="dark"></script></footer></html>`;
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(html);
  });
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  onTestFinished(() => void site.close());
  return `http://localhost:${(site.address() as AddressInfo).port}/`;
}

const isStolen = (page: Page) =>
  Promise.all(page.frames().map((frame) => frame.evaluate("'stolen' in window")));

test("badges, JSON and the widget of a status page work on other sites, and nothing in its name runs there", async () => {
  const server = await startInstallation();
  const page = await openPage(server.url);
  await signInAsOwner(page, server);
  const made = { name: HOSTILE, slug: "northwind" };
  await callApi(page, "POST", "/api/status-pages", made);
  const statusPage = `${server.url}/status/northwind`;

  await page.goto(await startSite(statusPage));
  const widths = await page.evaluate<number[]>(
    "Promise.all([...document.images].map((image) => image.decode().then(() => image.naturalWidth)))",
  );
  expect(widths.map((width) => width > 50)).toEqual([true, true, true]);
  const frame = page.frameLocator("footer iframe");
  await frame.getByRole("link").getByText(HOSTILE).waitFor();
  expect(await frame.locator("html").getAttribute("lang")).toBe("de");
  expect(await frame.locator("html").getAttribute("data-theme")).toBe("dark");
  const address = `${statusPage}/api/v2/summary.json`;
  const summary = await page.evaluate<{ page: { name: string } }>(
    `fetch(${JSON.stringify(address)}).then((answer) => answer.json())`,
  );
  expect(summary.page.name).toBe(HOSTILE);
  expect(await isStolen(page)).toEqual([false, false]);

  await page.goto(`${statusPage}/widget`);
  expect(await faultsInEveryLook(page, "status-widget")).toEqual([]);
  await page.goto(`${statusPage}/badge/status.svg`);
  expect(await isStolen(page)).toEqual([false]);
});
