import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { openPage } from "./harness/browser.ts";
import { callApi, shareInstallation, startInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

const menuOf = (page: Page, name: string) => page.getByRole("button", { name: `Actions for ${name}` });

/** Pages before the sign-in, in a state worth looking at. */
const before: Record<string, (page: Page) => Promise<void>> = {
  "sign-in": async (page) => {
    await page.goto("/sign-in?ended=true");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail").fill("nobody@northwind.test");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
  },
  unreachable: async (page) => {
    await page.route("**/api/auth/me", (route) => route.fulfill({ status: 400, body: "no" }));
    await page.goto("/domains");
    await page.getByRole("heading", { name: "This could not be loaded" }).waitFor();
  },
};

/** Pages that show no domain, or none of their own. */
const empty: Record<string, (page: Page) => Promise<void>> = {
  "not-found": async (page) => {
    await page.goto("/nowhere");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  },
  "no-such-domain": async (page) => {
    await page.goto("/domains/shop");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  },
  broken: async (page) => {
    const json = { success: true, message: "OK", data: [{}], pagination: { total: 1 } };
    await page.route("**/api/domains?*", (route) => route.fulfill({ json }));
    await page.goto("/domains");
    await page.getByRole("heading", { name: "Something broke in this page" }).waitFor();
  },
  loading: async (page) => {
    await page.route("**/api/domains?*", () => {});
    await page.goto("/domains");
    await page.getByText("Loading…").first().waitFor({ state: "attached" });
  },
  error: async (page) => {
    await page.route("**/api/domains?*", (route) => route.fulfill({ status: 404, body: "gone" }));
    await page.goto("/domains");
    await page.getByRole("heading", { name: "The domains could not be loaded" }).waitFor();
  },
  "nothing-fits": async (page) => {
    await page.goto("/domains?q=nowhere");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  },
};

/** The list with its rows. */
const filled: Record<string, (page: Page) => Promise<void>> = {
  domains: async (page) => {
    await page.goto("/domains");
    await page.locator("[role=row][data-status=up]").waitFor();
    await page.locator("[role=row][data-status=down]").waitFor({ timeout: 45_000 });
    await page.locator("[role=row][data-status=paused]").waitFor();
  },
  menu: async (page) => {
    await menuOf(page, "Shop").click();
    await page.getByRole("menu").waitFor();
  },
  dialog: async (page) => {
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").waitFor();
  },
};

async function faultsOf(page: Page, scenes: Record<string, (page: Page) => Promise<void>>) {
  const faults: string[] = [];
  for (const [name, show] of Object.entries(scenes)) {
    await show(page);
    faults.push(...(await faultsInEveryLook(page, name)));
    await page.unrouteAll();
  }
  return faults;
}

/** Who is signed in, the live stream, and what the frame counts. */
const everywhere = [
  "/api/auth/me",
  "/api/events",
  "/api/dashboard/stats",
  "/api/notifications?limit=50&grouped=true",
];

/** What each page reads of the API. */
const requestsOf = (id: number): Record<string, string[]> => ({
  "/": [
    "/api/domains/stats",
    "/api/domains?state=down&sort=-statusSince&page=1&limit=50",
    "/api/domains?state=degraded&sort=-statusSince&page=1&limit=50",
    "/api/incidents?active=true&acknowledged=true&sort=-startedAt&page=1&limit=100",
    "/api/domains?sort=certificate&page=1&limit=4",
    "/api/dashboard/recent-activity?type=status&limit=60",
    "/api/invitations",
    // Whether the owner is alone, and whether any channel is notified.
    "/api/organizations/1/usage",
    "/api/notifications/channels",
  ],
  "/domains": [
    "/api/domains/stats",
    "/api/domains?sort=status&page=1&limit=50",
    "/api/domains/sparklines?ids=…",
  ],
  [`/domains/${id}`]: [
    `/api/domains/${id}`,
    `/api/domains/${id}/summary`,
    `/api/domains/${id}/monitoring/days?days=90`,
    `/api/domains/${id}/monitoring/history?range=1h&limit=1000`,
    `/api/domains/${id}/monitoring/history?range=30d&limit=60`,
    `/api/domains/${id}/monitoring/locations?range=24h&limit=30`,
    `/api/domains/${id}/monitoring/status-history?days=90`,
    `/api/incidents?monitor=${id}&page=1&limit=50`,
    `/api/deployments?monitor=${id}&from=…&limit=200`,
    // The channels.
    "/api/notifications/channels",
  ],
  "/devices": ["/api/devices/stats", "/api/devices?sort=status&page=1&limit=50"],
  [`/domains/${id}/edit`]: [`/api/domains/${id}`, "/api/domains/limits"],
  "/domains/new": ["/api/domains/limits"],
  "/status-pages": ["/api/status-pages?page=1&limit=50"],
  "/status-pages/templates": ["/api/status-pages/templates", "/api/status-pages/built-in-templates"],
  "/settings/profile": ["/api/auth/state", "/api/auth/sessions", "/api/auth/totp"],
  "/settings/api-keys": ["/api/api-keys"],
});

describe("every page, in both themes and on a phone", () => {
  test("set-up with its errors is accessible and fits", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await page.goto("/");
    await page.getByRole("button", { name: "Create account and start" }).click();
    await page.getByRole("alert").first().waitFor();
    expect(await faultsInEveryLook(page, "set-up")).toEqual([]);
  });

  test("sign-in with its error, and a server that cannot say who is signed in, are accessible and fit", async () => {
    expect(await faultsOf(await openPage(app.url), before)).toEqual([]);
  });

  test("the app without and with domains, its menu, dialog, loading, error and empty states are accessible and fit", async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    const page = await app.open();
    await page.goto("/domains");
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    expect(await faultsInEveryLook(page, "empty")).toEqual([]);

    const add = (url: string, name: string) =>
      callApi<{ id: number }>(page, "POST", "/api/domains", { url, name, checkInterval: 10, timeout: 5 });
    await add(target.url, "Shop");
    await add(
      "http://127.0.0.1:9/a/rather/long/path/that/does/not/fit?into=the&space=of&a=phone",
      "A name that is longer than the line it has to fit on most screens",
    );
    const paused = await add(`${target.url}staging`, "Staging");
    await callApi(page, "PUT", `/api/domains/${paused.id}`, { enabled: false });
    // While these are looked at, the second is found to be down.
    expect(await faultsOf(page, empty)).toEqual([]);
    expect(await faultsOf(page, filled)).toEqual([]);

    const title = `${"nodeofaclusterwithalongname".repeat(2)}.frankfurt.internal.example.org is slow`;
    const reported = await callApi<{ id: number }>(page, "POST", "/api/incidents", {
      title,
      description: title,
    });
    await page.goto(`/incidents/${reported.id}`);
    await page.getByRole("heading", { name: title }).waitFor();
    expect(await faultsInEveryLook(page, "incident-of-one-word")).toEqual([]);
    await callApi(page, "DELETE", `/api/incidents/${reported.id}`);
  }, 240_000);

  test("requests what it shows from the API, once, and for nothing else", async () => {
    const first = await app.open();
    await first.goto("/settings/api-keys");
    const url = "http://127.0.0.1:9/";
    const { id } = await callApi<{ id: number }>(first, "POST", "/api/domains", { url, name: "Read" });
    // Until it has a status, and its icon was looked for, pages send further requests.
    await eventually(
      () => callApi<{ status: string }>(first, "GET", `/api/domains/${id}`),
      ({ status }) => status === "down",
      30_000,
    );
    await callApi(first, "GET", `/api/domains/${id}/icon`);
    for (const [path, wanted] of Object.entries(requestsOf(id))) {
      const page = await app.open();
      const requests: string[] = [];
      page.on("request", (request) => {
        const { pathname, search } = new URL(request.url());
        // Which domains there are, and in which order, is the other tests' doing.
        if (pathname.startsWith("/api/"))
          requests.push(pathname + search.replace(/(ids|from)=[^&]+/, "$1=…"));
      });
      // Nothing that happens meanwhile has anything read again.
      await page.route("**/api/events", () => {});
      await page.goto(path);
      await eventually(
        () => Promise.resolve(requests.length),
        (count) => count >= wanted.length + everywhere.length,
      );
      await page.locator("h1, [role=status]").first().waitFor();
      expect([path, requests.toSorted()]).toEqual([path, [...everywhere, ...wanted].toSorted()]);
      await page.context().close();
    }
  });

  test("the chosen theme is there before the first paint and after a reload", async () => {
    const page = await openPage(app.url, { theme: "light" });
    const background = () =>
      page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    await page.goto("/");
    const light = await background();
    await page.getByRole("button", { name: "Theme: system. Switch to light." }).click();
    await page.getByRole("button", { name: "Theme: light. Switch to dark." }).click();
    const dark = await background();
    expect(dark).not.toBe(light);

    // Without the app's own script: what the reader sees until it has arrived.
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload();
    expect(await background()).toBe(dark);
    await page.unroute("**/assets/*.js");
    await page.reload();
    await page.getByRole("button", { name: "Theme: dark. Switch to system." }).waitFor();
    expect(await background()).toBe(dark);
  });
});
