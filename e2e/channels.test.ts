import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { body, status } from "../server/test/harness/behaviours.ts";
import { startHttpTarget, type Target } from "../server/test/harness/targets.ts";
import { openPage } from "./harness/browser.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();
let target: Target;
beforeAll(async () => {
  target = await startHttpTarget();
});
afterAll(() => target.close());

const viewer = { name: "Li Wei", email: "li@northwind.test", password: "two lamps in a window" };
const organizationOf = (me: { organization: { id: number } }) => me.organization;
const channels = "/api/notifications/channels";

describe("notification channels", () => {
  test("a webhook is added, tested, and its log shows what was sent and answered", async () => {
    const page = await app.open();
    await page.goto("/settings/profile");
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByRole("heading", { name: "No channels yet" }).waitFor();
    await page.getByRole("link", { name: "Add channel" }).click();
    expect(await faultsInEveryLook(page, "channels-new", true)).toEqual([]);
    await page.getByText(/sends no mail yet.*SMTP_URL/).waitFor();
    await page.getByLabel("Type").selectOption({ label: "ntfy" });
    await page.getByText(/Subscribe to the same topic in the ntfy app/).waitFor();
    expect(await page.getByLabel("Time zone").isVisible()).toBe(false);
    await page.getByLabel("Type").selectOption({ label: "Webhook" });
    await page.getByRole("button", { name: "Add channel" }).click();
    await page.getByText("2 fields need your attention.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("On call");
    await page.getByLabel("URL").fill(`${target.url}vedette`);
    await page.getByRole("button", { name: "Add channel" }).click();
    await page.getByRole("heading", { name: "On call" }).waitFor();
    expect(target.requests).toEqual([]);

    target.set(body("noted"));
    await page.getByRole("button", { name: "Send test message" }).click();
    await page.getByRole("status").getByText(`127.0.0.1:${target.port} accepted it (200).`).waitFor();
    expect(target.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /vedette"]);
    expect(JSON.parse(target.requests[0]?.body ?? "{}")).toMatchObject({ type: "test" });
    const log = page.getByRole("region", { name: "Log" });
    await log.getByText("delivered", { exact: true }).waitFor();
    await log.getByText("1 attempt").click();
    await log.getByText("noted").waitFor();
    expect(await faultsInEveryLook(page, "channels-one", true)).toEqual([]);

    target.set(status(403));
    await page.getByRole("button", { name: "Send test message" }).click();
    await page.getByRole("alert").filter({ hasText: "403" }).waitFor();
    await log.getByText("not delivered").waitFor();

    // Where it leads, and what signs it, is for those who may change it.
    const { id } = organizationOf(await callApi(page, "GET", "/api/auth/me"));
    await callApi(page, "POST", `/api/organizations/${id}/members`, { ...viewer, role: "viewer" });
    const theirs = await openPage(app.url);
    await theirs.goto("/sign-in");
    await callApi(theirs, "POST", "/api/auth/sign-in", { email: viewer.email, password: viewer.password });
    await theirs.goto("/settings/channels");
    await theirs.getByRole("link", { name: "On call" }).waitFor();
    expect(await theirs.getByRole("button", { name: "Delete On call" }).count()).toBe(0);
    await theirs.getByRole("link", { name: "On call" }).click();
    await theirs.getByRole("region", { name: "Log" }).getByText("not delivered").waitFor();
    expect(await theirs.getByRole("button", { name: /Send|Save/ }).count()).toBe(0);
    expect(await theirs.content()).not.toMatch(/whsec_|\/vedette/);

    await page.getByRole("link", { name: "Channels" }).last().click();
    const row = page.getByRole("row").filter({ hasText: "On call" });
    await row
      .getByText(/was not delivered/)
      .first()
      .waitFor();
    expect(await faultsInEveryLook(page, "channels")).toEqual([]);
    await row.getByRole("button", { name: "Delete On call" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No channels yet" }).waitFor();
    expect(await callApi(page, "GET", channels)).toEqual([]);
  });
});
