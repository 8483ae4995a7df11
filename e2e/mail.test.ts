import { expect, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, signInAsOwner, startInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { nextLink, startMailing } from "./harness/mailing.ts";

test("who forgot their password requests a link, chooses a new one and signs in with it; the link works once", async () => {
  const { page, mail } = await startMailing();
  await callApi(page, "POST", "/api/auth/sign-out");

  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  expect(await faultsInEveryLook(page, "forgot-password")).toEqual([]);
  await page.getByLabel("E-mail").fill("mira");
  await page.getByLabel("E-mail").press("Enter");
  await page.getByText("This is not an e-mail address.").waitFor();
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("E-mail").press("Enter");
  await page.getByText(`If ${owner.email} has an account here, a link is on its way.`).waitFor();
  expect(await faultsInEveryLook(page, "forgot-password-sent")).toEqual([]);

  const link = await nextLink(mail);
  await page.goto(link);
  const password = page.getByLabel("New password");
  await password.fill("short");
  await password.press("Enter");
  await page.getByText("The password needs at least 8 characters.").waitFor();
  expect(await faultsInEveryLook(page, "reset-password")).toEqual([]);
  await password.fill("a lamp in no window");
  await password.press("Enter");
  await page.getByRole("heading", { name: "Your password has changed" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill("a lamp in no window");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: `Account: ${owner.name}` }).waitFor();

  await page.goto("/forgot-password");
  await page.goto(link);
  await page.getByLabel("New password").fill("yet another lamp");
  await page.getByLabel("New password").press("Enter");
  await page.getByText("This link has expired, or was used already.").waitFor();
  expect(await faultsInEveryLook(page, "reset-password-used")).toEqual([]);
  await page.getByRole("link", { name: "Request a new link" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
});

test("a new e-mail address is requested with the password, refused at its field, and confirmed by a click on the page that its link opens", async () => {
  const { page, mail } = await startMailing();
  const email = "mira@lighthouse.test";
  await page.goto("/settings/profile");
  await page.getByRole("button", { name: "Change e-mail" }).press("Enter");
  const dialog = page.getByRole("dialog");
  const next = dialog.getByLabel("New e-mail");
  const password = dialog.getByLabel("Password", { exact: true });
  for (const [typed, known, said] of [
    ["mira", owner.password, "This is not an e-mail address."],
    [owner.email, owner.password, "This is your e-mail address already."],
    [email, "a lamp in no window", "The password is wrong."],
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
  await dialog.getByText(`A link is on its way to ${email}.`).waitFor();
  await dialog.getByRole("button", { name: "Done" }).press("Enter");
  await page.locator("[data-opens=email]:focus").waitFor();

  const link = await nextLink(mail);
  await page.goto(link);
  await page.getByRole("heading", { name: "Confirm your new e-mail address" }).waitFor();
  // A mail program that opens links has confirmed nothing.
  expect((await callApi<{ user: { email: string } }>(page, "GET", "/api/auth/me")).user.email).toBe(
    owner.email,
  );
  expect(await faultsInEveryLook(page, "confirm-email")).toEqual([]);
  await page.getByRole("button", { name: "Confirm this address" }).press("Enter");
  await page.getByText(`From now on you sign in with ${email}.`).waitFor();
  await page.getByRole("link", { name: "Go to Vedette" }).press("Enter");
  await page.getByRole("button", { name: `Account: ${owner.name}` }).waitFor();
  expect((await callApi<{ user: { email: string } }>(page, "GET", "/api/auth/me")).user.email).toBe(email);
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm this address" }).click();
  await page.getByText("This link has expired, or was used already.").waitFor();
});

test("an installation without a mail server says so to who forgot their password, and offers no change of address", async () => {
  const server = await startInstallation();
  const page = await openPage(server.url);
  await signInAsOwner(page, server);
  await page.goto("/forgot-password");
  await page.getByText("This installation sends no mail.").waitFor();
  expect(await faultsInEveryLook(page, "forgot-password-no-mail")).toEqual([]);
  await page.goto("/reset-password");
  await page.getByText("This link is not complete.").waitFor();

  await page.goto("/settings/organization");
  await page.getByRole("heading", { name: "Vedette sends no mail" }).waitFor();
  expect(await page.getByRole("button", { name: /test mail/ }).count()).toBe(0);
  expect(await faultsInEveryLook(page, "mail-off", true)).toEqual([]);
  const docs = await page.getByRole("link", { name: "How to set up mail" }).getAttribute("href");
  const { paths } = (await (await page.request.get(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, { get: { tags: string[]; operationId: string } }>;
  };
  const { tags, operationId } = paths["/api/mail"]?.get ?? {};
  expect(docs).toBe(`/docs#/${tags?.[0]}/${operationId}`);

  await page.goto("/settings/profile");
  await page.getByText("It can be changed once Vedette can send mail.").waitFor();
  expect(await page.getByRole("button", { name: "Change e-mail" }).count()).toBe(0);
});

test("an owner sends a test mail from the settings and reads what the mail server says, in their language", async () => {
  const { page, mail } = await startMailing();
  await page.goto("/settings/organization");
  await page.getByText(/^Sends as Vedette <vedette@127\.0\.0\.1>$/).waitFor();
  const button = page.getByRole("button", { name: `Send a test mail to ${owner.email}` });
  await button.press("Enter");
  await page.getByText(/The mail server 127\.0\.0\.1:\d+ accepted it: 250/).waitFor();
  expect(mail.mails.splice(0).map(({ to }) => to)).toEqual([[owner.email]]);
  mail.refuse({ code: 550, text: "5.7.1 Not from you" });
  await button.press("Enter");
  await page.getByRole("alert").getByText("refused it: 550 5.7.1 Not from you").waitFor();
  expect(await faultsInEveryLook(page, "mail-refused", true)).toEqual([]);
  await callApi(page, "PATCH", "/api/auth/me", { language: "de" });
  await page.reload();
  await page.getByRole("button", { name: `Test-E-Mail an ${owner.email} senden` }).press("Enter");
  await page
    .getByRole("alert")
    .getByText(/hat sie abgelehnt|abgelehnt: 550/)
    .waitFor();
});
