import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { startTestServer } from "../server/test/harness/server.ts";
import { openPage } from "./harness/browser.ts";

test("the API's documentation can be read in a browser, under the content security policy", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const page = await openPage(server.url);
  await page.goto("/docs");
  // Its groups can be read at a glance, searched by name and address, and opened one at a time.
  const groups = page.locator(".opblock-tag");
  await eventually(
    () => groups.count(),
    (count) => count > 8,
    30_000,
  );
  expect(await page.locator(".opblock-tag-section .opblock").count()).toBe(0);
  await page.getByPlaceholder("Filter by tag").fill("v2/domains");
  await eventually(
    () => groups.count(),
    (count) => count < 4,
  );
  await groups.filter({ hasText: "domains" }).first().click();
  await page.getByText("/v2/domains", { exact: true }).first().click();
  await page.getByText("Responses").first().waitFor();
  // Its address leads there again.
  expect(new URL(page.url()).hash).toMatch(/^#\/domains\//);
  expect(await page.getByText("No or invalid credentials.").count()).toBeGreaterThan(0);
});
