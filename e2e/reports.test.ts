import { expect, test } from "vitest";
import { respond } from "../server/test/harness/behaviours.ts";
import { runCommand } from "../server/test/harness/process.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

test("a report is read, as a table too, for other times and things, and taken along as a file", async () => {
  const target = await startHttpTarget({ handler: respond({ body: "fine" }) });
  const soon = { checkInterval: 10, timeout: 5, confirmations: 1 };
  const page = await app.open();
  await page.goto("/");
  await callApi(page, "POST", "/api/domains", { name: "Shop <b>", url: target.url, ...soon });
  await callApi(page, "POST", "/api/incidents", { title: "Payments <i>are slow", severity: "high" });

  await page.getByRole("link", { name: "Reports" }).first().click();
  await page.getByRole("heading", { name: "Reports" }).waitFor();
  await page.getByRole("link", { name: "Shop <b>" }).waitFor();
  await page.getByText("Slowest 5 % (p95)").first().waitFor();
  await page.getByRole("link", { name: "Get this by mail" }).waitFor();
  await callApi(page, "PUT", "/api/notifications/settings", { emailWeeklyReports: true });
  await page.reload();
  await page.getByRole("link", { name: "This installation sends no mail" }).waitFor();
  expect(await faultsInEveryLook(page, "reports-domains", true)).toEqual([]);

  await page.getByRole("button", { name: "Show as a table" }).first().click();
  await page.getByRole("region", { name: "Downtime" }).getByRole("table").waitFor();
  await page.getByRole("radio", { name: "Last 24 hours" }).check();
  await page.waitForURL(/range=24h/);
  const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
  const file = await page.evaluate(`fetch(${JSON.stringify(csv)}).then((answer) => answer.text())`);
  expect(file).toContain("Shop <b>");
  const pdf = await page.getByRole("link", { name: "PDF" }).getAttribute("href");
  expect(pdf).toContain("language=en");
  const head = `fetch(${JSON.stringify(pdf)}).then((answer) => answer.text()).then((text) => text.slice(0, 200))`;
  expect(await page.evaluate(head)).toMatch(/^%PDF-/);
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "PDF" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^domains-report-.*\.pdf$/);
  const busy = { success: false, message: "The server is busy for the moment." };
  await page.route(/format=pdf/, (route) => route.fulfill({ status: 503, json: busy }));
  await page.getByRole("link", { name: "PDF" }).click();
  await page.getByText(busy.message).waitFor();

  await page.getByRole("radio", { name: "Days of your choice" }).check();
  await page.getByLabel("From", { exact: true }).fill("2026-01-01");
  await page.getByLabel("To", { exact: true }).fill("2025-12-01");
  await page.getByText("The end must be later than the start.").waitFor();
  expect(await page.getByRole("link", { name: "CSV" }).count()).toBe(0);
  await page.getByRole("radio", { name: "Last 30 days" }).check();

  await page.getByRole("button", { name: "Incidents" }).click();
  await page.getByRole("link", { name: "Payments <i>are slow" }).waitFor();
  expect(await faultsInEveryLook(page, "reports-incidents", true)).toEqual([]);
  for (const [name, about, none] of [
    ["Services", "services", "No services yet"],
    ["Devices", "devices", "No devices yet"],
  ] as const) {
    await page.getByRole("button", { name }).click();
    await page.waitForURL(new RegExp(`about=${about}`));
    await page.getByRole("heading", { name: none }).waitFor();
  }

  const print = await page.getByRole("link", { name: "Print" }).getAttribute("href");
  await page.goto(print as string);
  await page.getByRole("heading", { name: "Availability of devices" }).waitFor();
});

