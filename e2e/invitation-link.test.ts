import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { totpCode } from "../server/test/harness/totp.ts";
import { openPage } from "./harness/browser.ts";
import { callApi, owner } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { type Mailing, nextLink, startMailing } from "./harness/mailing.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

const guest = { email: "jonas@northwind.test", password: "two lamps in a window", name: "Jonas Brandt" };

/** Invites as the owner, whose page it is, and gives the link that is mailed. */
async function invite({ page, mail }: Mailing, email: string = guest.email): Promise<string> {
  const { organization } = await callApi<{ organization: { id: number } }>(page, "GET", "/api/auth/me");
  const path = `/api/organizations/${organization.id}/invitations`;
  await callApi(page, "POST", path, { email, role: "admin" });
  return nextLink(mail);
}

/** An account in an organization of its own. */
async function makeAccount({ page }: Mailing): Promise<void> {
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/organizations", { name: "Harbour" });
  await callApi(page, "POST", `/api/organizations/${id}/members`, { ...guest, role: "admin" });
}

const isIn = (page: Page, organization: string) =>
  page.getByRole("button", { name: `Organization: ${organization}` }).waitFor();
const account = (page: Page) => page.getByRole("button", { name: `Account: ${guest.name}` });

test("an invited person without an account makes one from the mail on a phone, by keyboard, and is in the organization", async () => {
  const mailing = await startMailing();
  const link = await invite(mailing);
  const page = await openPage(mailing.url);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(link);
  await page.getByRole("heading", { name: "Join Northwind" }).waitFor();
  await page.getByText("Mira Holm invites you to join as an admin.").waitFor();
  await page.locator("input[name=name]:focus").waitFor();
  expect(await faultsInEveryLook(page, "invitation-new")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.keyboard.type(guest.name);
  await page.keyboard.press("Tab");
  await page.keyboard.type("short");
  await page.keyboard.press("Enter");
  await page.getByText("The password needs at least 8 characters.").waitFor();
  expect(await faultsInEveryLook(page, "invitation-new-wrong")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  const password = page.getByLabel("Password", { exact: true });
  await password.fill(guest.password);
  await password.press("Enter");
  await page.getByText("You now belong to Northwind.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  const me = await callApi<{ user: object; organization: object; organizations: object[] }>(
    page,
    "GET",
    "/api/auth/me",
  );
  expect(me).toMatchObject({
    user: { name: guest.name, email: guest.email },
    organization: { name: "Northwind", role: "admin" },
  });
  expect(me.organizations).toHaveLength(1);

  // The mail is often used as a bookmark.
  await page.goto("/sign-in");
  await page.goto(link);
  await page.getByText(/^This invitation is no longer valid/).waitFor();
  expect(await faultsInEveryLook(page, "invitation-used")).toEqual([]);
  await page.getByRole("link", { name: "Go to Vedette" }).press("Enter");
  await account(page).waitFor();
});

test("an invited person with an account signs in by the link, with the second factor too, and is in the organization", async () => {
  const mailing = await startMailing();
  await makeAccount(mailing);
  const page = await openPage(mailing.url);
  await page.goto("/sign-in");
  const { email, password } = guest;
  await callApi(page, "POST", "/api/auth/sign-in", { email, password });
  const { secret } = await callApi<{ secret: string }>(page, "POST", "/api/auth/totp", { password });
  const code = totpCode(secret, Date.now());
  await callApi(page, "POST", "/api/auth/totp/confirm", { code });
  await callApi(page, "POST", "/api/auth/sign-out");

  await page.goto(await invite(mailing));
  await page.getByText("You have an account already: sign in to join.").waitFor();
  await page.locator("input[name=password]:focus").waitFor();
  expect(await page.getByLabel("E-mail").inputValue()).toBe(email);
  expect(await faultsInEveryLook(page, "invitation-sign-in")).toEqual([]);
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  await page.getByLabel("Code from your authenticator app").fill(totpCode(secret, Date.now() + 30_000));
  await page.getByText("You now belong to Northwind.").waitFor();
  await isIn(page, "Northwind");
});

test("who is signed in as the invited person joins with one key; another account signs out first", async () => {
  const mailing = await startMailing();
  await makeAccount(mailing);
  const link = await invite(mailing);
  const other = await openPage(mailing.url);
  await other.goto("/sign-in");
  await callApi(other, "POST", "/api/auth/sign-in", { email: owner.email, password: owner.password });
  await other.goto(link);
  await other
    .getByText(`The invitation is for ${guest.email}, but you are signed in as ${owner.email}.`)
    .waitFor();
  expect(await faultsInEveryLook(other, "invitation-other")).toEqual([]);
  await other.getByRole("button", { name: `Sign out and use ${guest.email}` }).press("Enter");
  await other.getByRole("button", { name: "Sign in and join" }).waitFor();
  await other.locator("input[name=password]:focus").waitFor();
  expect((await other.request.get(`${mailing.url}/api/auth/me`)).status()).toBe(401);

  const page = await openPage(mailing.url);
  await page.goto("/sign-in");
  await callApi(page, "POST", "/api/auth/sign-in", { email: guest.email, password: guest.password });
  await page.goto(link);
  await page.getByText(`You are signed in as ${guest.email}.`).waitFor();
  expect(await faultsInEveryLook(page, "invitation-join")).toEqual([]);
  await page.getByRole("button", { name: "Join Northwind" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("You now belong to Northwind.").waitFor();
  await isIn(page, "Northwind");

  // The first browser still shows the form.
  await other.getByLabel("Password", { exact: true }).fill(guest.password);
  await other.keyboard.press("Enter");
  await other.getByText(/^This invitation is no longer valid/).waitFor();
});

test("a session that ends on the page of an invitation leaves the code where it is, and signing in joins", async () => {
  const mailing = await startMailing();
  await makeAccount(mailing);
  const link = await invite(mailing);
  const page = await openPage(mailing.url);
  await page.goto("/sign-in");
  await callApi(page, "POST", "/api/auth/sign-in", { email: guest.email, password: guest.password });
  await page.goto(link);
  const join = page.getByRole("button", { name: "Join Northwind" });
  await join.waitFor();
  await callApi(page, "POST", "/api/auth/sign-out");
  await join.click();
  await page.getByRole("button", { name: "Sign in and join" }).waitFor();
  expect(page.url()).toBe(link);
  await page.getByLabel("Password", { exact: true }).fill(guest.password);
  await page.keyboard.press("Enter");
  await page.getByText("You now belong to Northwind.").waitFor();
});

test("a link that is cut off, made up, or withdrawn while it is looked at says what to do; long names stay on the page", async () => {
  const mailing = await startMailing();
  const page = await openPage(mailing.url);
  await page.goto("/invitation");
  await page.getByText("This link is not complete.").waitFor();
  await page.goto("/sign-in");
  await page.goto("/invitation#7KQ2M-XW4PA-9DRTZ-H3BFN");
  await page.getByText(/^This invitation is no longer valid/).waitFor();

  await makeAccount(mailing);
  await callApi(page, "POST", "/api/auth/sign-in", { email: guest.email, password: guest.password });
  const { organization } = await callApi<{ organization: { id: number } }>(
    mailing.page,
    "GET",
    "/api/auth/me",
  );
  const at = `/api/organizations/${organization.id}`;
  await callApi(mailing.page, "PUT", at, { name: `North${"w".repeat(90)}ind` });
  await page.goto("/sign-in");
  await page.goto(await invite(mailing));
  const join = page.getByRole("button", { name: /^Join North/ });
  await join.waitFor();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await saveScreenshot(page, `invitation-long-${width}`);
    expect(await sidewaysOverflow(page)).toBe(0);
  }
  const [open] = await callApi<{ id: number }[]>(mailing.page, "GET", `${at}/invitations`);
  await callApi(mailing.page, "DELETE", `${at}/invitations/${open?.id}`);
  await join.click();
  await page.getByText(/^This invitation is no longer valid/).waitFor();
});
