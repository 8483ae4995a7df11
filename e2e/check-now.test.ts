import { describe, expect, onTestFinished, test } from "vitest";
import { slow, status } from "../server/test/harness/behaviours.ts";
import { eventually } from "../server/test/harness/eventually.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

async function aTarget() {
  const target = await startHttpTarget();
  onTestFinished(() => target.close());
  return target;
}

/** A page of the app, and a monitor that is up and checked once a day. */
async function openWith(api: string, body: object) {
  const page = await app.open();
  await page.goto("/");
  const { id } = await callApi<{ id: number }>(page, "POST", api, { ...body, checkInterval: 86_400 });
  onTestFinished(async () => void (await page.request.delete(`${app.url}${api}/${id}`)));
  await eventually(
    () => callApi<{ lastCheck: string | null }>(page, "GET", `${api}/${id}`),
    ({ lastCheck }) => lastCheck !== null,
  );
  return { page, id };
}

describe("a check from the app", () => {
  test("says where it was made, where there are several locations", async () => {
    const target = await aTarget();
    const { page, id } = await openWith("/api/domains", { url: target.url, name: "Shop" });
    await page.route("**/api/domains/limits", async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: { locations: object[] } };
      const locations = [...data.locations, { code: "far", name: "Far away" }];
      await route.fulfill({ response, json: { ...rest, data: { ...data, locations } } });
    });
    await page.goto(`/domains/${id}`);
    await page.locator("header [data-status=up]").waitFor();
    await page.getByRole("button", { name: "Check now", exact: true }).click();
    await page.getByText(/^Shop: the check passed in .* Checked from \S/).waitFor();
  }, 240_000);

  test("is started on a domain's page, reports its result, and shows it there", async () => {
    const target = await aTarget();
    const { page, id } = await openWith("/api/domains", { url: target.url, name: "Shop" });
    await page.goto(`/domains/${id}`);
    await page.locator("header [data-status=up]").waitFor();
    target.set(slow(1_500));
    const button = page.getByRole("button", { name: "Check now" });
    await button.click();
    await page.locator("button[aria-busy=true]", { hasText: "Check now" }).waitFor();
    await page.getByText("Checking Shop…").waitFor();
    expect(await faultsInEveryLook(page, "check-now")).toEqual([]);
    await page.getByText(/^Shop: the check passed in \d/).waitFor();
    expect(await page.getByText("Checking Shop…").count()).toBe(0);
    await expect.poll(() => page.locator("button[aria-busy=true]").count()).toBe(0);

    target.set(status(503));
    await button.click();
    await page.getByText(/^Shop: the check failed\. .*503/).waitFor();
    await page.locator("header [data-status=down]").waitFor();
    const incident = page.getByRole("link", { name: "Open incident", exact: true });
    await incident.waitFor();
    expect(await incident.getAttribute("href")).toMatch(/^\/incidents\/\d+$/);
    await page
      .getByRole("region", { name: "Incidents, last 90 days" })
      .getByRole("link", { name: /^Down / })
      .waitFor();
    target.set(status(200));
    await button.click();
    await page.getByText(/^Shop: the check passed in/).waitFor();
    await page.locator("header [data-status=up]").waitFor();
  }, 240_000);

  test("is started in a row's menu and in the palette; paused monitors and heartbeats cannot be checked", async () => {
    const target = await aTarget();
    const protocolConfig = { host: "127.0.0.1", port: target.port };
    const { page, id } = await openWith("/api/services", {
      name: "Gateway",
      protocol: "tcp",
      protocolConfig,
    });
    await page.goto("/services");
    await page.getByRole("button", { name: "Actions for Gateway" }).click();
    await page.getByRole("menuitem", { name: "Check now" }).click();
    await page.getByText(/^Gateway: the check passed in/).waitFor();

    await target.refuse();
    await page.goto("/");
    await page.locator("#content").waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search and commands" });
    await palette.getByRole("combobox").waitFor();
    await page.keyboard.type("check now");
    await page.keyboard.press("Enter");
    await palette.getByRole("combobox", { name: "Check which one now?" }).waitFor();
    await page.keyboard.type("gateway");
    await palette.getByRole("option", { name: /Gateway/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/^Gateway: the check failed\. .*refused/).waitFor();

    await callApi(page, "PUT", `/api/services/${id}`, { enabled: false });
    await page.goto("/services");
    await page.locator("[role=row][data-status=paused]").waitFor();
    await page.getByRole("button", { name: "Actions for Gateway" }).click();
    await page.getByRole("menuitem", { name: "Resume checks" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Check now" }).count()).toBe(0);
  }, 240_000);

  test("of a service's settings shows what comes of them before they are saved, and before they are changed", async () => {
    const target = await aTarget();
    const page = await app.open();
    await page.goto("/services/new");
    await page.getByLabel("Protocol").selectOption({ label: "TCP" });
    const trying = page.getByRole("button", { name: "Test now" });
    await trying.click();
    await eventually(
      () => page.getByLabel("Host").getAttribute("aria-invalid"),
      (invalid) => invalid === "true",
    );
    await page.getByLabel("Host").fill("127.0.0.1");
    await page.getByLabel("Port").fill(String(target.port));
    await trying.click();
    await page.getByText(/^Passed · /).waitFor();
    await page.getByText(/^Connect \d/).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await faultsInEveryLook(page, "try-service")).toEqual([]);
    expect(await callApi(page, "GET", `/api/services?search=${target.port}`)).toEqual([]);
    await page.getByLabel("Port").fill("1");
    expect(await page.getByText(/^Passed/).count()).toBe(0);
    await trying.click();
    await page.getByText("127.0.0.1:1 refused the connection.").waitFor();
    await page.getByLabel("Protocol").selectOption({ label: "Heartbeat" });
    await page.getByLabel("Grace period").waitFor();
    expect(await trying.count()).toBe(0);

    const made = await openWith("/api/services", {
      name: "Gate",
      protocol: "tcp",
      protocolConfig: { host: "127.0.0.1", port: target.port },
    });
    const editing = made.page;
    await editing.goto(`/services/${made.id}/edit`);
    await editing.getByLabel("Port").fill("1");
    await editing.getByRole("button", { name: "Test now" }).click();
    await editing.getByText("127.0.0.1:1 refused the connection.").waitFor();
    const { protocolConfig } = await callApi<{ protocolConfig: { port: number } }>(
      editing,
      "GET",
      `/api/services/${made.id}`,
    );
    expect(protocolConfig.port).toBe(target.port);
  }, 240_000);
});
