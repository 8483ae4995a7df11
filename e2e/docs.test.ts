import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../server/test/harness/server.ts";
import { openPage } from "./harness/browser.ts";

test("the API's documentation can be read in a browser, under the content security policy", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const page = await openPage(server.url);
  await page.goto("/docs");
  await page.getByText("/v2/domains", { exact: true }).first().waitFor();
  await page.getByText("/api/domains", { exact: true }).first().click();
  await page.getByText("Responses").first().waitFor();
  expect(await page.getByText("No or invalid credentials.").count()).toBeGreaterThan(0);
});
