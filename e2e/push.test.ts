import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { respond, type TargetRequest } from "../server/test/harness/behaviours.ts";
import { temporaryFolder } from "../server/test/harness/process.ts";
import { type Browser, newBrowser } from "../server/test/harness/push.ts";
import { startTlsTarget, type Target } from "../server/test/harness/targets.ts";
import { needWholeBrowser } from "./harness/browser.ts";
import { shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const trusted = temporaryFolder();
let service: Target;
const app = shareInstallation(async () => {
  const tls = await startTlsTarget({ handler: respond({ status: 201, body: "" }) });
  service = tls;
  const caFile = join(trusted.folder, "ca.pem");
  writeFileSync(caFile, tls.ca);
  return { NODE_EXTRA_CA_CERTS: caFile };
});
afterAll(async () => {
  trusted.remove();
  await service.close();
});

/** Chromium without a window has no push service: this one answers as a browser's would, with keys that the test has. */
async function withPushService(page: Page): Promise<Browser> {
  const browser = newBrowser(`${service.url}send/browser`);
  await page.addInitScript(`{
    const { endpoint, keys } = ${JSON.stringify(browser.subscription)};
    let subscription = null;
    const taken = {
      toJSON: () => ({ endpoint, expirationTime: null, keys }),
      unsubscribe: async () => {
        subscription = null;
        return true;
      },
    };
    PushManager.prototype.getSubscription = async () => subscription;
    PushManager.prototype.subscribe = async () => (subscription = taken);
  }`);
  return browser;
}

const bodyOf = ({ raw }: TargetRequest): Buffer =>
  Buffer.from(raw.slice(raw.indexOf("\r\n\r\n") + 4), "latin1");

/** The browser's worker, and the way to hand it a message as the push service would. */
async function workerOf(page: Page): Promise<(data: string) => Promise<unknown>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    }),
  );
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return (data) => session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
}

interface Shown {
  title: string;
  body: string;
  tag: string;
  url: string;
}

const shownNotifications = (page: Page): Promise<Shown[]> =>
  page.evaluate(`navigator.serviceWorker.ready
    .then((registration) => registration.getNotifications())
    .then((shown) => shown.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url })))`);

describe("notifications in the browser", () => {
  test("are turned on, tested, shown by the worker in the reader's language, and turned off", async ({
    skip,
  }) => {
    await needWholeBrowser(skip);
    const page = await app.open({ offline: true, whole: true });
    await page.context().grantPermissions(["notifications"], { origin: app.url });
    const browser = await withPushService(page);
    await page.goto("/settings/notifications");
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
    await page.getByText("No messages are shown here.").waitFor();
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("Messages are shown here.").waitFor();
    await page.getByRole("button", { name: "Send test message" }).click();
    await page.getByRole("status").getByText("Sent.").waitFor();
    expect(await faultsInEveryLook(page, "settings-notifications")).toEqual([]);

    const [request] = service.requests.slice(-1);
    const message = browser.read(bodyOf(request as TargetRequest));
    const deliver = await workerOf(page);
    await deliver(message);
    await expect
      .poll(() => shownNotifications(page))
      .toEqual([
        {
          title: "A test message from Vedette",
          body: "This is a test. Messages about your monitors will arrive here.",
          tag: "test",
          url: "/settings/notifications",
        },
      ]);
    // A later one about the same thing takes its place.
    await deliver(
      JSON.stringify({ title: "Shop ist ausgefallen", tag: "test", url: "/incidents/1", lang: "de" }),
    );
    await expect
      .poll(async () => (await shownNotifications(page)).map(({ title }) => title))
      .toEqual(["Shop ist ausgefallen"]);

    // Touching it leads the page that is open to the incident.
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(`registration.getNotifications().then(([notification]) => {
      dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    })`);
    await page.waitForURL("**/incidents/1");
    await expect.poll(() => shownNotifications(page)).toEqual([]);

    await page.goto("/settings/notifications");
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("No messages are shown here.").waitFor();
  });

  test("are said to be blocked where they are, and how to allow them", async () => {
    const page = await app.open({ offline: true });
    await page.addInitScript(`Object.defineProperty(Notification, "permission", { get: () => "denied" })`);
    await page.goto("/settings/notifications");
    await page.getByText("This browser blocks messages of this site.").waitFor();
    expect(await page.getByRole("button", { name: "Turn on" }).count()).toBe(0);
  });

  test("are said to need HTTPS, and a browser that can show them", async () => {
    const insecure = await app.open({ offline: true });
    await insecure.addInitScript(`Object.defineProperty(window, "isSecureContext", { get: () => false })`);
    await insecure.goto("/settings/notifications");
    await insecure.getByText("only for sites on HTTPS").waitFor();
    const old = await app.open({ offline: true });
    await old.addInitScript(`Reflect.deleteProperty(window, "PushManager")`);
    await old.goto("/settings/notifications");
    await old.getByText("This browser cannot show messages of sites.").waitFor();
  });
});
