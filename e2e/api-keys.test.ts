import { describe, expect, test } from "vitest";
import { seriousViolations } from "./harness/accessibility.ts";
import { type Look, openPage } from "./harness/browser.ts";
import { callApi, owner, signInAsOwner, startInstallation } from "./harness/installation.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

describe("API keys", () => {
  test("a key is made with the scopes that were ticked, works, is listed without its token, and is deleted", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await signInAsOwner(page, server);
    await page.getByRole("button", { name: `Account: ${owner.name}` }).click();
    await page.getByRole("menuitem", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
    await page.getByRole("button", { name: "Create key" }).click();

    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByRole("alert").first().waitFor();
    expect(await dialog.getByRole("group", { name: "May" }).getByRole("alert").count()).toBe(1);
    await dialog.getByRole("checkbox", { name: "read:domains" }).click();
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.locator('input[name=name][aria-invalid="true"]').waitFor();
    expect(await dialog.getByRole("alert").count()).toBe(1);

    await dialog.getByLabel("Name").fill("Deploy pipeline");
    await dialog.getByLabel("Ends").selectOption({ label: "In 90 days" });
    await dialog.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("heading", { name: "Deploy pipeline was created" }).waitFor();
    const token = (await dialog.locator("code").textContent()) ?? "";
    const headers = { authorization: `Bearer ${token}` };
    const asked = (path: string) => fetch(server.url + path, { headers });
    expect((await asked("/api/domains")).status).toBe(200);
    expect((await asked("/api/incidents")).status).toBe(403);
    await dialog.getByRole("button", { name: "Done" }).click();

    const item = page.getByRole("listitem").filter({ hasText: "Deploy pipeline" });
    await item.getByText(`${token.slice(0, 12)}…`).waitFor();
    expect(await item.textContent()).toContain("read:domains");
    expect(await page.getByText(token).count()).toBe(0);
    const [key] = await callApi<{ expiresAt: string }[]>(page, "GET", "/api/api-keys");
    expect((Date.parse(key?.expiresAt ?? "") - Date.now()) / 86_400_000).toBeCloseTo(90, 1);

    await item.getByRole("button", { name: "Delete Deploy pipeline" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
    expect((await asked("/api/domains")).status).toBe(401);
  });

  test("the list and the form are accessible in both themes and fit a phone", async () => {
    const server = await startInstallation();
    const first = await openPage(server.url);
    await signInAsOwner(first, server);
    const scopes = ["read:*", "write:domains", "write:incidents"];
    await callApi(first, "POST", "/api/api-keys", { name: "Deploy pipeline", scopes });
    await callApi(first, "POST", "/api/api-keys", { name: "Grafana", scopes: ["read:metrics"] });
    const cookies = await first.context().cookies();
    const looks: Look[] = [{}, { theme: "dark" }, { width: 375, height: 740 }];
    for (const look of looks) {
      const page = await openPage(server.url, look);
      await page.context().addCookies(cookies);
      await page.goto("/settings/api-keys");
      await page.getByText("Grafana", { exact: true }).waitFor();
      const name = `api-keys-${look.theme ?? "light"}${look.width ? "-phone" : ""}`;
      await saveScreenshot(page, name);
      expect(await seriousViolations(page), name).toEqual([]);
      expect(await sidewaysOverflow(page), name).toBe(0);
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("dialog").waitFor();
      await saveScreenshot(page, `${name}-form`);
      expect(await seriousViolations(page), name).toEqual([]);
    }
  });
});
