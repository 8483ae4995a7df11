import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { respond, status } from "../server/test/harness/behaviours.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import {
  AZURE,
  json,
  type Providers,
  SECRETS,
  startProviders,
} from "../server/test/integrations/providers.ts";
import { agentWith, metrics, system } from "./harness/agent.ts";
import { callApi } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { startMailing } from "./harness/mailing.ts";

let providers: Providers;
beforeAll(async () => {
  providers = await startProviders();
});
afterAll(() => providers.close());

const startInstallation = () =>
  startMailing({
    VEDETTE_AZURE_LOGIN_URL: providers.url,
    VEDETTE_AZURE_MANAGEMENT_URL: providers.url,
    VEDETTE_VERCEL_API_URL: providers.url,
    VEDETTE_VERCEL_OAUTH_URL: providers.url,
    VEDETTE_VERCEL_CLIENT_ID: "cl_1",
    VEDETTE_VERCEL_CLIENT_SECRET: SECRETS.vercelClient,
  });

describe("integrations", () => {
  test("accounts are linked, and what they have is monitored with a click", async () => {
    const { page } = await startInstallation();
    await page.goto("/settings/profile");
    await page.getByRole("link", { name: "Integrations" }).click();
    await page.getByText("No account is linked yet.", { exact: false }).waitFor();
    expect(await faultsInEveryLook(page, "integrations-none")).toEqual([]);

    await page.route("**/api/integrations/providers", (route) => route.abort());
    await page.reload();
    await page.getByText("What can be linked could not be loaded.").waitFor();
    expect(await faultsInEveryLook(page, "integrations-no-providers")).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Try again" }).click();

    await page.getByRole("button", { name: "Azure" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Link account" }).click();
    await expect
      .poll(() => dialog.getByRole("alert").allTextContents())
      .toEqual(Array.from({ length: 4 }, () => "Required"));
    await dialog.getByLabel("Directory (tenant) ID").fill(AZURE.tenantId);
    await dialog.getByLabel("Application (client) ID").fill(AZURE.clientId);
    await dialog.getByLabel("Client secret").fill("wrong");
    await dialog.getByLabel("Subscription ID").fill(AZURE.subscriptionId);
    await dialog.getByRole("button", { name: "Link account" }).click();
    await dialog.getByText(/refused the credentials/).waitFor();
    expect(await faultsInEveryLook(page, "integrations-link")).toEqual([]);
    await dialog.getByLabel("Client secret").fill(AZURE.clientSecret);
    await dialog.getByRole("button", { name: "Link account" }).click();

    await page.getByRole("heading", { name: "Pay-As-You-Go" }).waitFor();
    await page.getByRole("button", { name: "Monitor shop" }).click();
    await page.getByRole("link", { name: "Monitored: shop" }).waitFor();
    await page.getByLabel("Search resources").fill("postgres");
    await page.getByRole("button", { name: "Monitor db" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    await page.getByLabel("Search resources").fill("");
    expect(await faultsInEveryLook(page, "integration-one", true)).toEqual([]);
    await page.getByRole("link", { name: "Monitored: shop" }).click();
    await page.getByRole("link", { name: "shop.azurewebsites.test/health" }).first().waitFor();

    await page.goto("/settings/integrations");
    const row = page.getByRole("row").filter({ hasText: "Pay-As-You-Go" });
    await row.getByText("1 of 3", { exact: true }).waitFor();
    expect(await faultsInEveryLook(page, "integrations", true)).toEqual([]);
    await row.getByRole("button", { name: "Unlink Pay-As-You-Go" }).click();
    await dialog.getByRole("button", { name: "Unlink" }).click();
    await row.waitFor({ state: "detached" });
    expect(await callApi(page, "GET", "/api/domains")).toHaveLength(1);
    expect(await page.content()).not.toContain("sesame");
  });

  test("an account that could not be read yet does not look empty, and of another one it shows when it was read", async () => {
    const { page } = await startInstallation();
    const body = { url: providers.url, apiKey: SECRETS.coolify };
    providers.override(/api\/v1\/servers$/, json(500, {}));
    onTestFinished(() => providers.override(/api\/v1\/servers$/, null));
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/coolify/instances", body);
    await page.goto(`/settings/integrations/coolify/${id}`);
    await page.getByText("It could not be read yet.").waitFor({ timeout: 45_000 });
    await page.goto("/settings/integrations");
    await page.getByRole("row").filter({ hasText: "Root Team" }).getByText("–", { exact: true }).waitFor();

    providers.override(/api\/v1\/servers$/, null);
    await page.getByRole("link", { name: "Root Team" }).click();
    await page.getByRole("button", { name: "Read now" }).click();
    await page.getByText(/^Read \d/).waitFor({ timeout: 45_000 });
    providers.override(/api\/v1\/servers$/, json(500, {}));
    await page.getByRole("button", { name: "Read now" }).click();
    await page.getByText("What you see here was read last.", { exact: false }).waitFor({ timeout: 45_000 });
    await page.getByText(/^Read \d/).waitFor();
  });

  test("an account of Vercel is linked by agreeing there, and again when the link was revoked", async () => {
    const { page, url } = await startInstallation();
    await page.goto("/settings/integrations");
    await page.getByRole("button", { name: "Vercel" }).click();
    await page.getByRole("button", { name: "Go on to Vercel" }).click();
    await page.getByRole("heading", { name: "ada" }).waitFor();
    expect(page.url()).toMatch(new RegExp(`^${url}/settings/integrations/vercel/\\d+$`));
    await page.getByRole("button", { name: "Monitor site" }).waitFor();

    providers.world.vercel.accessTokens.clear();
    providers.world.vercel.refreshTokens.clear();
    await page.getByRole("button", { name: "Read now" }).click();
    await page
      .getByRole("alert")
      .getByText(/does not honour this link any more/)
      .waitFor({ timeout: 45_000 });
    await page.getByRole("button", { name: "Link again" }).click();
    await page.getByRole("button", { name: "Go on to Vercel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText(/^Read \d/).waitFor({ timeout: 45_000 });

    await page.goto("/settings/integrations/vercel?error=access_denied");
    await page.getByText("Vercel did not agree to the link. Nothing was changed.").waitFor();
    await page.getByRole("link", { name: "Back to integrations" }).click();
    await page.getByRole("link", { name: "ada" }).waitFor();
  });

  test("a deployment is a mark on the chart, and the first thing that an incident says", async () => {
    const { page, url } = await startInstallation();
    const target = await startHttpTarget();
    onTestFinished(target.close);
    const domain = await callApi<{ id: number; uuid: string }>(page, "POST", "/api/domains", {
      ...{ name: "Shop", url: target.url, tags: ["shop"], checkInterval: 10, timeout: 5, recheckDelay: 0 },
    });
    await page.goto("/settings/integrations");
    await page.getByRole("button", { name: "Add webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Storefront");
    await dialog.getByLabel("Tags of monitors").fill("shop");
    expect(await faultsInEveryLook(page, "webhook-new")).toEqual([]);
    await page.route("**/api/deployments/webhooks", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    // Closed while it is saved: the secret is never shown again.
    await page.keyboard.press("Escape");
    await dialog.getByText("Storefront is ready").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    const [address = "", secret = ""] = await dialog.locator("code").allTextContents();
    // Enter must not close the only dialog that has the secret.
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Copy: Address");
    await dialog.getByRole("button", { name: "Copy: Secret" }).waitFor();
    expect(await faultsInEveryLook(page, "webhook-made")).toEqual([]);
    await dialog.getByRole("button", { name: "I have entered both" }).click();
    await page.getByText("Nothing received yet").first().waitFor();

    const now = new Date().toISOString();
    const body = JSON.stringify({
      deployment: {
        id: 1,
        sha: "1a2b3c4d5e6f",
        environment: "production",
        creator: { login: "ada" },
        created_at: now,
      },
      deployment_status: { state: "success", created_at: now },
      repository: { id: 7, name: "storefront" },
    });
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    expect(address).toContain(`${url}/api/webhooks/deployments/`);
    const headers = { "x-github-event": "deployment_status", "x-hub-signature-256": signature };
    const sent = await fetch(address, { method: "POST", body, headers });
    expect(((await sent.json()) as { data: object }).data).toMatchObject({ recorded: true });
    // Without a reload: the live stream updates the page.
    await page
      .getByRole("row")
      .filter({ hasText: "storefront" })
      .getByText("Shop", { exact: true })
      .first()
      .waitFor();

    await page.getByRole("button", { name: "Edit Storefront" }).click();
    expect(await dialog.locator("code").allTextContents()).toEqual([address]);
    await dialog.getByRole("button", { name: "Copy: Address" }).waitFor();
    expect(await faultsInEveryLook(page, "webhook-edit")).toEqual([]);
    await dialog.getByLabel("Name").fill("Front");
    await dialog.getByLabel("Environments").fill("production, staging");
    await dialog.getByLabel("Make a new secret", { exact: false }).check();
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await dialog.getByText("Front is ready").waitFor();
    expect((await dialog.locator("code").allTextContents())[1]).not.toBe(secret);
    await dialog.getByRole("button", { name: "I have entered both" }).click();
    await page.getByText("GitHub · tag shop · only production, staging").waitFor();

    // Saved late: what was opened since stays, with what was typed into it.
    const slow = Promise.withResolvers<void>();
    await page.route(/deployments\/webhooks\/\d+$/, async (route) => {
      await slow.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Edit Front" }).click();
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add webhook" }).click();
    await dialog.getByLabel("Name").fill("Half");
    slow.resolve();
    await page.getByText("Front is saved.").waitFor();
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Half");
    await page.unrouteAll({ behavior: "wait" });
    await dialog.getByRole("button", { name: "Cancel" }).click();

    const [hook] = await callApi<{ id: number }[]>(page, "GET", "/api/deployments/webhooks");
    const old = await callApi<{ id: number; uuid: string }>(page, "POST", "/api/domains", {
      url: target.url,
    });
    const monitors = [domain.uuid, old.uuid];
    await callApi(page, "PUT", `/api/deployments/webhooks/${hook?.id}`, { monitors });
    await callApi(page, "DELETE", `/api/domains/${old.id}`);
    await page.reload();
    const touched = "GitHub · tag shop · Shop · 1 monitor that is gone · only production, staging";
    await page.getByText(touched, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit Front" }).click();
    expect(await faultsInEveryLook(page, "webhook-edit-monitors")).toEqual([]);
    const ofGone = dialog.getByRole("checkbox", { name: "1 monitor that is gone" });
    expect(await ofGone.isChecked()).toBe(true);
    await dialog.getByRole("checkbox", { name: "Shop", exact: true }).click();
    expect(await ofGone.isChecked()).toBe(false);
    await dialog.getByLabel("Tags of monitors").fill("");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("GitHub · only production, staging", { exact: true }).waitFor();
    expect(await faultsInEveryLook(page, "webhooks", true)).toEqual([]);

    for (const version of ["release-2026-11-28.2", "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b"]) {
      await callApi(page, "POST", "/api/deployments", { name: "other", version, author: "ada" });
    }
    await page.getByText("release-2026-11-28.2 · ada", { exact: true }).waitFor();
    await page.getByText("1a2b3c4d5e6f · ada", { exact: true }).waitFor();

    target.set(status(500));
    await page.goto(`/domains/${domain.id}`);
    await page.locator("[data-deployments]").getByText("1 deployment").waitFor();
    expect(await faultsInEveryLook(page, "deployment-on-chart", true)).toEqual([]);
    await page.getByRole("button", { name: "Show as table" }).click();
    await page.getByRole("cell", { name: "storefront · 1a2b3c4d5e6f · ada" }).waitFor();
    expect(await faultsInEveryLook(page, "deployment-in-table", true)).toEqual([]);
    await expect
      .poll(async () => (await callApi<object[]>(page, "GET", "/api/incidents")).length, { timeout: 45_000 })
      .toBe(1);
    target.set(respond());
    const [incident] = await callApi<{ id: number }[]>(page, "GET", "/api/incidents");
    await page.goto(`/incidents/${incident?.id}`);
    const first = page.locator("[data-incident-deployment]");
    expect(await first.textContent()).toMatch(/^Started .+ after deployment 1a2b3c4 of storefront by ada\./);
    expect(await faultsInEveryLook(page, "deployment-of-incident")).toEqual([]);

    const made = await callApi<{ device: { id: number }; token: string }>(page, "POST", "/api/devices", {
      ...{ name: "web-1", linkedMonitors: [domain.uuid] },
    });
    expect(await agentWith({ url }, made.token)({ system, metrics })).toBe(200);
    await page.goto(`/devices/${made.device.id}`);
    await callApi(page, "POST", "/api/deployments", { name: "storefront", monitors: [domain.uuid] });
    const processor = page.getByRole("region", { name: "Processor" });
    await processor.locator("[data-deployments]").getByText("1 deployment").waitFor();
    expect(await faultsInEveryLook(page, "deployment-of-device", true)).toEqual([]);
    await page.getByRole("button", { name: "Show as table" }).click();
    await processor.getByText("storefront", { exact: true }).waitFor();
  });
});
