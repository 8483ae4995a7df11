import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { startServerProcess, temporaryFolder } from "../server/test/harness/process.ts";
import { startMailServer } from "../server/test/harness/smtp.ts";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

/** An installation that sends mail, with links to its own address, which it must know before it starts. */
async function startWithMail() {
  const mail = await startMailServer();
  const data = temporaryFolder();
  const first = await startServerProcess(data.folder);
  await fetch(`${first.url}/api/auth/setup`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: first.url },
    body: JSON.stringify(owner),
  });
  await first.stop();
  const environment = {
    VEDETTE_RATE_LIMITS: "off",
    VEDETTE_PUBLIC_URL: first.url,
    SMTP_URL: mail.url,
    VEDETTE_MAIL_FROM: "vedette@northwind.test",
  };
  const server = await startServerProcess(data.folder, environment, new URL(first.url).port);
  onTestFinished(async () => {
    await server.stop();
    await mail.stop();
    data.remove();
  });
  return { server, mail };
}

test("a new e-mail address is asked for with the password, refused at its field, and holds once its link is followed", async () => {
  const { server, mail } = await startWithMail();
  const page = await openPage(server.url);
  await page.goto("/sign-in");
  await callApi(page, "POST", "/api/auth/sign-in", { email: owner.email, password: owner.password });
  await page.goto("/settings/profile");
  await page.getByRole("button", { name: "Change e-mail" }).press("Enter");
  const dialog = page.getByRole("dialog");
  const next = dialog.getByLabel("New e-mail");
  const password = dialog.getByLabel("Password", { exact: true });
  for (const [typed, known, said] of [
    ["mira", owner.password, "This is not an e-mail address."],
    [owner.email, owner.password, "This is your e-mail address already."],
    ["mira@lighthouse.test", "a lamp in no window", "The password is wrong."],
  ] as const) {
    await next.fill(typed);
    await password.fill(known);
    await password.press("Enter");
    await dialog.getByText(said).waitFor();
  }
  expect(mail.mails).toEqual([]);
  expect(await faultsInEveryLook(page, "profile-email")).toEqual([]);
  await password.fill(owner.password);
  await password.press("Enter");
  await dialog.getByText("A link is on its way to mira@lighthouse.test.").waitFor();
  await dialog.getByRole("button", { name: "Done" }).press("Enter");
  await page.locator("[data-opens=email]:focus").waitFor();

  await eventually(
    async () => mail.mails,
    (mails) => mails.length === 1,
  );
  const [, token] = /#(\S+)/.exec(mail.mails[0]?.text ?? "") ?? [];
  await callApi(page, "POST", "/api/auth/email/confirm", { token });
  await page.reload();
  await page.getByText("mira@lighthouse.test").waitFor();
});

test("where no mail is sent, the profile says so and offers nothing", async () => {
  const page = await app.open();
  await page.goto("/settings/profile");
  await page.getByText("It can be changed once Vedette can send mail.").waitFor();
  expect(await page.getByRole("button", { name: "Change e-mail" }).count()).toBe(0);
});
