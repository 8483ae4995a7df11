import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHttpTarget, type Target } from "../server/test/harness/targets.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { nextLink, startMailing } from "./harness/mailing.ts";

const app = shareInstallation();
let target: Target;
beforeAll(async () => {
  target = await startHttpTarget();
});
afterAll(() => target.close());

const path = "/settings/notifications";
const api = "/api/notifications/settings";

describe("a reader's own notifications", () => {
  test("say that no mail is sent, take a webhook and quiet hours, and try what was saved", async () => {
    const page = await app.open();
    await page.goto(path);
    const targets = page.getByRole("region", { name: "Where messages go" });
    await targets.getByText("This installation sends no mail", { exact: false }).waitFor();
    expect(await targets.getByRole("button").count()).toBe(0);

    await page.getByRole("button", { name: "Slack and webhook" }).click();
    expect(await page.getByLabel("Webhook URL of Slack").count()).toBe(0);
    await page.getByLabel("Webhook URL", { exact: true }).fill("http://169.254.169.254/");
    await page.getByRole("button", { name: "Quiet hours" }).click();
    await page.getByLabel("From", { exact: true }).fill("22:00");
    await page.getByLabel("Until", { exact: true }).fill("07:00");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").first().waitFor();
    await page.getByLabel("Webhook URL", { exact: true }).fill(`${target.url}vedette`);
    await page.getByRole("checkbox", { name: "Mail when something goes down", exact: true }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your notification settings were saved.").waitFor();
    expect(await callApi(page, "GET", api)).toMatchObject({
      emailNotifications: true,
      emailDowntime: false,
      webhookUrl: `${target.url}vedette`,
      quietHours: { from: "22:00", to: "07:00" },
    });

    await targets.getByText(/whsec_/).waitFor();
    await targets.getByRole("button", { name: "Send test message: Webhook" }).click();
    await targets.getByText(`127.0.0.1:${target.port} accepted it (200).`).waitFor();
    expect(target.requests.map(({ path: at }) => at)).toEqual(["/vedette"]);
    expect(await faultsInEveryLook(page, "notification-settings", true)).toEqual([]);

    await page.reload();
    expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("22:00");
  });

  test("send a test mail to the reader where there is a mail server", async () => {
    const { page, mail } = await startMailing();
    await page.goto(path);
    const targets = page.getByRole("region", { name: "Where messages go" });
    await targets.getByRole("button", { name: "Send test message: E-mail" }).click();
    await targets.getByRole("status").waitFor();
    expect(mail.mails).toHaveLength(1);
    await page.getByRole("checkbox", { name: "Send me mail", exact: true }).click();
    expect(
      await page.getByRole("checkbox", { name: "Mail when something goes down", exact: true }).count(),
    ).toBe(0);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await targets.getByText("Turned off below.").waitFor();
    expect(await callApi(page, "GET", api)).toMatchObject({ emailNotifications: false, emailDowntime: true });
  });

  test("say that an address from an open sign-up is not confirmed, and send another request", async () => {
    const { page, mail } = await startMailing({ VEDETTE_SIGNUP: "open" });
    await callApi(page, "POST", "/api/auth/sign-out");
    const email = "ada@elsewhere.test";
    await callApi(page, "POST", "/api/auth/sign-up", { email, password: "correct horse battery" });
    await nextLink(mail);
    await page.goto(path);
    const targets = page.getByRole("region", { name: "Where messages go" });
    const sentence = targets.getByText("This address has not been confirmed yet.", {
      exact: false,
    });
    await sentence.waitFor();
    expect(await targets.getByRole("button", { name: "Send test message: E-mail" }).count()).toBe(0);
    expect(await faultsInEveryLook(page, "notification-settings-unconfirmed", true)).toEqual([]);
    await targets.getByRole("button", { name: "Send again", exact: true }).click();
    await page.getByText(`Another confirmation mail was sent to ${email}.`).waitFor();
    await page.goto(await nextLink(mail));
    await page.getByRole("button", { name: "Confirm this address", exact: true }).press("Enter");
    await page.getByText("Confirmed. From now on you are notified at this address.").waitFor();
    await page.goto(path);
    await targets.getByRole("button", { name: "Send test message: E-mail" }).click();
    await targets.getByRole("status").waitFor();
    expect(await sentence.count()).toBe(0);
    expect(mail.mails.map(({ to }) => to)).toEqual([[email]]);
  });
});
