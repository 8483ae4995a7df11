import { describe, expect, test } from "vitest";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

describe("incidents", () => {
  test("one is reported, acknowledged, told about and resolved, and changes while it is looked at", async () => {
    const page = await app.open();
    await page.goto("/incidents");
    await page.getByRole("heading", { name: "No open incidents" }).waitFor();
    expect(await faultsInEveryLook(page, "incidents-none")).toEqual([]);
    await page.getByRole("button", { name: "Report incident" }).click();
    await page.getByRole("button", { name: "Report", exact: true }).click();
    await page.getByRole("alert").first().waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Payments <b>are</b> slow");
    await page.getByLabel("What is known").fill("<script>document.title = 'x'</script>");
    await page.getByRole("button", { name: "Report", exact: true }).click();
    await page.getByRole("heading", { name: "Payments <b>are</b> slow" }).waitFor();

    const header = page.locator("[data-incident-status]");
    await header.getByText("Open", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText(/^Mira Holm, /).waitFor();
    await page.getByLabel("Assigned to").selectOption({ label: "Mira Holm" });
    await page.getByRole("textbox", { name: "Update" }).fill("The queue is full.");
    await page.getByLabel("Status", { exact: true }).selectOption({ label: "Identified" });
    await page.getByRole("button", { name: "Post update" }).click();
    const timeline = card(page, "Timeline");
    await timeline.getByText("The queue is full.").waitFor();
    await header.getByText("Identified").waitFor();
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("textbox", { name: "Comment" }).fill("I am on it.");
    await page.getByRole("button", { name: "Add comment" }).click();
    await timeline.getByText("I am on it.").waitFor();
    expect(await faultsInEveryLook(page, "incident")).toEqual([]);

    const [incident] = await callApi<{ id: number }[]>(page, "GET", "/api/incidents");
    expect(await callApi(page, "GET", `/api/incidents/${incident?.id}`)).toMatchObject({
      assigneeName: "Mira Holm",
      status: "identified",
    });
    // What a colleague does arrives by itself.
    await callApi(page, "POST", `/api/incidents/${incident?.id}/updates`, { message: "It drains." });
    await timeline.getByText("It drains.").waitFor();

    await page.getByRole("link", { name: "Incidents" }).first().click();
    await page.getByRole("link", { name: "Payments <b>are</b> slow" }).waitFor();
    expect(await faultsInEveryLook(page, "incidents")).toEqual([]);
    await page.getByRole("link", { name: "Payments <b>are</b> slow" }).click();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await header.getByText("Resolved").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No open incidents" }).waitFor();
    expect(await callApi(page, "GET", "/api/incidents")).toEqual([]);
  });
});
