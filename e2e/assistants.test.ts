import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../server/test/harness/process.ts";
import { shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

test("a key for an assistant is made in place, is in each program's configuration, and works", async () => {
  const page = await app.open();
  await page.goto("/settings/api-keys");
  await page.getByRole("link", { name: "Assistants", exact: true }).click();
  await page.getByRole("heading", { name: "Connect" }).waitFor();
  const snippet = page.locator("figure pre").first();
  expect(await snippet.textContent()).toContain(
    `${app.url}/mcp --header "Authorization: Bearer YOUR_API_KEY"`,
  );
  await page.getByLabel("The assistant may").selectOption("read");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Copy it now: it is not shown again.").waitFor();
  expect(await page.locator(":focus").textContent()).toBe("Copy key");
  expect(await faultsInEveryLook(page, "assistants")).toEqual([]);

  const [, key = ""] = /Bearer (vdt_[\w-]+)/.exec((await snippet.textContent()) ?? "") ?? [];
  const call = async (name: string, given: object) => {
    const params = { name, arguments: given };
    const answer = await fetch(`${app.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    return ((await answer.json()) as { result: { isError?: boolean } }).result;
  };
  expect(await call("get_dashboard_stats", {})).not.toHaveProperty("isError");
  expect(await call("create_domain", { name: "Shop", url: "https://example.com" })).toHaveProperty(
    "isError",
    true,
  );

  for (const [client, words] of [
    ["Cursor", "mcpServers"],
    ["VS Code", '"type": "http"'],
    ["curl", "tools/call"],
  ] as const) {
    await page.getByRole("radio", { name: client }).click();
    await page.locator("figure pre", { hasText: words }).waitFor();
    expect(await page.locator("figure pre").textContent()).toContain(key);
  }
  await page.getByRole("radio", { name: "ChatGPT" }).click();
  await page.getByText("VEDETTE_MCP_ISSUER").waitFor();
  expect(await page.locator("figure pre").textContent()).toBe(`${app.url}/mcp`);
});

test("what the plan does not have is refused once, without instructions that would not work", async () => {
  const setPlan = async (plan: string) =>
    expect(await runCommand(["plan", "northwind", plan, "--data", app.dataFolder])).toMatchObject({
      code: 0,
    });
  await setPlan("pro");
  onTestFinished(() => setPlan("expert"));
  const page = await app.open();
  for (const path of ["/settings/assistants", "/settings/integrations", "/toolbox"]) {
    await page.goto(path);
    await page.getByText("This feature requires an Expert Plan subscription.").waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  }
});
