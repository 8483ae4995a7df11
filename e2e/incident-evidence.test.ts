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
  await evidence.getByText(/First failure.*the Vedette server · HTTP\/1\.1 503 Whatever/).click();
  const first = evidence.locator("[data-evidence=first]");
  await first.getByText("x-served-by: node-3").waitFor();
  await first.getByText("set-cookie: ********").waitFor();
  await first.getByText("Only the beginning was stored.").waitFor();
  await first.getByText('<script>document.title = "x"</script>').waitFor();
  expect(await evidence.locator("script, img, h1").count()).toBe(0);
  expect(await evidence.getByText(/^Confirmation/).count()).toBe(1);
  expect(await faultsInEveryLook(page, "incident-evidence", true)).toEqual([]);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await first.getByRole("button", { name: "Copy", exact: true }).click();
  await first.getByRole("button", { name: "Copied", exact: true }).waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(copied).toMatch(/^HTTP\/1\.1 503 Whatever\n/);
  expect(copied).toContain("set-cookie: ********\n");
  expect(copied).toContain("\n\n<h1>Sorry</h1><script>");
  await callApi(page, "DELETE", `/api/domains/${id}`);
});

test("an incident of a target that is unreachable shows the way there, in every language", async () => {
  const target = await startHttpTarget({ handler: respond({ status: 200 }) });
  await target.close();
  const page = await app.open();
  await page.goto("/incidents");
  await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", {
    ...{ name: "Closed shop", url: target.url, checkInterval: 60 },
  });
  await page.getByRole("link", { name: "Closed shop is down" }).click();
  const evidence = card(page, "What the check saw");
  await evidence.getByText(/^Confirmation.*the Vedette server · no response/).click();
  const confirmation = evidence.locator("[data-evidence=confirmation]");
  // Where the machine has no ping, or may not use it, that is what the page says.
  await confirmation.getByText("Route to the address").waitFor({ timeout: 30_000 });
  await confirmation.getByText(/The address answers pings\.|trace routes: /).waitFor();
  expect(await faultsInEveryLook(page, "incident-evidence-route", true)).toEqual([]);
  const hops = [
    [1, "private", 0.4],
    [2, null, null],
    [3, "2001:db8:1234:5678:9abc:def0:1234:5678", 112.3],
  ] as const;
  await page.route("**/api/incidents/*/evidence", async (reading) => {
    const answer = await reading.fetch();
    const body = await answer.json();
    for (const one of body.data.evidence) {
      one.route = hops.map(([hop, address, ms]) => ({ hop, address, ms }));
      Object.assign(one, { routeReached: false, routeMessage: null, routeFact: null });
    }
    await reading.fulfill({ response: answer, json: body });
  });
  for (const [language, title, moment, words] of [
    [
      "de",
      "Was die Prüfung sah",
      /^Bestätigung/,
      ["private Adresse", "Nach Hop 3 hat nichts mehr geantwortet."],
    ],
    ["zh", "检查所见", /^确认/, ["内网地址", "第 3 跳之后没有任何应答。"]],
  ] as const) {
    await page.addInitScript(`localStorage.setItem("vedette.language", "${language}")`);
    await page.reload();
    const translated = card(page, title);
    await translated.getByText(moment).click();
    const seen = translated.locator("[data-evidence=confirmation]");
    for (const word of words) await seen.getByText(word, { exact: true }).waitFor();
    expect(await faultsInEveryLook(page, `incident-evidence-${language}`, true)).toEqual([]);
  }
  await callApi(page, "DELETE", `/api/domains/${id}`);
});
