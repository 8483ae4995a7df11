import { expect, onTestFinished, test } from "vitest";
import { type Behaviour, respond, status } from "../server/test/harness/behaviours.ts";
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

test("an incident says which channels were told, which are held, and which could not be reached and why", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  const add = (name: string, url: string, more: object = {}) =>
    callApi<{ id: number }>(page, "POST", "/api/notifications/channels", {
      ...{ name, type: "mattermost", config: { url } },
      ...more,
    });
  await add("On call", await startTarget(respond()));
  await add("Office chat", await startTarget(respond()), { hours: laterToday() });
  await add("Status board", await startTarget(respond({ status: 503, body: errorPage })));
  const old = await add("A chat that the operations team gave up long ago", await startTarget(status(410)));
  const off = await add("Night shift", await startTarget(respond()), { enabled: false });
  await add("Certificates", await startTarget(respond()), { events: ["monitor.degraded"] });
  await callApi(page, "POST", "/api/domains", { name: "Shop", url: "http://127.0.0.1:1/" });
  await page.getByRole("link", { name: "Shop is down" }).click();

  const told = card(page, "Who was told");
  // What did not arrive stands first.
  const first = told.getByRole("listitem").first();
  await first.filter({ hasText: /Status board|gave up long ago/ }).waitFor();
  const row = (name: string) => told.getByRole("listitem").filter({ hasText: name }).first();
  await row("On call")
    .getByText(/^delivered /)
    .waitFor();
  await row("Office chat")
    .getByText(/^held until /)
    .waitFor();
  await row("Status board")
    .getByText(/^next try /)
    .waitFor();
  await row("Status board")
    .getByText(/\(503\): 503 Service Unavailable/)
    .waitFor();
  await row("gave up long ago").getByText("not delivered").waitFor();
  expect(await told.getByText("Shop").count()).toBe(0);
  await row("Night shift")
    .getByText(/turned off since \d\d:\d\d$/)
    .waitFor();
  await row("Certificates").getByText("its filter leaves this out").waitFor();
  await row("gave up long ago").getByText(/410/).waitFor();
  expect(await faultsInEveryLook(page, "incident-told", true)).toEqual([]);
  // It was turned off, which its page says.
  await told.getByRole("link", { name: /gave up long ago/ }).click();
  await page.waitForURL(`**/settings/channels/${old.id}`);
  await page.getByText(/^Turned off by Vedette, \d\d:\d\d: /).waitFor();
  // And who turned off the other one, which is on again with one click.
  await page.goto(`/settings/channels/${off.id}`);
  await page.getByText(/^Turned off by .+, \d\d:\d\d$/).waitFor();
  expect(await faultsInEveryLook(page, "channel-off")).toEqual([]);
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("Night shift is on again.").waitFor();
  await page.getByRole("button", { name: "Turn on" }).waitFor({ state: "detached" });
});

test("of an incident from before the log begins nobody is said to have been left out", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/incidents", { title: "Old trouble" });
  await page.route(`**/api/incidents/${id}/deliveries?*`, async (route) => {
    const response = await route.fetch();
    const { pagination, ...rest } = (await response.json()) as { pagination: object };
    const nothing = { data: [], pagination: { ...pagination, total: 0 }, untold: [], incomplete: true };
    await route.fulfill({ response, json: { ...rest, ...nothing } });
  });
  await page.goto(`/incidents/${id}`);
  const told = card(page, "Who was told");
  await told.getByText("Who was told is no longer known: what was sent is kept for 30 days.").waitFor();
  expect(await told.getByText("Nothing was sent").count()).toBe(0);
  expect(await told.getByText("Not told").count()).toBe(0);
});
