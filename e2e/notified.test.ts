import { expect, onTestFinished, test } from "vitest";
import { type Behaviour, respond } from "../server/test/harness/behaviours.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();
const HOUR_MS = 3_600_000;

const errorPage =
  "<html><head><title>503 Service Unavailable</title></head><body><h1>Sorry</h1></body></html>";

async function startTarget(handler: Behaviour) {
  const target = await startHttpTarget({ handler });
  onTestFinished(target.close);
  return target.url;
}

/** Two hours later than now, for an hour. */
function laterToday(): { from: string; to: string } {
  const clock = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
  return { from: clock(2 * HOUR_MS), to: clock(3 * HOUR_MS) };
}

test("an incident says of each channel when it was notified, what it waits for, or why it is sent nothing", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  const add = (name: string, url: string, more: object = {}) =>
    callApi<{ id: number }>(page, "POST", "/api/notifications/channels", {
      ...{ name, type: "mattermost", config: { url } },
      ...more,
    });
  const refusing = await startTarget(respond({ status: 403, body: "invalid_auth" }));
  const onCall = await add("On call", await startTarget(respond()));
  await add("Office chat", await startTarget(respond()), { hours: laterToday() });
  await add("Status board", await startTarget(respond({ status: 503, body: errorPage })));
  const old = await add("A chat that the operations team gave up long ago", refusing, { type: "slack" });
  const off = await add("Night shift", await startTarget(respond()), { enabled: false });
  await add("Management", await startTarget(respond()), { severities: ["critical"] });
  await add("Payments", await startTarget(respond()), { tags: ["payments", "billing"] });
  await add("Performance", await startTarget(respond()), { events: ["monitor.degraded"] });
  await callApi(page, "POST", "/api/domains", { name: "Shop", url: "http://127.0.0.1:1/" });
  await page.getByRole("link", { name: "Shop is down" }).click();

  const notified = card(page, "Who was notified");
  const first = notified.getByRole("listitem").first();
  await first.filter({ hasText: /Status board|gave up long ago/ }).waitFor();
  const row = (name: string) => notified.getByRole("listitem").filter({ hasText: name }).first();
  const says = (name: string, words: RegExp | string) => row(name).getByText(words).first().waitFor();
  await says("On call", /^Notified /);
  await says("On call", /^delivered /);
  await says("Office chat", /^Outside its hours, sent from /);
  await says("Status board", /^Not reached yet, next attempt /);
  await says("Status board", /\(503\): Service Unavailable/);
  await says("gave up long ago", /^Disabled since \d\d:\d\d: the other side refuses messages/);
  await says("gave up long ago", /next attempt /);
  await says("Management", "Filtered: wants critical only");
  await says("Payments", "Filtered: wants only the tags payments and billing");
  await says("Performance", "Filtered: wants only the event “Degraded”");
  await says("Night shift", /^Off since \d\d:\d\d$/);
  expect(await notified.getByText("Shop").count()).toBe(0);
  expect(await faultsInEveryLook(page, "incident-notified", true)).toEqual([]);
  for (const language of ["de", "zh"]) {
    await callApi(page, "PATCH", "/api/auth/me", { language });
    await page.reload();
    await page.getByText("On call").first().waitFor();
    expect(await faultsInEveryLook(page, `incident-notified-${language}`, true)).toEqual([]);
  }
  await callApi(page, "PATCH", "/api/auth/me", { language: "en" });
  await page.reload();
  // Why it was disabled is on its page.
  await row("gave up long ago").getByRole("link", { name: "Settings" }).click();
  await page.waitForURL(`**/settings/channels/${old.id}`);
  await page.getByText(/^Disabled by Vedette, \d\d:\d\d\. /).waitFor();
  // And who turned off the other one, which is on again with one click.
  await page.goto(`/settings/channels/${off.id}`);
  await page.getByText(/^Turned off by .+, \d\d:\d\d$/).waitFor();
  expect(await faultsInEveryLook(page, "channel-off")).toEqual([]);
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("Night shift is on again.").waitFor();
  await page.getByRole("button", { name: "Turn on" }).waitFor({ state: "detached" });
  // Nothing is sent again to a channel that is off.
  await page.goto(`/settings/channels/${onCall.id}`);
  const again = page.getByRole("button", { name: "Send again" });
  await again.first().waitFor();
  await callApi(page, "PUT", `/api/notifications/channels/${onCall.id}`, { enabled: false });
  await page.reload();
  await page.getByText("Nothing is sent there until it is turned on.").waitFor();
  await page.getByRole("region", { name: "Log" }).getByText("delivered").first().waitFor();
  expect(await again.count()).toBe(0);
  await callApi(page, "PUT", `/api/notifications/channels/${onCall.id}`, { enabled: true });
});

