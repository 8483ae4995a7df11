import { expect, test } from "vitest";
import { shareInstallation } from "./harness/installation.ts";

const app = shareInstallation();

test("the app can be installed: its manifest and icons are what a browser requires", async () => {
  const page = await app.open();
  await page.goto("/");
  const session = await page.context().newCDPSession(page);
  const { data = "", errors, url } = await session.send("Page.getAppManifest");
  expect([errors, url]).toEqual([[], `${app.url}/manifest.webmanifest`]);
  expect(JSON.parse(data)).toMatchObject({ name: "Vedette", display: "standalone", start_url: "/" });
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A whole browser adds that the page of a test is a window that keeps nothing.
  const reasons = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
  expect(reasons).toEqual([]);
});

/** The width and height of a PNG, by its header. */
async function sizeOf(url: string): Promise<string> {
  const bytes = new DataView(await (await fetch(url)).arrayBuffer());
  return `${bytes.getUint32(16)}x${bytes.getUint32(20)}`;
}

test("each icon has the size that it claims, and iOS finds its own", async () => {
  const page = await app.open();
  await page.goto("/");
  const href = (selector: string) => page.locator(selector).getAttribute("href");
  const manifest = await fetch(`${app.url}${await href("link[rel=manifest]")}`);
  expect(manifest.headers.get("content-type")).toContain("application/manifest+json");
  const { icons } = (await manifest.json()) as { icons: { src: string; sizes: string }[] };
  expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  for (const { src, sizes } of icons) expect([src, await sizeOf(app.url + src)]).toEqual([src, sizes]);
  expect(await sizeOf(`${app.url}${await href("link[rel=apple-touch-icon]")}`)).toBe("180x180");
});