test("names are not cut, and what is left of an error budget on a phone too", async () => {
  const target = await startHttpTarget({ handler: respond({ body: "fine" }) });
  const name = "checkout.payments.eu-central-1.northwind.example/health";
  const soon = { checkInterval: 10, timeout: 5, confirmations: 1, objective: 99.9 };
  for (const width of [1440, 390]) {
    const page = await app.open({ width });
    await page.goto("/reports");
    if (width === 1440) await callApi(page, "POST", "/api/domains", { name, url: target.url, ...soon });
    await page.reload();
    const link = page.getByRole("link", { name });
    await link.waitFor();
    expect(await link.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBeLessThanOrEqual(0);
    const budget = page.getByText(
      width === 390 ? "Error budget left: 100% (objective 99.9%)" : "100% (objective 99.9%)",
    );
    await budget.filter({ visible: true }).first().waitFor();
  }
});

test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])("days are the reader's own: %s", async (timeZone) => {
  const page = await app.open({ timeZone });
  await page.goto("/reports");
  await page.getByRole("radio", { name: "Days of your choice" }).check();
  const to = page.getByLabel("To", { exact: true });
  // As `2026-11-29`.
  const today = new Intl.DateTimeFormat("sv", { timeZone }).format(Date.now());
  expect(await to.inputValue()).toBe(today);

  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).searchParams.get("from") ?? "2"));
  const entries = await page.evaluate<number>("history.length");
  await page.getByLabel("From", { exact: true }).click({ position: { x: 12, y: 16 } });
  await page.keyboard.type("11112025");
  await page.waitForURL(/from=2025-11-11/);
  expect(requests.filter((from) => !from.startsWith("2"))).toEqual([]);
  expect(await page.evaluate("history.length")).toBe(entries);
});

test("a report of another organization than the reader is in says whose it is, and so do its files", async () => {
  const page = await app.open();
  await page.goto("/reports");
  const head = page.locator("[data-report=head]");
  await head.getByText("Northwind").waitFor();
  const own = await callApi<{ organization: { id: number } }>(page, "GET", "/api/auth/me");
  const other = await callApi<{ id: number; uuid: string; slug: string }>(
    page,
    "POST",
    "/api/organizations",
    {
      name: "Southwind <i>",
    },
  );
  await runCommand(["plan", other.slug, "expert", "--reports", "--data", app.dataFolder]);
  const enter = (id: number) => callApi(page, "PUT", "/api/auth/organization", { organization: String(id) });
  await enter(other.id);
  await callApi(page, "POST", "/api/domains", { name: "Quay", url: "http://127.0.0.1:9/" });
  await callApi(page, "POST", "/api/incidents", { title: "Flood", severity: "low" });
  await enter(own.organization.id);
  await page.goto(`/reports?range=custom&from=2026-11-16&to=2026-11-22&organization=${other.uuid}`);
  await head.getByText("Southwind <i>").waitFor();
  const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
  expect(csv).toContain(`organization=${other.uuid}`);
  // What it names has no page in the organization that the reader is in, and the next mail is about that one.
  for (const [about, name] of [
    ["domains", "Quay"],
    ["incidents", "Flood"],
  ] as const) {
    await page.goto(`/reports?about=${about}&range=24h&organization=${other.uuid}`);
    await page.getByRole("rowheader", { name }).waitFor();
    expect(await page.getByRole("link", { name }).count()).toBe(0);
  }
  expect(await page.locator("main").getByRole("link", { name: "mail" }).count()).toBe(0);
  await page.getByRole("button", { name: "Show that of Northwind" }).click();
  await head.getByText("Northwind").waitFor();
  expect(page.url()).not.toContain("organization");
});

test("a report that cannot be read again stays, with whose it is, its files and its mails", async () => {
  const page = await app.open();
  await page.clock.install();
  await page.goto("/reports");
  const head = page.locator("[data-report=head]");
  await head.getByText("Northwind").waitFor();
  await page.getByRole("link", { name: "CSV" }).waitFor();
  const busy = { success: false, message: "The server is busy for the moment." };
  await page.route("**/api/reports/**", (route) => route.fulfill({ status: 503, json: busy }));
  await page.clock.fastForward("05:01");
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await head.getByText("Northwind").waitFor();
  expect(await page.getByRole("link", { name: "CSV" }).count()).toBe(1);
  expect(await page.locator("main").getByRole("link", { name: "mail" }).count()).toBe(1);
});

test("without the Reports plan the page says so", async () => {
  const page = await app.open();
  await runCommand(["plan", "northwind", "expert", "--no-reports", "--data", app.dataFolder]);
  await page.goto("/reports");
  await page.getByText("This feature requires a Reports Plan subscription.").waitFor();
  for (const name of ["CSV", "PDF", "Print", "Get this by mail"]) {
    expect(await page.getByRole("link", { name }).count()).toBe(0);
  }
  expect(await faultsInEveryLook(page, "reports-plan")).toEqual([]);
  await runCommand(["plan", "northwind", "expert", "--reports", "--data", app.dataFolder]);
});
