import { expect, onTestFinished, test } from "vitest";
import { respond } from "../server/test/harness/behaviours.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

test("an incident shows what the check saw, as text", async () => {
  const html = `<h1>Sorry</h1><script>document.title = "x"</script><img src=x onerror=alert(1)>${"y".repeat(5_000)}`;
  const headers = { "content-type": "text/html", "set-cookie": "session=abc", "x-served-by": "node-3" };
  const target = await startHttpTarget({ handler: respond({ status: 503, headers, body: html }) });
  onTestFinished(target.close);
  const page = await app.open();
  await page.goto("/incidents");
  await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", {
    ...{ name: "Sorry shop", url: target.url, checkInterval: 60 },
  });
  await page.getByRole("link", { name: "Sorry shop is down" }).click();
  const evidence = card(page, "What the check saw");
  await evidence.getByText(/First failure.*local · HTTP\/1\.1 503 Whatever/).click();
  const first = evidence.locator("[data-evidence=first]");
  await first.getByText("x-served-by: node-3").waitFor();
  await first.getByText("set-cookie: ********").waitFor();
  await first.getByText("Only the beginning was kept.").waitFor();
  await first.getByText('<script>document.title = "x"</script>').waitFor();
  expect(await evidence.locator("script, img, h1").count()).toBe(0);
  expect(await evidence.getByText(/^Confirmation/).count()).toBe(1);
  expect(await faultsInEveryLook(page, "incident-evidence", true)).toEqual([]);
  await callApi(page, "DELETE", `/api/domains/${id}`);
});
