import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { agentWith, listOf, metrics, processOf, system } from "./harness/agent.ts";
import { card, isDrawn } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

/** A device that has reported for some minutes. */
async function addDevice(page: Page, name: string, more: Record<string, unknown> = {}) {
  const { device, token } = await callApi<{ device: { id: number }; token: string }>(
    page,
    "POST",
    "/api/devices",
    { name },
  );
  const report = agentWith(app, token);
  const past = Array.from({ length: 30 }, (_, at) => ({
    at: Date.now() - (30 - at) * 10_000,
    metrics: { ...metrics, "cpu.usage": 20 + at },
  }));
  await report({ at: Date.now() - 400_000, system }, ...past);
  expect(await report({ metrics, ...more })).toBe(200);
  return { id: device.id, token, report };
}

const row = (page: Page, name: string) => page.locator("[role=row]").filter({ hasText: name });

describe("devices", () => {
  test("one is added with a command, whose token is shown once, and is seen online as soon as it reports", async () => {
    const page = await app.open();
    await page.goto("/");
    await page.getByRole("link", { name: "Devices" }).click();
    await page.getByRole("heading", { name: "Which machines should Vedette keep an eye on?" }).waitFor();
    await page.getByRole("link", { name: "Add device" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Show the command" }).click();
    await dialog.locator("[name=name][aria-invalid=true]").waitFor();
    await dialog.getByLabel("Name").fill("Web 1");
    expect(await faultsInEveryLook(page, "device-new")).toEqual([]);
    await dialog.getByRole("button", { name: "Show the command" }).click();

    const command = (await dialog.locator("code").textContent()) ?? "";
    const [, token = ""] = / --token (vda_\S+)$/.exec(command) ?? [];
    expect(command).toBe(`curl -fsSL ${app.url}/agent/install.sh | sudo sh -s -- --token ${token}`);
    await dialog.getByText("Waiting for the first report…").waitFor();
    expect(await faultsInEveryLook(page, "device-command")).toEqual([]);
    await agentWith(app, token)({ system, metrics });
    await dialog.getByText("Web 1 is online.").waitFor({ timeout: 10_000 });
    await dialog.getByRole("button", { name: "Open the device" }).click();
    await page.getByRole("heading", { name: "Web 1" }).waitFor();
    await page.locator("header [data-status=up]").waitFor();
    expect(await page.content()).not.toContain(token);
    const [device] = await callApi<{ id: number }[]>(page, "GET", "/api/devices");
    await callApi(page, "DELETE", `/api/devices/${device?.id}`);
  }, 240_000);

  test("many machines are enrolled with a token that can be revoked", async () => {
    const page = await app.open();
    await page.goto("/devices/new");
    const dialog = page.getByRole("dialog").first();
    await dialog.getByRole("radio", { name: "Many machines" }).check();
    await dialog.getByLabel("Name of the token").fill("Web servers");
    await dialog.getByRole("button", { name: "Create token" }).click();
    await dialog.getByText(/--enroll vde_|--enroll /).waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.getByText("Web servers", { exact: true }).waitFor();
    expect(await faultsInEveryLook(page, "device-tokens")).toEqual([]);
    await dialog.getByRole("button", { name: "Revoke Web servers" }).click();
    await page
      .getByRole("dialog", { name: "Revoke Web servers?" })
      .getByRole("button", { name: "Revoke" })
      .click();
    await dialog.getByText("No enrollment tokens yet").waitFor();
  });

  test("the list shows load, narrows and pauses; the page has charts with one cursor, lists and details", async () => {
    const page = await app.open();
    await page.goto("/devices");
    const applications = Array.from({ length: 10_000 }, (_, at) => ({
      ...{ name: `package-${String(at).padStart(5, "0")}`, version: `1.${at}`, publisher: null },
      ...{ installPath: null, size: at * 1024, isRunning: at === 7 },
    }));
    const { id } = await addDevice(page, "Web 1", {
      processes: listOf([processOf("nginx", { cpuPercent: 61 }), processOf("sshd")]),
      connections: listOf([
        {
          ...{ localAddress: "10.0.0.5", localPort: 443, remoteAddress: "192.0.2.7", remotePort: 51234 },
          ...{ protocol: "tcp", status: "established", processName: "nginx" },
        },
      ]),
      applications: listOf(applications),
    });
    await callApi(page, "PUT", `/api/devices/${id}`, { tags: ["production"] });
    await row(page, "Web 1").and(page.locator("[data-status=up]")).waitFor();
    await row(page, "Web 1").getByText("37%").waitFor();
    await row(page, "Web 1").getByText("web-1.northwind.test · Debian GNU/Linux 13 (trixie)").waitFor();
    await row(page, "Web 1").locator("polyline.stroke-series").waitFor();
    expect(await faultsInEveryLook(page, "devices")).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [what, much] of [
      ["Processor", "37%"],
      ["Memory", "62%"],
      ["Disk", "70%"],
    ] as const)
      await row(page, "Web 1").locator("dl > div").filter({ hasText: what }).getByText(much).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("link", { name: "Web 1" }).click();

    await page.getByText("Debian GNU/Linux 13 (trixie)").waitFor();
    await page.getByText("8 GiB").waitFor();
    const load = card(page, "Load");
    await eventually(() => isDrawn(page), Boolean);
    await load.getByText("/var").waitFor();
    // What the machine says to itself is not counted, but can be seen.
    const network = load.getByRole("region", { name: "Network" });
    await network.getByText(/^Received\s*120.kB\/s$/).waitFor();
    await network.getByText("2 interfaces").click();
    await network.getByRole("row", { name: /^eth0 120.kB\/s 48.kB\/s$/ }).waitFor();
    await network.getByRole("row", { name: /^lo 9.MB\/s –$/ }).waitFor();
    await network.getByText("2 interfaces").click();
    await load
      .locator(".u-over")
      .first()
      .hover({ position: { x: 200, y: 100 } });
    await eventually(
      () => page.evaluate<number>("document.querySelectorAll('.u-cursor-x:not([style*=\"-10px\"])').length"),
      (shown) => shown === 4,
    );
    await load.getByRole("radio", { name: "Last 24 hours" }).check();
    expect(new URL(page.url()).searchParams.get("range")).toBe("24h");
    await load.getByRole("button", { name: "Show as table" }).click();
    await load.getByRole("table").first().waitFor();
    await load.getByRole("button", { name: "Show as chart" }).click();

    const lists = card(page, "On this machine");
    await lists.getByRole("cell", { name: "/usr/sbin/nginx" }).waitFor();
    expect(await lists.getByRole("row").nth(1).getByRole("cell").first().textContent()).toBe("nginx");
    await lists.getByRole("button", { name: "Processor" }).click();
    expect(await lists.getByRole("row").nth(1).getByRole("cell").first().textContent()).toBe("sshd");
    await lists.getByRole("radio", { name: "Connections" }).check();
    await lists.getByText("192.0.2.7:51234").waitFor();
    await lists.getByRole("radio", { name: "Applications" }).check();
    await lists.getByText("package-00000").waitFor();
    const table = lists.getByRole("table");
    expect(await table.getAttribute("aria-rowcount")).toBe("10001");
    expect(await lists.getByRole("row").count()).toBeLessThan(60);
    expect(await faultsInEveryLook(page, "device", true)).toEqual([]);
    await lists.getByRole("button", { name: "Size" }).click();
    await lists.getByRole("button", { name: "Size" }).click();
    await lists.getByText("package-09999").waitFor();
    await lists.getByRole("searchbox").fill("package-0123");
    await eventually(
      () => table.getAttribute("aria-rowcount"),
      (count) => count === "11",
    );
    await page.reload();
    await lists.getByRole("radio", { name: "Applications", checked: true }).waitFor();
    await callApi(page, "DELETE", `/api/devices/${id}`);
  }, 240_000);

  test("settings keep thresholds in order; a new token ends the old one; deleting requires the name", async () => {
    const page = await app.open();
    await page.goto("/devices");
    const { id, token, report } = await addDevice(page, "Build box");
    await page.goto(`/devices/${id}/edit`);
    await page.getByRole("button", { name: /^Thresholds/ }).click();
    await page.getByLabel("Memory: critical").fill("50");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The critical threshold must not be below the warning, which is 85 %.").waitFor();
    expect(await faultsInEveryLook(page, "device-edit", true)).toEqual([]);
    await page.getByLabel("Memory: warning").fill("40");
    // The page that follows does with what saving was answered, however long it takes to read it anew.
    const reading = Promise.withResolvers<void>();
    await page.route(`**/api/devices/${id}`, async (route) => {
      if (route.request().method() === "GET") await reading.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(`**/devices/${id}`);
    await page.getByRole("heading", { name: "Build box", level: 1 }).waitFor();
    await card(page, "Machine").waitFor();
    reading.resolve();
    await page.unrouteAll({ behavior: "wait" });
    expect(await callApi(page, "GET", `/api/devices/${id}`)).toMatchObject({
      thresholds: { memory: { warning: 40, critical: 50 } },
    });

    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("dialog").getByText("The old token ends at once", { exact: false }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Replace token" }).click();
    const command = page.getByRole("dialog").locator("code");
    await command.waitFor();
    expect(await command.textContent()).not.toContain(token);
    expect(await report({ metrics })).toBe(401);
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();

    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("This is not the name of the device.").waitFor();
    await dialog.getByLabel("Type Build box to confirm").fill("Build box");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Which machines should Vedette keep an eye on?" }).waitFor();
  }, 240_000);

  test("a device that is silent says what to do, and one that is not alone with its token says so", async () => {
    const page = await app.open();
    await page.goto("/devices");
    const { id, token, report } = await addDevice(page, "Ledger");
    // A copy of the machine, as its image had the token in it; the first one goes on.
    const copy = { system: { ...system, hostname: "copy-1" }, metrics };
    expect(await agentWith(app, token)(copy)).toBe(409);
    expect(await report({ metrics })).toBe(200);
    await page.goto(`/devices/${id}`);
    await page.getByText(/^Another agent reports with this device’s token/).waitFor();
    await page.locator("header [data-status=down]").waitFor({ timeout: 60_000 });
    await page.getByText("Offline for a few seconds").waitFor();
    await card(page, "What to do").getByText("systemctl status vedette-agent", { exact: false }).waitFor();
    expect(await faultsInEveryLook(page, "device-offline")).toEqual([]);
    await page.getByRole("link", { name: /^Devices.*1/ }).waitFor();
    await card(page, "Incidents, last 90 days")
      .getByText(/^Offline for/)
      .waitFor();
    // A direct visit shows the same words.
    await page.goto("/");
    await page.getByRole("heading", { name: "1 device is offline" }).waitFor();
    const problemRow = page.locator("[data-problem=down]").filter({ hasText: "Ledger" });
    await problemRow.getByText(/^Offline for/).waitFor();
    const counts = page.getByRole("list", { name: "Devices by status" });
    await counts.getByRole("link", { name: "Offline 1" }).waitFor();
    await counts.getByRole("link", { name: "Online 0" }).waitFor();
    await card(page, "Recent activity").getByText("went offline").waitFor();
    expect(await faultsInEveryLook(page, "overview-devices")).toEqual([]);
    await callApi(page, "DELETE", `/api/devices/${id}`);
  }, 240_000);

  test("what a machine calls things is text, whatever it contains", async () => {
    const page = await app.open();
    const alarms: string[] = [];
    page.on("dialog", (dialog) => alarms.push(dialog.message()));
    await page.goto("/devices");
    const hostile = `<img src=x onerror="alert('run')">`;
    const turned = "\u202egnp.exe";
    const { id } = await addDevice(page, hostile, {
      system: { ...system, hostname: hostile.slice(0, 30), os: `${turned} <b>bold</b>` },
      processes: listOf([
        processOf(hostile, { command: hostile.repeat(100).slice(0, 4_096) }),
        processOf(turned, { user: hostile }),
      ]),
      applications: listOf([
        {
          ...{ name: `<script>alert("run")</script>`, version: turned, publisher: hostile },
          ...{ installPath: null, size: null, isRunning: false },
        },
      ]),
      metrics: { ...metrics, "disk.<img src=x onerror=alert(1)>.usage": 90 },
    });
    await page.getByRole("link", { name: hostile }).waitFor();
    await page.goto(`/devices/${id}`);
    const lists = card(page, "On this machine");
    await lists.getByRole("cell", { name: hostile, exact: true }).first().waitFor();
    await card(page, "Load").getByText("<img src=x onerror=alert(1)>").waitFor();
    expect(await faultsInEveryLook(page, "device-hostile")).toEqual([]);
    await lists.getByRole("radio", { name: "Applications" }).check();
    await lists.getByText(`<script>alert("run")</script>`).waitFor();
    expect(await page.locator("main img, main b, main script").count()).toBe(0);
    expect(alarms).toEqual([]);
    await callApi(page, "DELETE", `/api/devices/${id}`);
  }, 240_000);
});
