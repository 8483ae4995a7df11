import { describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

describe("API keys", () => {
  test("a key is made with the scopes that were ticked, works, is listed without its token, and is deleted", async () => {
    const page = await app.open();
    await page.goto("/domains");
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("link", { name: "API keys", exact: true }).click();
    await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
    await page.getByRole("button", { name: "Create key" }).click();

    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByRole("alert").first().waitFor();
    expect(await dialog.getByRole("group", { name: "Permissions" }).getByRole("alert").count()).toBe(1);
    await dialog.getByRole("checkbox", { name: "Read: Domains" }).click();
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.locator('input[name=name][aria-invalid="true"]').waitFor();
    expect(await dialog.getByRole("alert").count()).toBe(1);

    await dialog.getByLabel("Name").fill("Deploy pipeline");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("heading", { name: "Deploy pipeline was created" }).waitFor();
    // It is not shown again: copying it is what the dialog is for.
    const copy = dialog.getByRole("button", { name: "Copy token" });
    await eventually(() => copy.evaluate((one) => one === one.ownerDocument.activeElement), Boolean);
    const token = (await dialog.locator("code").textContent()) ?? "";
    const headers = { authorization: `Bearer ${token}` };
    const request = (path: string) => fetch(app.url + path, { headers });
    expect((await request("/api/domains")).status).toBe(200);
    expect((await request("/api/incidents")).status).toBe(403);
    await dialog.getByRole("button", { name: "Done" }).click();

    const item = page.getByRole("row").filter({ hasText: "Deploy pipeline" });
    await item.getByText(`${token.slice(0, 12)}…`).waitFor();
    await item.getByRole("cell", { name: "Read: Domains" }).waitFor();
    expect(await page.getByText(token).count()).toBe(0);
    const [key] = await callApi<{ expiresAt: string }[]>(page, "GET", "/api/api-keys");
    expect((Date.parse(key?.expiresAt ?? "") - Date.now()) / 86_400_000).toBeCloseTo(90, 1);

    await item.getByRole("button", { name: "Delete Deploy pipeline" }).click();
    const fault = { success: false, message: "Server Error", fact: { code: "request.error" } };
    const failed = { status: 500, headers: { "x-request-id": "4f1c9a02" }, json: fault };
    await page.route("**/api-keys/*", (route) => route.fulfill(failed), { times: 1 });
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("Request 4f1c9a02").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
    expect((await request("/api/domains")).status).toBe(401);
  });

  test("a person of two organizations makes a key for both, and sees that it is one", async () => {
    const page = await app.open();
    await page.goto("/settings/api-keys");
    await callApi(page, "POST", "/api/organizations", { name: "Second" });
    await page.reload();
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Everywhere");
    // What is above the page has the keyboard to itself.
    for (const keys of ["Control+k", "?", "g", "d"]) await page.keyboard.press(keys);
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Everywhere?gd");
    await dialog.getByLabel("Name").fill("Everywhere");
    await dialog.getByRole("checkbox", { name: "Read: Domains" }).click();
    await dialog
      .getByLabel("Organizations")
      .selectOption({ label: "All of mine, including ones I join later" });
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row").filter({ hasText: "Everywhere" }).getByText("All organizations").waitFor();
  });

  test("the list and the form are accessible in both themes and fit a phone", async () => {
    const page = await app.open();
    await page.goto("/settings/api-keys");
    const scopes = ["read:*", "write:domains", "write:incidents"];
    await callApi(page, "POST", "/api/api-keys", { name: "Deploy pipeline", scopes });
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    await callApi(page, "POST", "/api/api-keys", { name: "Grafana", scopes: ["read:metrics"], expiresAt });
    await page.reload();
    await page.getByText("Grafana", { exact: true }).waitFor();
    expect(await faultsInEveryLook(page, "api-keys")).toEqual([]);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await faultsInEveryLook(page, "api-keys-form")).toEqual([]);
  });
});
