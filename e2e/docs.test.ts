import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { startTestServer } from "../server/test/harness/server.ts";
import { openPage } from "./harness/browser.ts";

test("the API's documentation can be read in a browser, under the content security policy", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const page = await openPage(server.url);
  await page.goto("/docs");
  // Of so many operations more are drawn as somebody scrolls down.
  const domains = page.getByText("/v2/domains", { exact: true });
  await eventually(
    async () => {
      await page.locator(".opblock").last().scrollIntoViewIfNeeded();
      return domains.count();
    },
    (count) => count > 0,
    30_000,
  );
  await page.getByText("/api/domains", { exact: true }).first().click();
  await page.getByText("Responses").first().waitFor();
  expect(await page.getByText("No or invalid credentials.").count()).toBeGreaterThan(0);
});
