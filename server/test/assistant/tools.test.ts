import { expect, onTestFinished, test } from "vitest";
import { offeredTools } from "../../src/app/http/described.ts";
import { assistantTools, CORE_TOOLS } from "../../src/assistant/tools/assistant-tools.ts";
import { makeCaller } from "../app/operations/cases.ts";
import { startTestServer } from "../harness/server.ts";

async function toolsOf(role: "owner" | "viewer") {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const { userId, organization } = await server.createOrganization({ role });
  const caller = await makeCaller(server, { userId, organizationId: organization.id, role });
  return assistantTools({ ...server.ctx, caller }, offeredTools().values());
}

test("a model begins with tools that there are, and all of them are as both providers take them", async () => {
  const tools = await toolsOf("owner");
  expect(tools.length).toBeGreaterThan(100);
  expect(
    tools
      .filter(({ isCore }) => isCore)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(CORE_TOOLS.toSorted());
  for (const { name, parameters } of tools) {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(parameters["type"], name).toBe("object");
    for (const refused of ["oneOf", "anyOf", "allOf"]) expect(parameters, name).not.toHaveProperty(refused);
    expect(parameters["properties"], name).not.toHaveProperty("confirmationToken");
  }
});

test("only what reads and stays inside is done at once", async () => {
  const tools = await toolsOf("owner");
  const atOnce = Object.fromEntries(tools.map((tool) => [tool.name, tool.atOnce]));
  for (const name of ["list_domains", "explain_incident", "search", "get_dashboard_stats"]) {
    expect([name, atOnce[name]]).toEqual([name, true]);
  }
  for (const name of [
    ...["create_domain", "delete_domain", "acknowledge_incident", "domain_check", "fetch_title"],
    ...["look_up_dns", "scan_ports", "test_channel", "check_domain"],
  ]) {
    expect([name, atOnce[name] ?? false]).toEqual([name, false]);
  }
  // Nothing that writes is missing from those that wait.
  expect(
    tools.filter(({ name, atOnce: now }) => now && /^(?:create|update|delete|add|remove)_/.test(name)),
  ).toEqual([]);
});

test("a viewer's model has no tool that changes anything but how they themselves are notified", async () => {
  const names = (await toolsOf("viewer")).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => /^(?:create|update|delete)_/.test(name))).toEqual([
    "update_notification_settings",
  ]);
});
