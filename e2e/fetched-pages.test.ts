import { expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { shareInstallation } from "./harness/installation.ts";

const app = shareInstallation();

test("a page's script is fetched when it is about to be opened, and those of other pages are not", async () => {
  const page = await app.open({ width: 1280 });
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  const scriptOf = (name: string) => () => fetched.some((path) => path.includes(`/assets/${name}-`));
  await page.goto("/domains");
  await page.getByLabel("URL to watch").waitFor();
  await page.evaluate("document.fonts.ready");
  expect(scriptOf("DomainsPage")()).toBe(true);
  await page.getByRole("link", { name: "Services" }).hover();
  await eventually(scriptOf("ServicesPage"), Boolean);
  await page.getByRole("link", { name: "Devices" }).focus();
  await eventually(scriptOf("DevicesPage"), Boolean);
  // Had all pages been fetched by themselves, the two would not be the only ones.
  expect(fetched.filter((path) => path.endsWith(".js")).length).toBeLessThan(40);
  expect(scriptOf("AuditLogPage")()).toBe(false);
});

test("scripts come as the build compressed them", async () => {
  const page = await app.open({ width: 1280 });
  const encodings: (string | undefined)[] = [];
  page.on("response", (response) => {
    const isScript = /\/assets\/.*\.js$/.test(response.url());
    if (isScript) void response.allHeaders().then((headers) => encodings.push(headers["content-encoding"]));
  });
  await page.goto("/domains");
  await page.getByLabel("URL to watch").waitFor();
  expect(encodings.length).toBeGreaterThan(0);
  // Browsers offer Brotli over HTTPS and on this machine only.
  expect(
    encodings.every((encoding) => encoding === "br" || encoding === "gzip" || encoding === undefined),
  ).toBe(true);
  expect(encodings).toContain("br");
});
