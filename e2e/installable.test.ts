import { expect, test } from "vitest";
import { shareInstallation } from "./harness/installation.ts";

const app = shareInstallation();

test("the app can be installed: its manifest and icons are what a browser asks for", async () => {
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

test("each icon has the size that it claims, and iOS finds its own", async () => {
  const page = await app.open();
  await page.goto("/");
  const claimed: { src: string; sizes: string }[] = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
    return (await (await fetch(link?.href ?? "")).json()).icons;
  });
  const apple = await page.locator("link[rel=apple-touch-icon]").getAttribute("href");
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (src) => {
          const image = document.createElement("img");
          image.src = src;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      ),
    [...claimed.map(({ src }) => src), apple ?? ""],
  );
  expect(sizes).toEqual([...claimed.map(({ sizes: size }) => size), "180x180"]);
  expect(claimed.map((icon) => icon.sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  const manifest = await fetch(`${app.url}/manifest.webmanifest`);
  expect(manifest.headers.get("content-type")).toContain("application/manifest+json");
});