test("channels that are folded are unfolded by keyboard, which continues at the first of them", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  for (const name of ["Reserve 1", "Reserve 2", "Reserve 3"])
    await callApi(page, "POST", "/api/notifications/channels", {
      ...{ name, type: "mattermost", enabled: false, config: { url: "http://127.0.0.1:1/" } },
    });
  await page.getByRole("link", { name: "Shop is down" }).click();
  const notified = card(page, "Who was notified");
  const more = notified.getByRole("button", { name: /^\d+ more channels$/ });
  await more.focus();
  await page.keyboard.press("Enter");
  await more.waitFor({ state: "detached" });
  const focused = await page.evaluate<string>("document.activeElement?.closest('li')?.textContent ?? ''");
  const rows = await notified.locator("ul").first().locator("> li").allTextContents();
  expect(focused).toBe(rows[8]);
});

test("the overview warns of open incidents that no one has been notified of", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  await callApi(page, "POST", "/api/domains", { name: "Wiki", url: "http://127.0.0.1:1/wiki" });
  const [incident] = await callApi<{ id: number; title: string; titleFact: object }[]>(
    page,
    "GET",
    "/api/incidents",
  );
  const unnotified = [1, 2, 3, 4].map((at) => ({
    ...incident,
    title: `Site ${at} is down`,
    titleFact: null,
  }));
  unnotified.splice(0, 1, incident as never);
  let listed: object[] = unnotified.slice(0, 1);
  await page.route("**/api/dashboard/stats*", async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: { incidents: object } };
    const incidents = { ...data.incidents, unnotified: listed };
    await route.fulfill({ response, json: { ...rest, data: { ...data, incidents } } });
  });
  await page.goto("/");
  const warning = page.locator("[data-unnotified]");
  await warning.getByText("No one has been notified of this incident:").waitFor();
  expect(await faultsInEveryLook(page, "overview-unnotified")).toEqual([]);
  listed = unnotified.map((one, at) => ({ ...one, id: (incident?.id ?? 0) + at }));
  for (const [language, words] of [
    ["de", "Über diese Vorfälle wurde noch niemand benachrichtigt:"],
    ["zh", "以下事件尚未通知任何人："],
    ["en", "No one has been notified of these incidents:"],
  ] as const) {
    await callApi(page, "PATCH", "/api/auth/me", { language });
    await page.reload();
    await warning.getByText(words).waitFor();
    expect(await faultsInEveryLook(page, `overview-unnotified-${language}`)).toEqual([]);
  }
  await warning.getByRole("link").first().click();
  await page.waitForURL(`**/incidents/${incident?.id}#notified`);
  // The list of channels comes a moment after the page.
  await expect.poll(() => page.evaluate<number>("scrollY")).toBeGreaterThan(100);
  const notified = card(page, "Who was notified");
  expect((await notified.boundingBox())?.y).toBeLessThan(200);
  await page.goto("/");
  await warning.getByRole("link", { name: "and 1 more" }).click();
  await page.waitForURL("**/incidents");
  // What the overview warns of is red on its own page, too.
  await page.route("**/deliveries?*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...((await response.json()) as object), data: [], channels: [] },
    });
  });
  const count = page.locator("header dl").getByRole("link", { name: "No one yet" });
  for (const isRed of [true, false]) {
    listed = isRed ? [incident as object] : [];
    await page.goto(`/incidents/${incident?.id}`);
    await count.waitFor();
    await expect.poll(async () => (await count.getAttribute("class"))?.includes("text-down-ink")).toBe(isRed);
    expect(await faultsInEveryLook(page, `incident-unnotified-${isRed}`)).toEqual([]);
  }
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await warning.count()).toBe(0);
});

test("of an incident from before the log begins no one is said to have been left out", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/incidents", { title: "Old problem" });
  await page.route(`**/api/incidents/${id}/deliveries?*`, async (route) => {
    const response = await route.fetch();
    const { pagination, ...rest } = (await response.json()) as { pagination: object };
    const nothing = { data: [], pagination: { ...pagination, total: 0 }, channels: [], incomplete: true };
    await route.fulfill({ response, json: { ...rest, ...nothing } });
  });
  await page.goto(`/incidents/${id}`);
  const notified = card(page, "Who was notified");
  await notified.getByText("Who was notified is no longer known: messages are stored for 30 days.").waitFor();
  expect(await notified.getByText("Nothing was sent").count()).toBe(0);
});
