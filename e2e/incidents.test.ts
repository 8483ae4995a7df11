import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

describe("incidents", () => {
  test("one is reported, acknowledged, updated and resolved, and changes while it is looked at", async () => {
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
    await card(page, "Who was notified").getByText("Nothing was sent to a channel, nor to you.").waitFor();
    const timeline = card(page, "Timeline");
    await timeline.getByText("The queue is full.").waitFor();
    await timeline
      .getByRole("listitem")
      .filter({ hasText: /^Mira Holm\s*Acknowledged/ })
      .waitFor();
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

    await entry(page, "It drains.").getByRole("button", { name: "Edit or delete this entry" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await timeline.getByRole("textbox").fill("It drains slowly.");
    await timeline.getByRole("button", { name: "Save" }).click();
    await entry(page, "It drains slowly.").getByText("(edited)").waitFor();
    await entry(page, "I am on it.").getByRole("button", { name: "Edit or delete this entry" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page
      .getByRole("dialog", { name: "Delete this comment?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await entry(page, "I am on it.").waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Incidents", exact: true }).first().click();
    await page.getByRole("link", { name: "Payments <b>are</b> slow" }).waitFor();
    await page.getByText("Acknowledged by Mira Holm").first().waitFor();
    expect(await faultsInEveryLook(page, "incidents")).toEqual([]);
    await page.getByRole("link", { name: "Payments <b>are</b> slow" }).click();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await header.getByText("Resolved").waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No open incidents" }).waitFor();
    expect(await callApi(page, "GET", "/api/incidents")).toEqual([]);
  });

  test("one is edited, explained in a postmortem whose HTML is text, and merged into another", async () => {
    const page = await app.open();
    await page.goto("/incidents");
    const report = (title: string) =>
      callApi<{ id: number }>(page, "POST", "/api/incidents", { title, severity: "low" });
    const [target, given] = [await report("Queue is full"), await report("Mails are late")];
    await page.goto(`/incidents/${given.id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill(" ");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator('input[name=title][aria-invalid="true"]').waitFor();
    await dialog.getByLabel("Title").fill("Mails are an hour late");
    await dialog.getByLabel("Severity").selectOption({ label: "High" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Mails are an hour late" }).waitFor();

    const postmortem = card(page, "Postmortem");
    await postmortem.getByRole("button", { name: "Write" }).click();
    const text =
      "## Why\n\n**The disk** was full. <img src=x onerror=alert(1)> ![plan](https://elsewhere.test/p.png) [x](javascript:alert(1))";
    await postmortem.getByRole("textbox").fill(text);
    await postmortem.getByRole("button", { name: "Preview" }).click();
    await postmortem.getByRole("heading", { name: "Why" }).waitFor();
    await postmortem.getByRole("button", { name: "Save" }).click();
    await postmortem.getByRole("button", { name: "Edit" }).waitFor();
    await postmortem.getByText("<img src=x onerror=alert(1)>").waitFor();
    expect(await postmortem.locator("img").count()).toBe(0);
    expect(await postmortem.getByRole("link", { name: "plan" }).getAttribute("href")).toBe(
      "https://elsewhere.test/p.png",
    );
    expect(await postmortem.getByRole("link").count()).toBe(1);
    expect(await faultsInEveryLook(page, "incident-postmortem", true)).toEqual([]);

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Merge into another" }).click();
    expect(await dialog.getByRole("button", { name: "Merge", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Incident that takes it over").selectOption(String(target.id));
    await dialog.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByRole("heading", { name: "Queue is full" }).waitFor();
    expect(await callApi(page, "GET", `/api/incidents/${given.id}`)).toMatchObject({
      mergedIntoId: target.id,
      severity: "high",
    });
    await callApi(page, "DELETE", `/api/incidents/${target.id}`);
    await callApi(page, "DELETE", `/api/incidents/${given.id}`);
  });

  test("monitors that fail together share one, which says why and can be separated", async () => {
    const page = await app.open();
    await page.goto("/incidents");
    const names = ["Shop", "Shop API"];
    const ids: number[] = [];
    for (const [index, name] of names.entries()) {
      const url = `http://shop.localhost:1/${index}`;
      const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", { name, url });
      ids.push(id);
    }
    await page.getByRole("link", { name: "Shop and 1 other monitor are down" }).click();
    const affected = card(page, "Affected");
    await affected.getByText(/They began to fail within a minute/).waitFor();
    // Why, before anything else.
    const header = page.locator("[data-incident-status]");
    await header.getByText(/^Shop: .*refused/).waitFor();
    await header.getByText(/They are on the same host: shop\.localhost/).waitFor();
    expect(await faultsInEveryLook(page, "incident-group")).toEqual([]);
    // One outage is one notification; it leads to where both are.
    const bell = page.getByRole("button", { name: /^Notifications/ });
    await bell.click();
    const notifications = page.getByRole("dialog", { name: "Notifications" });
    const shared = notifications.getByRole("button", { name: /Shop and 1 other monitor went down\./ });
    await shared.waitFor();
    expect(await notifications.getByRole("button", { name: /Shop.* went down/ }).count()).toBe(1);
    expect(await faultsInEveryLook(page, "notifications-group")).toEqual([]);
    await page.keyboard.press("Escape");
    await bell.click();
    await shared.click();
    await affected.waitFor();
    // What has the focus goes away, and the focus stays on the page.
    const content = page.locator("#content:focus");
    await page.getByRole("button", { name: "Acknowledge", exact: true }).press("Enter");
    await content.waitFor();
    await affected.getByRole("button", { name: "Separate Shop API" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Separate Shop API?" });
    await dialog.getByText(/Channels that were notified of it are not notified again/).waitFor();
    await dialog.getByText(/It stays acknowledged by /).waitFor();
    expect(await faultsInEveryLook(page, "incident-separate")).toEqual([]);
    await dialog.getByRole("button", { name: "Separate", exact: true }).click();
    await page.getByRole("heading", { name: "Shop is down", exact: true }).waitFor();
    await content.waitFor();
    // Each leads to the other one.
    const other = card(page, "Timeline").getByRole("link", { name: /^Incident #\d+$/ });
    await other.click();
    await page.getByRole("heading", { name: "Shop API is down", exact: true }).waitFor();
    await other.click();
    await page.getByRole("heading", { name: "Shop is down", exact: true }).waitFor();
    // What people merged can be separated as well.
    const [target, given] = await Promise.all(
      ids.map((id) => callApi<{ id: number }[]>(page, "GET", `/api/incidents?monitor=${id}`)),
    );
    await callApi(page, "POST", `/api/incidents/${given?.[0]?.id}/merge`, { into: target?.[0]?.id });
    await affected.getByRole("button", { name: "Separate all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Separate", exact: true }).click();
    await affected.getByRole("button", { name: "Separate all" }).waitFor({ state: "detached" });
    for (const id of ids) await callApi(page, "DELETE", `/api/domains/${id}`);
  });

  test("one that is resolved while it is still down needs a confirmation, and says so as long as it is", async () => {
    const page = await app.open();
    await page.goto("/incidents");
    const domain = { name: "Partner feed", url: "http://127.0.0.1:1/feed" };
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", domain);
    await page.getByRole("link", { name: "Partner feed is down" }).click();
    const header = page.locator("[data-incident-status]");
    const tone = () => header.getAttribute("data-incident-tone");
    await page.getByRole("textbox", { name: "Update" }).fill("Their server is off.");
    await page.getByLabel("Status", { exact: true }).selectOption({ label: "Identified" });
    await page.getByRole("button", { name: "Post update" }).click();
    await header.getByText("Identified").waitFor();
    expect(await tone()).toBe("down");
    await page.keyboard.press("Escape");
    await page.locator("#content").focus();
    await page.keyboard.press("a");
    await page.getByText(/^Mira Holm, /).waitFor();
    const dialog = page.getByRole("dialog", { name: "Resolve “Partner feed is down”?" });
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await dialog.getByText(/^Partner feed is still down\./).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await header.getByText("Identified").waitFor();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await dialog.getByRole("button", { name: "Resolve anyway" }).click();
    await header.getByText("Resolved by hand, still down").waitFor();
    expect(await tone()).toBe("down");
    expect(await faultsInEveryLook(page, "incident-still-down")).toEqual([]);
    await page.goto(`/domains/${id}`);
    await page.getByRole("link", { name: "Incident resolved by hand, still down", exact: true }).waitFor();
    await callApi(page, "DELETE", `/api/domains/${id}`);
  });

  test("an outage says why it is one, and what other settings would have done", async () => {
    const page = await app.open();
    await page.goto("/incidents");
    await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
    const { id: domainId } = await callApi<{ id: number }>(page, "POST", "/api/domains", {
      name: "Closed shop",
      url: "http://127.0.0.1:1/",
      checkInterval: 60,
    });
    await page.getByRole("link", { name: "Closed shop is down" }).click();
    const why = card(page, "Why this alert");
    await why.getByText(/^.*2 failures in a row at the Vedette server, 2 needed/).waitFor();
    await why.getByText("2 checks behind this").click();
    await why.getByText(/the Vedette server · failed · .*recheck after/).waitFor();
    await why.getByText("What if the settings had been different?").click();
    await why.getByLabel("Failing locations needed").waitFor();
    await why.getByLabel("Failures in a row until down").selectOption("5");
    await why.getByText(/no alarm at all/).waitFor();
    await why.getByLabel("Failures in a row until down").selectOption("1");
    await why.getByText(/detected .* earlier/).waitFor();
    expect(await faultsInEveryLook(page, "incident-why")).toEqual([]);
    // Why no notifications are sent is visible at once, as soon as it is so.
    const mute = { duration: 3600, monitorIds: [domainId] };
    const { id: windowId } = await callApi<{ id: number }>(page, "POST", "/api/maintenance", mute);
    await card(page, "Affected")
      .getByText(/^Maintenance until /)
      .waitFor();
    await why.getByText(/^It is in maintenance until /).waitFor();
    await page.getByRole("link", { name: "Incidents", exact: true }).first().click();
    await page.getByText("In maintenance", { exact: true }).first().waitFor();
    expect(await faultsInEveryLook(page, "incidents-maintenance")).toEqual([]);
    // In Chinese, whose times are the longest, the list cuts none of them. The last test: the language stays.
    await page.evaluate("localStorage.setItem('vedette.language', 'zh')");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/incidents?which=all");
    const began = page.locator("time").first();
    await began.waitFor();
    const [time, cell] = [await began.boundingBox(), await began.locator("..").boundingBox()];
    expect(time?.width).toBeLessThanOrEqual(cell?.width ?? 0);
    await callApi(page, "DELETE", `/api/maintenance/${windowId}`);
    await callApi(page, "DELETE", `/api/domains/${domainId}`);
  });
});

const entry = (page: Page, text: string) =>
  card(page, "Timeline").getByRole("listitem").filter({ hasText: text });
