import { describe, expect, onTestFinished, test } from "vitest";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

describe("services", () => {
  test("one is added with its protocol's form, shows what its checks find, is edited, paused and deleted", async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    const { port } = new URL(target.url);
    const page = await app.open();
    await page.goto("/");
    await page.getByRole("link", { name: "Services" }).click();
    await page.getByRole("heading", { name: "Which services should Vedette watch?" }).waitFor();
    await page.getByRole("link", { name: "Add service" }).click();
    await page.getByLabel("Protocol").selectOption({ label: "TCP" });
    await page.getByRole("button", { name: "Start watching" }).click();
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByLabel("Host").getAttribute("aria-invalid")).toBe("true");
    expect(await faultsInEveryLook(page, "new-service", true)).toEqual([]);

    await page.getByLabel("Name", { exact: true }).fill("Gateway");
    await page.getByLabel("Host").fill("127.0.0.1");
    await page.getByLabel("Port").fill(port);
    await page.getByLabel("Check interval").fill("10");
    await page.getByRole("button", { name: "Schedule" }).click();
    await page.getByLabel("Timeout").fill("5");
    await page.getByRole("button", { name: "Start watching" }).click();
    await page.locator("header [data-status=up]").waitFor({ timeout: 20_000 });
    await page.getByText(`TCP · 127.0.0.1:${port}`).waitFor();
    const results = card(page, "Results");
    await results.locator("[data-result=up]").first().waitFor({ timeout: 5_000 });
    // A connection has no status code, and its time is that of TCP.
    expect(await results.getByRole("columnheader").allTextContents()).toEqual([
      "Time",
      "Result",
      "Reason",
      "Location",
      "Response",
    ]);
    const chart = card(page, "Response time");
    await chart.getByText("Connect").waitFor();
    expect(await chart.getByText("TLS").count()).toBe(0);
    await card(page, "Locations").getByText("local").waitFor();
    await page.getByText("Average response, 30 days").waitFor();
    await card(page, "Incidents, last 90 days").getByText("No incidents").waitFor();
    expect(await card(page, "Certificate").count()).toBe(0);
    expect(await faultsInEveryLook(page, "service")).toEqual([]);

    const [service] = await callApi<{ id: number }[]>(page, "GET", "/api/services");
    await page.getByRole("link", { name: "Edit" }).click();
    expect(await page.getByLabel("Port").inputValue()).toBe(port);
    await page.getByLabel("Name", { exact: true }).fill("Front door");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Front door" }).waitFor();
    expect(await callApi(page, "GET", `/api/services/${service?.id}`)).toMatchObject({
      name: "Front door",
      protocol: "tcp",
      protocolConfig: { host: "127.0.0.1", port: Number(port) },
    });

    await page.getByRole("link", { name: "Services" }).first().click();
    await page.locator("[role=row][data-status=up]").waitFor();
    // Another user pauses it: the list is updated.
    await callApi(page, "PUT", `/api/services/${service?.id}`, { enabled: false });
    await page.locator("[role=row][data-status=paused]").waitFor();
    expect(await faultsInEveryLook(page, "services")).toEqual([]);
    await page.getByRole("button", { name: "Actions for Front door" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Which services should Vedette watch?" }).waitFor();
    await page.goto(`/services/${service?.id}`);
    await page.getByRole("heading", { name: "This service is gone" }).waitFor();
  }, 240_000);

  test("HTTP is set in the sections of a domain's form, keeps its headers, and has a domain's page", async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    const page = await app.open();
    await page.goto("/services/new");
    await page.getByLabel("Protocol").selectOption({ label: "HTTP" });
    await page.getByLabel("URL").fill(target.url);
    await page.getByLabel("Name", { exact: true }).fill("Checkout");
    expect(await page.getByLabel("Method").isVisible()).toBe(false);
    await page.getByRole("button", { name: /^Request/ }).click();
    await page.getByRole("button", { name: "Add header" }).click();
    await page.getByPlaceholder("Name", { exact: true }).fill("X-Shop");
    await page.getByPlaceholder("Value", { exact: true }).fill("main");
    await page.getByRole("checkbox", { name: "This is an API" }).check();
    expect(await page.getByRole("checkbox", { name: "Follow redirects" }).isChecked()).toBe(false);
    await page.getByRole("button", { name: "Start watching" }).click();
    await page.locator("header [data-status=up]").waitFor({ timeout: 20_000 });
    await card(page, "Results").getByRole("columnheader", { name: "Code" }).waitFor();
    await card(page, "Certificate").getByText("Plain HTTP, so there is no certificate.").waitFor();

    await page.getByRole("link", { name: "Edit" }).click();
    // What is not as usual is unfolded.
    await page.getByRole("button", { name: /^Request/, expanded: true }).waitFor();
    await page.getByRole("button", { name: /^What counts as up/, expanded: false }).waitFor();
    await page.getByLabel("Name", { exact: true }).first().fill("Cash desk");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Cash desk" }).waitFor();
    const [service] = await callApi<{ id: number }[]>(page, "GET", "/api/services");
    expect(await callApi(page, "GET", `/api/services/${service?.id}`)).toMatchObject({
      protocolConfig: { headers: { "X-Shop": "main" }, isApi: true, followRedirects: false },
    });
    await callApi(page, "DELETE", `/api/services/${service?.id}`);
  });

  test("a heartbeat waits for its job, in words of its own, and is up when that has called", async () => {
    const page = await app.open();
    await page.goto("/services/new");
    // By the keyboard alone: each key chooses, and the choice keeps the keyboard.
    await page.getByLabel("URL").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("End");
    await page.getByRole("combobox", { name: "Members" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.getByLabel("Name", { exact: true }).fill("Nightly backup");
    await page.getByRole("button", { name: "1 hour" }).click();
    expect(await page.getByLabel("Expected every").inputValue()).toBe("3600");
    await page.getByRole("button", { name: "Schedule" }).click();
    expect(await page.getByLabel("Timeout").count()).toBe(0);
    await page.getByRole("button", { name: "Start watching" }).click();
    await page.getByRole("status").getByText("Waiting for the first heartbeat").waitFor();
    const received = card(page, "Heartbeats");
    await received.getByText("No heartbeats yet").waitFor();
    // It is not checked over the network, so there are no answers and places to show.
    for (const name of ["Response time", "Locations"]) expect(await card(page, name).count()).toBe(0);
    await page.getByRole("button", { name: "Copy address" }).waitFor();
    expect(await page.getByText(/check/i).filter({ visible: true }).count()).toBe(0);
    expect(await faultsInEveryLook(page, "heartbeat")).toEqual([]);
    const box = card(page, "Address for heartbeats");
    const address = (await box.locator("code").textContent()) ?? "";
    for (const place of ["Shell", "cron", "systemd", "Kubernetes", "PowerShell"]) {
      await box.getByRole("radio", { name: place, exact: true }).check();
      expect(await box.locator("pre").textContent()).toContain(address);
    }
    await callApi(page, "GET", `${new URL(address).pathname}/start`);
    await callApi(page, "GET", new URL(address).pathname);
    await page.locator("header [data-status=up]").waitFor();
    await page.getByText(/^Last heartbeat (now|\d+ seconds? ago)$/).waitFor();
    await card(page, "Schedule").getByText("Last run took").waitFor();
    await received.getByRole("button", { name: /details$/ }).click();
    await received.getByText("Sent from").waitFor();
    expect(await received.getByText("Location").count()).toBe(0);
    expect(await card(page, "Locations").count()).toBe(0);
    // Who comes back wants to know how it went, and seldom where to say it.
    const lastCard = async () => (await page.getByRole("heading", { level: 2 }).allTextContents()).at(-1);
    expect(await lastCard()).not.toBe("Address for heartbeats");
    await page.reload();
    await box.waitFor();
    expect(await lastCard()).toBe("Address for heartbeats");

    // As those see it who may only read.
    await page.route(/\/api\/services\/\d+$/, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      delete answer.data.protocolConfig?.token;
      await route.fulfill({ response, json: answer });
    });
    await page.reload();
    await received.getByText("Received").waitFor();
    expect(await card(page, "Address for heartbeats").count()).toBe(0);
    const [service] = await callApi<{ id: number }[]>(page, "GET", "/api/services");
    await callApi(page, "DELETE", `/api/services/${service?.id}`);
  });

  test("another protocol leaves what was typed where it has that, too", async () => {
    const page = await app.open();
    await page.goto("/services/new");
    const protocol = page.getByLabel("Protocol");
    const host = page.getByLabel("Host", { exact: true });
    await protocol.selectOption({ label: "TCP" });
    await page.getByLabel("Name", { exact: true }).fill("Orders");
    await host.fill("db.example.com");
    await protocol.selectOption({ label: "Group" });
    await page.getByRole("combobox", { name: "Members" }).waitFor();
    expect(await host.count()).toBe(0);
    await protocol.selectOption({ label: "PostgreSQL" });
    await host.waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Orders");
    expect(await host.inputValue()).toBe("db.example.com");
    // That one was not typed.
    expect(await page.getByLabel("Port").inputValue()).toBe("5432");
  });

  test("a plan without them says so instead of a list", async () => {
    const page = await app.open();
    const refusal = {
      success: false,
      message: "This feature requires a Pro Plan subscription.",
      fact: { code: "access.plan", params: { needs: "pro" } },
    };
    await page.route(/\/api\/services[?/]/, (route) => route.fulfill({ status: 403, json: refusal }));
    await page.goto("/services");
    await page.getByRole("heading", { name: "You may not see this" }).waitFor();
    expect(await page.getByText(refusal.message).count()).toBe(1);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  test("several are chosen, paused at once, and the pause is undone", async () => {
    const page = await app.open();
    await page.goto("/services");
    for (const name of ["Left", "Right"])
      await callApi(page, "POST", "/api/services", {
        name,
        protocol: "heartbeat",
        protocolConfig: {},
      });
    const paused = page.locator("[role=row][data-status=paused]");
    for (const name of ["Left", "Right"])
      await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
    const bar = page.getByRole("region", { name: "Selected services" });
    await bar.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByText("2 services were paused.").waitFor();
    expect(await paused.count()).toBe(2);
    expect(await faultsInEveryLook(page, "services-chosen")).toEqual([]);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await paused.first().waitFor({ state: "detached" });
  });
});
