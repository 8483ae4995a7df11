import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import {
  callApi,
  owner,
  shareInstallation,
  signInAsOwner,
  startInstallation,
} from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

const app = shareInstallation();
const guest = { email: "jonas@northwind.test", password: "two lamps in a window", name: "Jonas" };

test("an invitation waits on the overview, is accepted or declined there, and leads to the organization", async () => {
  const page = await app.open();
  await page.goto("/");
  const { organization } = await callApi<{ organization: { id: number } }>(page, "GET", "/api/auth/me");
  const members = `/api/organizations/${organization.id}/members`;
  await callApi(page, "POST", members, { ...guest, role: "admin" });
  const other = await openPage(app.url);
  await other.goto("/sign-in");
  await callApi(other, "POST", "/api/auth/sign-in", { email: guest.email, password: guest.password });
  const codes: string[] = [];
  for (const name of ["Harbour", "Lighthouse"]) {
    const { id } = await callApi<{ id: number }>(other, "POST", "/api/organizations", { name });
    const body = { email: owner.email, role: "viewer" };
    const path = `/api/organizations/${id}/invitations`;
    codes.push((await callApi<{ code: string }>(other, "POST", path, body)).code);
  }

  const broken = { url: "http://127.0.0.1:9/", name: "Shop", checkInterval: 10, timeout: 5 };
  await callApi(page, "POST", "/api/domains", broken);
  await page.reload();
  const outage = page.locator("[data-problem=down]");
  await outage.waitFor({ timeout: 45_000 });
  const invitation = page.getByText("Lighthouse has invited you");
  await invitation.waitFor();
  const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
  expect(await topOf(invitation)).toBeGreaterThan(await topOf(outage));
  await page.getByText("Jonas invites you to join as a viewer.").first().waitFor();
  expect(await faultsInEveryLook(page, "invitations")).toEqual([]);
  await page.getByRole("button", { name: "Decline" }).first().click();
  await page.getByText("Lighthouse has invited you").waitFor({ state: "detached" });
  await page.getByLabel("Invitation code").fill(codes[1] as string);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("This is not the code of this invitation.").waitFor();
  await page.getByLabel("Invitation code").fill(`${app.url}/invitation#${codes[0]}`);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("You now belong to Harbour.").waitFor();
  await page.getByText("Harbour has invited you").waitFor({ state: "detached" });
  const switcher = (name: string) => page.getByRole("button", { name: `Organization: ${name}` });
  await switcher("Harbour").waitFor();
  // What an empty organization shows to a viewer is on the page by now, and has not taken the focus from it.
  await page.getByRole("heading", { name: "No domains yet" }).waitFor();
  await page.locator("#content:focus").waitFor();

  await switcher("Harbour").click();
  await page.getByRole("menuitemradio", { name: "Northwind" }).click();
  await switcher("Northwind").waitFor();
  await outage.waitFor();
  await page.locator("#content:focus").waitFor();
});

test("long names stay inside the card and the list of organizations, and a withdrawn invitation says that it is gone", async () => {
  const server = await startInstallation();
  const page = await openPage(server.url);
  await signInAsOwner(page, server);
  const { organization } = await callApi<{ organization: { id: number } }>(page, "GET", "/api/auth/me");
  const inviter = { ...guest, name: "J".repeat(193), role: "admin" };
  await callApi(page, "POST", `/api/organizations/${organization.id}/members`, inviter);
  const other = await openPage(server.url);
  await other.goto("/sign-in");
  await callApi(other, "POST", "/api/auth/sign-in", { email: guest.email, password: guest.password });
  const invite = async (name: string) => {
    const { id } = await callApi<{ id: number }>(other, "POST", "/api/organizations", { name });
    const path = `/api/organizations/${id}/invitations`;
    const body = { email: owner.email, role: "viewer" };
    return { path, ...(await callApi<{ id: number; code: string }>(other, "POST", path, body)) };
  };
  const { code } = await invite("H".repeat(100));
  await page.goto("/");
  await page.getByLabel("Invitation code").fill(code);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText(/^You now belong to/).waitFor();
  const { path, id } = await invite("L".repeat(100));
  await page.reload();
  await page.getByRole("button", { name: "Join" }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("combobox", { name: "Organization" }).waitFor();
  await saveScreenshot(page, "long-names-390");
  expect(await sidewaysOverflow(page)).toBe(0);
  await page.keyboard.press("Escape");
  for (const width of [820, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole("button", { name: /^Organization: / }).click();
    await page.getByRole("menu").waitFor();
    await saveScreenshot(page, `long-names-${width}`);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect((await page.getByRole("menu").boundingBox())?.width).toBeLessThanOrEqual(280);
    await page.keyboard.press("Escape");
  }

  await callApi(other, "DELETE", `${path}/${id}`);
  await page.getByLabel("Invitation code").fill("late");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("This invitation is no longer there. It was withdrawn or has expired.").waitFor();
  await page.getByRole("button", { name: "Join" }).waitFor({ state: "detached" });
});
